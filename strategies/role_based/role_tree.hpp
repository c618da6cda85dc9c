// A robot's view of a hierarchy: who holds which place, the reports on the places, and the exchange of places.
#pragma once

#include <optional>
#include <vector>

#include "outrider/belief.hpp"
#include "outrider/error.hpp"
#include "role_based/role_news.hpp"

namespace outrider {

/// When robots exchange places: never; when it shortens the longer of both paths to where they are going; two explorers
/// moreover only when one of them could then report to the base sooner than the later of both would now.
enum class Swaps { never, shorter, strict };

/// Of an explorer that will meet its parent, in cells.
struct MeetingPath {
    double until_meeting = 0;      ///< what it drives until then
    double to_others_meeting = 0;  ///< from where it is to the other explorer's meeting
    double meeting_to_base = 0;    ///< of its own meeting
};
/// The strict rule: compares the later report without the exchange with the sooner one after it.
bool tells_sooner_exchanged(const MeetingPath& a, const MeetingPath& b);

class RoleTree {
  public:
    explicit RoleTree(Swaps swaps = Swaps::shorter) : swaps_(swaps) {}
    /// Once, before anything else: sets up the places by make_hierarchy().
    void begin(const Belief& belief, int relays);
    bool begun() const { return !places_.empty(); }

    const Place& place() const { return at(claims_.place()); }
    const Place& at(RobotId place) const {
        OUTRIDER_CHECK(has(place), ==, true);
        return places_[static_cast<std::size_t>(place)];
    }
    RobotId number() const { return claims_.place(); }
    const RoleClaims& claims() const { return claims_; }

    /// Processes what the others sent. `mine`: what this robot reports of its place; `willing`: whether it would
    /// exchange it now. Returns the last report on another place when this robot has just taken that place over.
    std::optional<RoleNews> hear(const Belief& belief, const RoleNews& mine, bool willing);
    /// The last report on a place by another robot, and its sender: the highest epoch counts. nullptr: no robot
    /// reported that it holds the place.
    const RoleNews* news_of(RobotId place, RobotId* robot = nullptr) const;
    /// The robot that holds a place, as far as this one knows: before anybody reported it, the robot of its number.
    RobotId holder(RobotId place) const;
    /// By robot; empty: nothing received. The first is the place that it acts on.
    const std::vector<std::vector<RoleNews>>& news() const { return news_; }
    /// Whether the holder of a place, another robot, is in contact.
    bool in_contact(const Belief& belief, RobotId place) const;
    /// Whether another relay in contact drives to its parent from farther away: it can carry for both. `left`: the path
    /// length that this robot reported, in cells; with equal lengths the higher number is the farther one.
    bool another_carries(const Belief& belief, std::int64_t left) const;

    /// Of this and a robot in contact, the lower number offers to exchange places when that pays (de Hoog, Cameron &
    /// Visser, SSRR 2010). `mine`: as for hear(), its goal is where this robot goes. The offer stands for so
    /// many steps.
    void offer(const Belief& belief, const RoleNews& mine, int steps);
    /// What has to be sent.
    std::vector<Word> words(const RoleNews& mine, int step) const;

    /// States in which places are exchanged.
    static bool swappable(RoleState s) {
        return s == RoleState::explore || s == RoleState::return_to_parent || s == RoleState::go_to_child;
    }

  private:
    bool has(RobotId place) const { return place >= 0 && static_cast<std::size_t>(place) < places_.size(); }
    /// Whether it is the place of a robot, not of a base.
    bool can_be_held(RobotId place) const { return has(place) && at(place).role != Role::base; }
    bool allowed_by_strict(const Belief& belief, const RoleNews& mine, const RoleNews& other, Cell others_cell) const;

    Swaps swaps_;
    std::vector<Place> places_;
    RoleClaims claims_;
    RoleNews frozen_;  // of the place that was given away
    std::vector<std::vector<RoleNews>> news_;
};

}  // namespace outrider
