#include "robot/robot_parts.hpp"

namespace outrider {

std::vector<std::unique_ptr<RobotPart>> make_robot_parts(const Briefing& briefing, const RobotOptions& options) {
    std::vector<std::unique_ptr<RobotPart>> parts;
    const auto add = [&](RobotPartFactory* make) {
        if (auto part = make(briefing, options)) parts.push_back(std::move(part));
    };
    // Where two parts take part in the same phase, the later one has the last word on the intent, and its words come
    // last: an operator's orders hold whatever a feature wants.
    add(make_thinking_time_part);
    for (RobotPartFactory* make : robot_features()) add(make);
    for (RobotPartFactory* make : {make_operator_part, make_order_desk_part, make_victim_log_part,
                                   make_cleared_floor_part, make_plan_trust_part, make_deliveries_part})
        add(make);
    return parts;
}

}  // namespace outrider
