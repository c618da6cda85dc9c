// Drawing the beams of echo sounders: wide cones, in which the nearest wall is somewhere at the measured range.
#pragma once

#include <span>

#include "slam/scan_window.hpp"

namespace outrider {

/// A beam as a sector: middle direction (a unit vector), length and the error of its rounding in cells; whether there
/// is a wall at its end.
struct Echo {
    Point direction;
    double length = 0, error = 0;
    bool wall = false;
};

/// Claims the cells in these cones, of width `cone` (radians, at most a half turn), as free where they end beyond the
/// cell. The arcs at which they end are claimed as occupied, not for sure, where no free space is known: another beam
/// that passes there shows which part of an arc is a wall. An arc in which a wall is known says nothing new, and one
/// that is longer than `longest_arc` cells too little: it stays unknown, and robots come closer to look. The window
/// holds all cones.
void draw_echoes(const KnownMap& map, Point origin, double cone, std::span<const Echo> echoes, double longest_arc,
                 ScanWindow& window);

}  // namespace outrider
