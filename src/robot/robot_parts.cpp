#include "robot/robot_parts.hpp"

#include <array>

namespace outrider {
namespace {

/// Where two parts take part in the same phase, the later one has the last word on the intent, and its words come last.
constexpr std::array<RobotPartFactory*, 11> in_order{
    make_tilted_beams_part, make_cut_mates_part,  make_thinking_time_part, make_energy_budget_part,
    make_operator_part,     make_order_desk_part, make_victim_log_part,    make_cleared_floor_part,
    make_ground_marks_part, make_plan_trust_part, make_deliveries_part};

}  // namespace

std::vector<std::unique_ptr<RobotPart>> make_robot_parts(const Briefing& briefing, const RobotOptions& options) {
    std::vector<std::unique_ptr<RobotPart>> parts;
    for (RobotPartFactory* make : in_order)
        if (auto part = make(briefing, options)) parts.push_back(std::move(part));
    for (RobotPartFactory* make : robot_features())
        if (auto part = make(briefing, options)) parts.push_back(std::move(part));
    return parts;
}

}  // namespace outrider
