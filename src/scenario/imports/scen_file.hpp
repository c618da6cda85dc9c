// Path scenarios of MovingAI (Sturtevant 2012): queries with their optimal lengths.
#pragma once

#include <string>
#include <vector>

#include "grid/grid.hpp"
#include "outrider/geometry.hpp"

namespace outrider {

struct PathQuery {
    Cell from, to;  ///< with y up, as all cells of this program; the file counts rows from the top
    double optimal = 0;
};

struct ScenFile {
    std::string map;            ///< path of the map: beside the scenario file, whatever folder the file names
    int width = 0, height = 0;  ///< of the map, in cells
    std::vector<PathQuery> queries;
};

/// At least one query, all on the same map. Throws Error with the line.
ScenFile read_scen(const std::string& path);

/// The walls of its map for those on land and, where a MovingAI map has water, for those on water, which is a network
/// of its own: a query belongs to the one in which its start is free. Throws Error as read_map does, and when the map
/// has another size.
std::vector<Grid<std::uint8_t>> read_networks(const ScenFile& scen, const std::string& path);

}  // namespace outrider
