// The parts of robots: a factory for each, which returns nullptr for a robot that has no use for its part.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "outrider/briefing.hpp"
#include "robot/robot_options.hpp"
#include "robot/robot_part.hpp"

namespace outrider {

using RobotPartFactory = std::unique_ptr<RobotPart>(const Briefing&, const RobotOptions&);

RobotPartFactory make_deliveries_part;     // Briefing::deliveries
RobotPartFactory make_thinking_time_part;  // RobotOptions::think_steps
RobotPartFactory make_path_back_part;      // RobotOptions::submaps

/// Those of the features (src/features/list.cpp).
std::span<RobotPartFactory* const> robot_features();

/// Those that this robot has, in the order in which they are called.
std::vector<Boxed<RobotPart>> make_robot_parts(const Briefing& briefing, const RobotOptions& options);

}  // namespace outrider
