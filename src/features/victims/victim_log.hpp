// Whom a robot found, and at the base station whom all found: reports that are joined, sent until they are heard, and
// decided about by an operator. Robots drive around people in view.
#pragma once

#include <map>
#include <vector>

#include "messages/victim_words.hpp"
#include "outrider/belief.hpp"
#include "robot/robot_part.hpp"

namespace outrider {

class VictimLog final : public Copied<VictimLog, RobotPart> {
  public:
    /// What is nearer than this to somebody who is known is the same one.
    static constexpr double join_m = 2;
    /// Around places that the operator declined nothing is reported.
    static constexpr double mute_m = 1;

    /// Marks the cells in which the robot would drive over somebody in view as rough: paths lead around them where
    /// there is room.
    void after_drawing(Knowledge& known, const Percept& percept) override;
    /// Takes in what the robot sees and hears; at a base station, its reports and the operator's decisions.
    void after_choice(Knowledge& known, Intent& intent) override;
    /// In the order in which they were learned of; places in the frame of the map.
    const std::vector<FoundVictim>& found() const { return found_; }
    /// What an operator decided in this step about places where nothing was reported; in the frame of the map.
    const std::vector<VictimDecision>& unreported() const { return unreported_; }

  private:
    struct Source {
        std::size_t victim = 0;  ///< index into found_
        VictimNews news;
    };
    struct Sent {
        int version = 0, received = 0;
        Point at;
        int id = -1, status = -1;
    };
    /// Seen from where a scan was taken (TeamMaps::taken_at), with which the place moves.
    struct Anchor {
        std::size_t scan = 0;
        Point from_body;
    };
    FoundVictim* nearest(Point at, int id);
    void follow_frame(const Knowledge& known);
    void follow_scans(const Knowledge& known);
    void see(const Knowledge& mine);
    void hear(const Belief& belief);
    void collect(const Belief& belief);
    void decide(const Knowledge& known, Intent& intent);
    std::string take(const OperatorCommand& command, Point at, int step);
    void place(std::size_t victim);
    void add_words(const Belief& belief, std::vector<Word>& words) const;

    std::vector<FoundVictim> found_;
    std::vector<VictimDecision> decisions_, unreported_;
    RobotId frame_ = -1;                                 // whose frame places are in, where robots have their own
    std::vector<Anchor> anchors_;                        // where the past moves, by index into found_
    std::vector<Sent> sent_;                             // of a robot, by index into found_
    std::map<std::pair<RobotId, int>, Source> sources_;  // of a base: by robot and number
};

}  // namespace outrider
