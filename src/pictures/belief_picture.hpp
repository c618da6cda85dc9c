// A picture of what one robot knows, and of its reasons.
#pragma once

#include "base/canvas.hpp"
#include "messages/decision.hpp"
#include "robot/robot.hpp"

namespace outrider {

/// The robot's map in a frame of the size of `walls` (whose cells are those of the team's frame), its frontiers, its
/// candidates, the path ahead, and its team-mates where it last heard of them.
Raster draw_belief(const Robot& robot, const Decision& decision, const Grid<std::uint8_t>& walls,
                   const std::string& caption);

}  // namespace outrider
