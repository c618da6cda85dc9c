// A world of Stage as a scenario: its map, and its robots where they stand.
#pragma once

#include <string>

#include "base/config.hpp"
#include "scenario/scenario.hpp"

namespace outrider {

/// Throws Error.
ConfigTable import_stage(const std::string& path, Notes& notes);

}  // namespace outrider
