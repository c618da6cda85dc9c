// A log as files for other programs.
#pragma once

#include <optional>
#include <string>

#include "log/exports.hpp"
#include "log/log_reader.hpp"

namespace outrider {

/// Every table as CSV, and the maps for ROS. Positions are metres from the lower left corner of the map. Throws Error
/// when a file cannot be written.
void export_log(LogReader& log, const std::string& folder, bool force, const std::optional<Placement>& placement);

}  // namespace outrider
