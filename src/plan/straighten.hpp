// Bends of a path pulled straight.
#pragma once

#include <vector>

#include "outrider/detail/nav_map.hpp"

namespace outrider {

/// A way from a to b over steps that are allowed that costs no more than if nothing stood in the way, both included;
/// empty when the few that are tried are blocked.
std::vector<Cell> direct_way(const NavMap& nav, Cell a, Cell b);

bool can_go_directly(const NavMap& nav, Cell a, Cell b);

/// The same path with stretches replaced by direct ways, as long ones as are found. Cells next to each other, start and
/// goal stay.
std::vector<Cell> straightened(const NavMap& nav, const std::vector<Cell>& path);

}  // namespace outrider
