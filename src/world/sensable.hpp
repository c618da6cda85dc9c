// What can be sensed at all: the denominator of every coverage figure.
#pragma once

#include <vector>

#include "world/world.hpp"

namespace outrider {

/// Where a robot starts from and how far it sees.
struct Explorer {
    Cell start;
    double radius_m = 0;
    double range_m = 0;  ///< of its farthest-seeing sensor; 0: it marks only the cells that it stands in
};

/// Nonzero: a free cell that some explorer can sense from somewhere that it can reach. For a point-like robot that is
/// what is connected with its start: a ray is a chain of 4-connected free cells. A disc also sees through gaps that it
/// cannot pass; a cell then counts when it lies beside one that counts, and its centre sees a reachable cell within
/// range.
Grid<std::uint8_t> sensable_cells(const Grid<std::uint8_t>& walls, const std::vector<Explorer>& explorers);

}  // namespace outrider
