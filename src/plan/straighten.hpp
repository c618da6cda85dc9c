// Bends of a path pulled straight.
#pragma once

#include <vector>

#include "outrider/detail/nav_map.hpp"

namespace outrider {

/// A path from a to b, both included, over allowed steps, that costs no more than without obstacles; empty when the few
/// that are tried are blocked.
std::vector<Cell> direct_path(const NavMap& nav, Cell a, Cell b);

bool can_go_directly(const NavMap& nav, Cell a, Cell b);

/// The same path with stretches replaced by direct paths, as long ones as are found. Its cells stay adjacent; start and
/// goal stay.
std::vector<Cell> straightened(const NavMap& nav, const std::vector<Cell>& path);

}  // namespace outrider
