// An operator's order takes precedence over the robot's strategy until the order "autonomous".
#pragma once

#include "messages/operator_options.hpp"
#include "messages/order_words.hpp"
#include "outrider/strategy.hpp"

namespace outrider {

/// Orders that a robot knows: "autonomous" (its strategy), "way_points" (one after the other, then it waits), "add"
/// (further way-points), "clear" (drops those that are left, and waits), "drive" (the velocities, for one step; then it
/// waits), "drive_carefully" (the same, but only over cells that it knows to be free), "stop". Anything else is
/// ignored.
class OperatorControl {
  public:
    OperatorControl(const OperatorOptions& options, const Briefing& briefing);
    /// The orders of a step: those that the robot perceives, and by radio those of the first base station.
    /// `map_from_base`: the base station's frame in that of the map, where robots have frames of their own.
    std::vector<OperatorCommand> listen(const Belief& belief, const Pose& map_from_base = {});
    /// Carries them out. Returns what to do instead of the strategy's action; none: what the strategy chose.
    std::optional<Action> steer(const Belief& belief, const std::vector<OperatorCommand>& orders);
    /// That it obeyed, and how it is, if the operator wants to know.
    void add_words(const Belief& belief, bool lost, std::vector<Word>& words) const;
    /// What it does, in words, while it carries out an order.
    std::string said() const;

  private:
    std::optional<Action> obey(const Belief& belief, const OperatorCommand& order);
    Action next_way_point(const Belief& belief);
    bool out_of_contact(const Belief& belief);

    OperatorOptions options_;
    RobotId base_ = -1;  // that gives orders by radio; -1: none
    bool autonomous_ = true, lost_ = false;
    std::vector<Point> way_points_;  // still to be reached
    Point last_;                     // where it stood in the step before
    int still_ = 0;                  // steps that it stood there instead of driving to the next one
    int obeyed_ = 0;                 // number of the last order by radio
    std::uint32_t news_ = 0;         // the newest message of the base station
    int news_step_ = 0;              // when it came
};

}  // namespace outrider
