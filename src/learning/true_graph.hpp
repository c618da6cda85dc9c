// The graph of places on the true map, for critics: where robots can stand, and what the team does not know in sight of
// there. An agent's own graph (place_graph.hpp) has the same places as far as it knows them.
#pragma once

#include <cstdint>
#include <vector>

#include "learning/episode.hpp"

namespace outrider {

struct TrueGraph {
    std::vector<Cell> places;           ///< that the first agent's body can reach, by row, then column, in its cells
    std::vector<std::uint32_t> edges;   ///< of each a bit for each slot with a neighbour (PlaceGraph::neighbours)
    std::vector<std::int32_t> utility;  ///< cells that can be sensed, and that nobody knows, in sight within two steps
    std::vector<std::int32_t> agent_rows;  ///< the place nearest to each agent; -1: there is none
    int spacing_cells = 1;
};

TrueGraph true_graph(const Episode& episode);

}  // namespace outrider
