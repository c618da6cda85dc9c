// A robot's view of a hierarchy: who holds which place, what they say of it, and the exchange of places with others.
#pragma once

#include <optional>
#include <vector>

#include "outrider/belief.hpp"
#include "outrider/role_news.hpp"

namespace outrider {

class RoleTree {
  public:
    /// Whether robots exchange places at all.
    explicit RoleTree(bool swaps = true) : swaps_(swaps) {}
    /// Before anything else, once: as make_hierarchy() has it.
    void begin(const Belief& belief, int relays);
    bool begun() const { return !places_.empty(); }

    const Place& place() const { return at(claims_.place()); }
    const Place& at(RobotId place) const { return places_[static_cast<std::size_t>(place)]; }
    RobotId number() const { return claims_.place(); }
    const RoleClaims& claims() const { return claims_; }

    /// Takes in what the others said. `mine`: what this robot says of its place; `willing`: whether it would exchange
    /// it now. Returns how things stand at another place when it has just taken that over.
    std::optional<RoleNews> hear(const Belief& belief, const RoleNews& mine, bool willing);
    /// What was last said of a place by another robot, and by whom: the highest epoch counts. nullptr: nobody was heard
    /// to hold it.
    const RoleNews* news_of(RobotId place, RobotId* robot = nullptr) const;
    /// By robot; empty: nothing heard. The first is the place that it acts on.
    const std::vector<std::vector<RoleNews>>& news() const { return news_; }
    /// Whether the holder of a place, another robot, is in contact.
    bool in_contact(const Belief& belief, RobotId place) const;

    /// Of this and a robot in contact, the lower number offers to exchange places when the longer of both ways to where
    /// they are going gets shorter by it (de Hoog, Cameron & Visser, SSRR 2010).
    void offer(const Belief& belief, Cell goal);
    /// What is to be said.
    std::vector<Word> words(const RoleNews& mine, int step) const;

    /// States in which places are exchanged.
    static bool swappable(RoleState s) {
        return s == RoleState::explore || s == RoleState::return_to_parent || s == RoleState::go_to_child;
    }

  private:
    bool swaps_;
    std::vector<Place> places_;
    RoleClaims claims_;
    RoleNews frozen_;  // of the place that was given away
    std::vector<std::vector<RoleNews>> news_;
};

}  // namespace outrider
