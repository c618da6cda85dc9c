// Where robots go, and who is linked, for the window, pages and drawings.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "metrics/true_view.hpp"
#include "run/run.hpp"

namespace outrider {

/// The corners of a robot's path to its goal over its own map, beginning where it stands, in the frame of its map.
/// Empty: there is none, or it takes too long to find.
std::vector<Point> corners_to(const Belief& belief, Point goal);

/// In the team's frame.
struct Aim {
    std::optional<Point> goal{};
    std::vector<Point> path{};  ///< corners, as planned when the goal was chosen
};
/// The aim of a robot if its goal is another one than that of `last`.
std::optional<Aim> changed_aim(const Robot& robot, const TrueView& truth, const Aim& last);

/// Pairs of robots that have a radio link, the smaller number first, sorted.
std::vector<std::pair<RobotId, RobotId>> linked_pairs(const StepView& view);

}  // namespace outrider
