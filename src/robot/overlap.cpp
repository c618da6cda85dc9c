#include "robot/overlap.hpp"
#include "messages/decision.hpp"

#include <algorithm>
#include <cmath>

namespace outrider {

double largest_turn(const Briefing& briefing) {
    double widest = 0;
    for (const SensorSpec& s : briefing.sensors) widest = std::max(widest, s.step_angle * s.beams);
    return widest >= 2 * pi - 1e-6 ? 2 * pi : widest / 2;
}

Command overlapping(Command command, const Briefing& briefing) {
    // As far as the body drives in a step, a little less, so that it arrives.
    double left = std::min(command.speed_mps, briefing.me().speed_mps) * briefing.step_s * (1 - 1e-9);
    std::vector<Point> path;
    Point at;
    double heading = 0;
    bool arrived = true;
    for (const Point& to : command.path_body) {
        const double length = distance(at, to);
        if (length == 0) continue;
        heading = bearing(at, to);
        const double part = std::min(1.0, left / length);
        path.push_back(at + (to - at) * part);
        if (part < 1) {
            arrived = false;
            break;
        }
        left -= length;
        at = to;
    }
    if (arrived && command.final_heading) heading = wrap_angle(*command.final_heading);
    const double most = largest_turn(briefing);
    if (std::abs(heading) <= most) return command;
    command.final_heading = heading > 0 ? most : -most;
    if (briefing.kinematics == Kinematics::holonomic)
        command.path_body = std::move(path);
    else
        command.path_body.clear();
    return command;
}

}  // namespace outrider
