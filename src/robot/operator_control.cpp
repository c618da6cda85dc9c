#include "robot/operator_control.hpp"

#include <algorithm>

#include "outrider/ray.hpp"

namespace outrider {
namespace {

constexpr double farthest_m = 20;  // from a way-point that cannot be reached to the place used instead
constexpr int patience_steps = 4;  // a robot may have to turn before it drives

/// Whether the body's path at these velocities is known to be free, as far as it drives in a step and a half.
bool way_is_known(const Belief& belief, const OperatorCommand& command) {
    const Lattice& lattice = belief.map().lattice();
    const Pose& pose = belief.pose();
    const double length =
        1.5 * command.forward * belief.briefing().step_s + 2 * lattice.cell_m * (command.forward < 0 ? -1 : 1);
    const auto [s, c] = sin_cos(pose.yaw + command.turn * belief.briefing().step_s / 2);
    const Point end{pose.x + c * length, pose.y + s * length};
    return walk_segment(lattice.to_cells(pose.position()), lattice.to_cells(end),
                        [&](Cell cell, double) { return cell == belief.cell() || belief.map().is_free(cell); });
}

}  // namespace

std::optional<Action> OperatorControl::steer(const Belief& belief, const std::vector<OperatorCommand>& commands) {
    std::optional<Action> now;
    for (const OperatorCommand& command : commands) {
        const bool drive = command.behaviour == "drive", careful = command.behaviour == "drive_carefully";
        if (command.behaviour == "autonomous") {
            autonomous_ = true;
            now.reset();
        } else if (command.behaviour == "way_points" || command.behaviour == "stop" || drive || careful) {
            autonomous_ = false;
            way_points_ = command.way_points;
            still_ = 0;
            now.reset();
            if (drive || (careful && (command.forward == 0 || way_is_known(belief, command))))
                now = Drive{command.forward, command.turn};
        }
    }
    if (!autonomous_ && !now) now = next_way_point(belief);
    last_ = belief.pose().position();
    return now;
}

/// A way-point counts as reached in its cell, or where the robot gets no nearer.
Action OperatorControl::next_way_point(const Belief& belief) {
    const Point here = belief.pose().position();
    still_ = here == last_ ? still_ + 1 : 0;
    while (!way_points_.empty()) {
        const Point goal = way_points_.front();
        const Cell cell = belief.map().lattice().cell_of(goal);
        // As near as it can get by what it knows now: it may learn more while driving.
        const double near = belief.nav().reached(cell) ? 0 : std::min(farthest_m, 0.99 * distance(here, goal));
        if (belief.cell() != cell && still_ < patience_steps) return Goto{goal, near, {}};
        way_points_.erase(way_points_.begin());
        still_ = 0;
    }
    return Stay{};
}

}  // namespace outrider
