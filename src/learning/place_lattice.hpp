// What graphs of places on a lattice share: slots of neighbours, and lines that can be driven.
#pragma once

#include <cstdlib>

#include "learning/place_graph.hpp"

namespace outrider {

/// Lattice steps to the neighbour in a slot: by row, then column. The opposite slot of k is neighbours - 1 - k.
inline Cell step_of(int slot) {
    const int k = slot < PlaceGraph::neighbours / 2 ? slot : slot + 1;
    return {k % 5 - 2, k / 5 - 2};
}

/// Whether all cells are passable that the line between the middles of two cells touches, except the last one. Where it
/// runs through a corner, those on both sides count.
template <class Passable>
bool straight(Passable&& passable, Cell from, Cell to) {
    const int dx = std::abs(to.x - from.x), dy = std::abs(to.y - from.y);
    const int step_x = to.x > from.x ? 1 : -1, step_y = to.y > from.y ? 1 : -1;
    // Negative: the line leaves the cell through the side in x first; twice the distances between the crossings.
    int error = dy - dx;
    for (Cell c = from; c != to;) {
        if (!passable(c)) return false;
        if (error == 0 && (!passable({c.x + step_x, c.y}) || !passable({c.x, c.y + step_y}))) return false;
        const bool in_x = error <= 0, in_y = error >= 0;
        if (in_x) {
            c.x += step_x;
            error += 2 * dy;
        }
        if (in_y) {
            c.y += step_y;
            error -= 2 * dx;
        }
    }
    return true;
}

}  // namespace outrider
