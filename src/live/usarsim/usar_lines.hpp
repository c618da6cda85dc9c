// What lines of USARSim say of our robots, for both ends of a connection. In them y points to the right, z down, and
// yaw is clockwise; here y points to the left, z up, and yaw is counter-clockwise.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "live/vehicle.hpp"
#include "messages/live_options.hpp"
#include "outrider/percept.hpp"
#include "wire/usarsim_line.hpp"
#include "wire/usarsim_readings.hpp"

namespace outrider {

/// "x,y,z" and "roll,pitch,yaw" of a pose of ours, which lies on the ground.
std::string usar_location(const Pose& pose);
std::string usar_rotation(const Pose& pose, double roll = 0, double pitch = 0);
/// Seconds, and metres or radians, without exponents.
std::string usar_number(double value);

/// The name of a range scanner: that of the options for the first one, then with the next numbers: Scanner1, Scanner2.
std::string usar_scanner_name(const LiveSection& options, std::size_t sensor);

/// No faster than the robot can: its speed, and options.turn_deg_s. What is no number is 0.
Velocity usar_limited(const Velocity& velocity, const Briefing& briefing, const LiveSection& options);
/// "DRIVE {Left l} {Right r}" in radians per second of the wheels.
std::string usar_drive(const Velocity& velocity, const LiveSection& options);
/// What a line DRIVE asks for, limited. Nothing: it is about something else, such as lights. Throws Error.
std::optional<Velocity> read_usar_drive(const UsarsimLine& line, const Briefing& briefing, const LiveSection& options);

/// The middle of a scanner's view, seen from the body: what USARSim takes for its heading.
double usar_heading(const SensorSpec& sensor);
/// SEN {Time t} {Type RangeScanner} ...: ranges from right to left. A beam that hit nothing says the sensor's reach,
/// one without information 0; usar_sweep() reads the very same units.
std::string usar_scan_line(double time_s, const std::string& name, const SensorSpec& sensor, const Scan& scan);

/// How a scanner sees: what its lines GEO and CONF said.
struct UsarScanner {
    UsarsimMount mount;
    double reach_m = 0;  ///< a reading of this or more means that nothing was seen
};
/// As our specification says, until it tells.
UsarScanner expected_usar_scanner(const SensorSpec& sensor);
/// The ranges of our sensor's beams: of each, that of the nearest beam of the line by angle; where none is near, no
/// information. `complaint`: how the scanner differs from our specification; left alone when it does not.
std::vector<std::uint16_t> usar_sweep(const UsarsimScan& scan, const UsarScanner& scanner, const SensorSpec& sensor,
                                      std::string& complaint);

}  // namespace outrider
