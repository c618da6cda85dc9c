// Echo sounders: a beam is a cone, and ends at the nearest wall in it.
#pragma once

#include <span>
#include <vector>

#include "outrider/briefing.hpp"

namespace outrider {

/// So many thin rays stand for a beam: next to each other, they are at most a cell apart at the sensor's range. 1: it
/// is thin itself.
int rays_of_beam(const SensorSpec& sensor, double cell_m);

/// The rays of all beams, beam by beam, evenly over each cone.
void spread_rays(const SensorSpec& sensor, int rays, std::span<const Point> directions, std::vector<Point>& out);

/// The shortest ray of each beam.
void nearest_echoes(int rays, std::span<const double> ray_lengths, std::span<double> lengths);

}  // namespace outrider
