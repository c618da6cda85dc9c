// Where a robot is: by odometry, or by its scans where they are matched.
#pragma once

#include <memory>

#include "outrider/briefing.hpp"
#include "robot/robot_options.hpp"
#include "robot/robot_part.hpp"
#include "slam/slam.hpp"

namespace outrider {

struct PoseEstimate;

/// Writes the pose, and the estimate of it, of a robot's knowledge.
class Localiser {
  public:
    Localiser(const Briefing& briefing, const RobotOptions& options, std::uint64_t seed);

    /// Takes in the motion of a step, and its scans one after the other along it.
    void update(const StepScans& scans, Knowledge& known);
    /// Instead of that, what was estimated when the step was logged. CHECK: it has a place for each scan.
    static void take_over(const PoseEstimate& estimate, const StepScans& scans, Knowledge& known);

    /// nullptr: odometry is believed.
    const Slam* slam() const { return slam_.get(); }
    /// Whether scans before and after a turn must overlap to be matched: those along the motion do, whatever the turn.
    bool limits_turns() const { return slam_ && !turns_overlap_; }

  private:
    void match(const StepScans& scans, Knowledge& known);
    void note_moved(Knowledge& known);

    Boxed<Slam> slam_;
    bool turns_overlap_;
    std::uint64_t corrections_ = 0;  // of slam_, up to the last step
};

}  // namespace outrider
