// Where to stand on a frontier: one goal for a short one, goals along a long one. One rule for all strategies.
//
//     GoalOptions goals;  // its fields among the options of the strategy
//     for (const Frontier& f : frontier_goals(belief, goals)) ...
#pragma once

#include <vector>

#include "outrider/behaviours.hpp"

namespace outrider {

struct GoalOptions {
    double goal_spacing = 0.5;
    void fields(Fields& f) {
        f("goal_spacing", goal_spacing, 0, 10,
          "sensor ranges of frontier for each goal; 0: one for each frontier that has a middle");
    }
};

/// candidate_frontiers(), the long ones of them in parts, each with a goal of its own and its share of the area: F
/// cells give 1 + floor(F / (goal_spacing s) + 1/2) goals, where s is the sensor's range (Faigl, Kulich & Preucil, IROS
/// 2012), by k-means over the cells. With goal_spacing = 0 they are whole, but for those without a middle, which are
/// cut as with 1. Whole in any case: MRESim's regions, what no camera has cleared, and all for a robot without a
/// sensor.
std::vector<Frontier> frontier_goals(const Belief& belief, const GoalOptions& options);

/// Whether the goal of a frontier is in sight of its centroid, within a sensor's range. It is not where the frontier
/// closes on itself, or bends round what the robot knows: then some cell of it is as good a goal as any other, and may
/// be far across from the robot.
bool has_middle(const Frontier& frontier, double range_cells);

}  // namespace outrider
