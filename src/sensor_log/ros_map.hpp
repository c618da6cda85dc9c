// Maps as map_server of ROS reads them.
#pragma once

#include <string>

#include "grid/grid.hpp"

namespace outrider {

/// Writes NAME.pgm and NAME.yaml into a folder that exists. Cells: 0 free, 1 wall, anything else unknown; the origin of
/// the grid becomes that of the map, in metres. Throws Error when they cannot be written.
void write_ros_map(const std::string& folder, const std::string& name, const Grid<std::uint8_t>& cells, bool overwrite,
                   const Pose& origin = {});

}  // namespace outrider
