// A sheet of small pictures: many maps at a glance.
#pragma once

#include <string>
#include <vector>

#include "base/canvas.hpp"
#include "outrider/grid.hpp"

namespace outrider {

struct SheetEntry {
    std::string title, subtitle;
    Grid<std::uint8_t> walls;
    std::vector<Cell> bases;  ///< cells of the map
};

/// The maps in rows of `columns`, each scaled to its box, with title and size.
Raster draw_sheet(const std::vector<SheetEntry>& entries, int columns);

}  // namespace outrider
