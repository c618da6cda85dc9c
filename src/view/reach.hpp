// How far a radio reaches in every direction: its range behind walls, both the true one and the one a robot expects.
#pragma once

#include "grid/grid.hpp"
#include "grid/ir2_radio.hpp"
#include "outrider/briefing.hpp"
#include "outrider/map.hpp"

namespace outrider::view {

inline constexpr int reach_rays = 360;

/// The outline, in metres of the grid's frame, within which a radio like this one at `from` is received under the radio
/// model; walls are the nonzero cells and everything outside of the grid. Along a ray the signal only falls: the
/// outline is where it falls too low.
std::vector<Point> radio_reach(const Grid<std::uint8_t>& walls, const RadioOptions& radio, double range_m, Point from,
                               const Ir2Losses& losses = {});
/// The outline that a robot expects from its own map (believed_linked).
std::vector<Point> believed_reach(const KnownMap& map, const RadioOptions& radio, double range_m, Point from);

}  // namespace outrider::view
