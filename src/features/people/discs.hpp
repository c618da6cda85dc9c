// Others in the way: people, and the bodies of robots. Scans see them as discs, and who has a body himself waits for
// them.
#pragma once

#include <span>

#include "outrider/geometry.hpp"

namespace outrider {

/// Somebody or something round in the way.
struct Disc {
    Point middle;
    double radius_m = 0;
};

/// The radius that scans see of a robot that is smaller.
inline constexpr double least_seen_radius_m = 0.2;

/// How far a beam gets: `length_m`, or to the first disc. A disc around its origin does not count. direction: of length
/// one.
double length_to_discs(std::span<const Disc> discs, Point origin, Point direction, double length_m);

/// Shortens the beams, whose lengths are in cells, to the first of the discs; those farther than the range of the
/// sensor are left out.
void shorten_to_discs(std::span<const Disc> discs, Point origin, std::span<const Point> directions, double range_m,
                      double cell_m, std::span<double> lengths);

/// Whether a body that drives along the way, so far of it, comes closer than `gap_m` to the rim of a disc.
bool meets(const Disc& disc, Point from, std::span<const Point> path, double length_m, double gap_m);

}  // namespace outrider
