// Grids as GeoTIFF (OGC 19-008r4, in a TIFF 6.0), for GIS programs.
#pragma once

#include <optional>
#include <string>

#include "grid/grid.hpp"
#include "log/exports.hpp"

namespace outrider {

/// Values of the cells of a GeoTIFF.
struct GeoCell {
    static constexpr std::uint8_t free = 0, wall = 1, unknown = 255;  // unknown: "no data"
};

/// The bytes of a GeoTIFF: one band of GeoCell with a colour table, row 0 of the grid at the bottom, its lower left
/// corner at the placement (WGS 84, degrees; a bearing turns it). Without a placement there is no reference system, and
/// coordinates are metres from that corner. Throws Error when the grid is empty.
std::string geotiff_of(const Grid<std::uint8_t>& cells, const std::optional<Placement>& placement);

}  // namespace outrider
