// outrider log export --mcap
#pragma once

#include <string>

namespace outrider {

/// Writes a log for Foxglove, or with `ros2` as messages of ROS 2; the exit code. A log below the full level is run
/// again. Throws Error.
int write_mcap(const std::string& log, const std::string& path, bool ros2, bool force);

}  // namespace outrider
