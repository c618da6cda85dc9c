// Path scenarios of MovingAI (Sturtevant 2012): queries with their optimal lengths.
#pragma once

#include <string>
#include <vector>

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

}  // namespace outrider
