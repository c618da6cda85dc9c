// The shortest path at any angle: a taut string around the corners of what is blocked.
#pragma once

#include <cstddef>
#include <vector>

#include "outrider/detail/nav_map.hpp"
#include "outrider/geometry.hpp"
#include "outrider/path.hpp"

namespace outrider {

struct TautPath {
    PathStatus status = PathStatus::unreachable;
    std::vector<Point> points;   ///< in cells; from the start's middle over corners of cells to the goal's middle
    double length_cells = 0;     ///< its length
    std::size_t expansions = 0;  ///< parts of lines between rows that were looked beyond
    explicit operator bool() const { return status == PathStatus::found; }
};

/// The shortest path from the middle of `start` to that of `goal` that enters no blocked cell and does not pass between
/// two that touch in a corner; it may touch corners and sides. Exact up to the rounding of doubles.
/// clearance_cells: 0, 1 or 2: passable cells that are so close to a known wall (NavMap::near) count as blocked.
/// Errors: goal_blocked, unreachable (also from a blocked start), gave_up after max_expansions.
///
/// Rows of open cells are rectangles, and openings to the rows beside them their edges. The search goes from edge to
/// edge with the part of it that is seen from the last corner, in the order of the length by the nearest way through
/// that part (Harabor & Grastien 2013; Cui, Harabor & Grastien 2017). It needs nothing that is worked out beforehand.
TautPath taut_path(const NavMap& nav, Cell start, Cell goal, int clearance_cells = 0,
                   std::size_t max_expansions = 4'000'000);

}  // namespace outrider
