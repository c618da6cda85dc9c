// What nearly every strategy needs: frontiers to choose from, driving to one, going home, when to choose anew.
//
//     const std::vector<Frontier> frontiers = candidate_frontiers(belief);
//     if (frontiers.empty()) return go_home(belief);
//     return {.action = go_to_frontier(belief, frontiers[0])};
#pragma once

#include <optional>
#include <vector>

#include "outrider/strategy.hpp"

namespace outrider {

/// The frontiers to choose from: the larger ones. When none is left, the own part of the leftovers: sorted by direction
/// from home and cut into as many parts as there are mobile robots; all of them when there are fewer than robots.
std::vector<Frontier> candidate_frontiers(const Belief& belief);

/// The farthest that any sensor of this robot sees, in cells; 1 without a sensor.
double sensor_range_cells(const Belief& belief);

/// Drive to a frontier and look at the unknown behind it.
Goto go_to_frontier(const Belief& belief, const Frontier& frontier);

/// The overlay of a choice among frontiers, for when belief.overlays_wanted(): where the robot would stand, with a
/// value each, and what the value is.
Overlay candidates_overlay(const Belief& belief, const std::vector<Frontier>& frontiers, std::vector<double> values,
                           std::string what);

/// Whether frontier.look is known by now (cleared, if it was uncleared), or looking there was in vain.
bool explored(const Belief& belief, const Frontier& frontier);

/// Drive home and be done there, when a base in contact knows all that this robot knows; done at once when there is no
/// path home.
Intent go_home(const Belief& belief);

/// When to choose anew: on the beat of the replan period, staggered over the team by number, and when the target is
/// gone, reached or cannot be reached: at once, or at most every `min_gap` steps.
class ReplanGuard {
  public:
    struct Options {
        int period_steps = 15;
        int min_gap_steps = 1;
        void fields(Fields& f) {
            f("period_steps", period_steps, 1, 10000, "choose anew at least this often");
            f("min_gap_steps", min_gap_steps, 1, 10000, "choose anew at most this often when the target is gone");
        }
    };
    explicit ReplanGuard(const Options& options) : options_(options) {}
    /// Whether this is a step to choose in; if so, it counts as done.
    bool due(const Belief& belief, bool target_gone);

  private:
    Options options_;
    int last_ = -1;
};

inline constexpr int stall_steps = 30;

/// Notices when a robot gets nowhere: in so many steps with a target, nothing new in its scans, and moved by less than
/// it can drive in two steps. Bars that target for 100 steps.
class StallGuard {
  public:
    explicit StallGuard(int steps = stall_steps) : steps_(steps) {}
    /// To be called once in each step with a target; steps without one do not count: a robot that waits is not stalled.
    /// True when the target was just barred.
    bool stalled(const Belief& belief, Cell target);
    /// Whether a goal is within three cells of a barred target.
    bool barred(const Belief& belief, Cell goal) const;

  private:
    int steps_;
    Point anchor_;
    int since_ = -1;                            // step in which the count began
    int stood_ = 0;                             // steps with a target since
    std::vector<std::pair<Cell, int>> barred_;  // target, until step
};

}  // namespace outrider
