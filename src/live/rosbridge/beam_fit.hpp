// A scan of a robot's driver as the beams that its sensor is described with.
#pragma once

#include <cstdint>
#include <vector>

#include "live/rosbridge/ros_messages.hpp"
#include "messages/live_options.hpp"

namespace outrider {

/// Each beam of the sensor takes the range of the nearest beam of the message by angle, if that is not farther than
/// half a step of the message; Scan::no_information if it is. Ranges below range_min are no information, those above
/// range_max or beyond the sensor's reach Scan::nothing.
std::vector<std::uint16_t> beams_of(const RosScan& scan, const SensorSpec& sensor, NullRange null_range);

/// What a message has fewer of, or leaves out: "40 beams from ..., expected ..."; empty: it measures all beams.
std::string missing_beams(const RosScan& scan, const SensorSpec& sensor);

}  // namespace outrider
