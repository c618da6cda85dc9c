#include "robot/robot_parts.hpp"

namespace outrider {

std::vector<Boxed<RobotPart>> make_robot_parts(const Briefing& briefing, const RobotOptions& options) {
    std::vector<Boxed<RobotPart>> parts;
    const auto add = [&](RobotPartFactory* make) {
        if (auto part = make(briefing, options)) parts.push_back(std::move(part));
    };
    // Where two parts take part in the same phase, the later one has the last word on the intent, and its words come
    // last.
    add(make_thinking_time_part);
    for (RobotPartFactory* make : robot_features()) add(make);
    add(make_path_back_part);
    add(make_deliveries_part);
    return parts;
}

}  // namespace outrider
