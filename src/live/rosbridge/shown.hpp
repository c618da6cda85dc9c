// What people see of a robot's belief in rviz and the like.
#pragma once

#include <string>

#include "live/rosbridge/ros_messages.hpp"
#include "outrider/belief.hpp"

namespace outrider {

/// The goal and the frontiers of a robot, in the frame of its map, as a MarkerArray.
std::string belief_markers_json(const RosHeader& header, const Belief& belief);

}  // namespace outrider
