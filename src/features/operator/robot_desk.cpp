#include "features/operator/order_desk.hpp"

#include "messages/operator_options.hpp"
#include "outrider/belief.hpp"
#include "outrider/intent.hpp"
#include "robot/knowledge.hpp"
#include "robot/robot_parts.hpp"

namespace outrider {
namespace {

/// `older` and `newer` in one order, when the newer one arrives first.
OperatorCommand joined(const OperatorCommand& older, OperatorCommand newer) {
    if (newer.behaviour != "add") return newer;
    if (older.behaviour == "add" || older.behaviour == "way_points") {
        newer.behaviour = older.behaviour;
        newer.waypoints.insert(newer.waypoints.begin(), older.waypoints.begin(), older.waypoints.end());
    } else {
        newer.behaviour = "way_points";  // nothing is left of the way-points of before
    }
    return newer;
}

}  // namespace

void OrderDesk::after_choice(Knowledge& known, Intent& intent) {
    const Belief belief(known);
    std::erase_if(kept_, [&](const auto& kept) {
        for (const Word& word : belief.latest(kept.first).words)
            if (const auto number = read_obeyed(word)) return *number >= kept.second.number;
        return false;
    });
    for (const OperatorCommand& command : belief.percept().commands) {
        if (command.to < 0 || !is_order(command.behaviour)) continue;
        const auto older = kept_.find(command.to);
        kept_[command.to] = {++last_, older == kept_.end() ? command : joined(older->second.command, command)};
    }
    for (const auto& [robot, order] : kept_) intent.words.push_back(order_word(order, robot));
}

std::unique_ptr<RobotPart> make_order_desk_part(const Briefing& briefing, const RobotOptions& options) {
    const auto through = options.features.get_or_default<OperatorOptions>().through;
    const bool passes_on = through == OrdersThrough::radio && briefing.is_base();
    return passes_on ? std::make_unique<OrderDesk>() : nullptr;
}

}  // namespace outrider
