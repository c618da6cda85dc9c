// Images that say something of each cell of the map.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "grid/grid.hpp"

namespace outrider {

struct Scenario;

/// Brightness from 0 to 65535, by cell of the map's frame. Throws Error where it is no image of the map's size; the
/// message begins with `key`.
Grid<std::uint16_t> read_layer(const Scenario& s, std::string_view key, const std::string& path);

}  // namespace outrider
