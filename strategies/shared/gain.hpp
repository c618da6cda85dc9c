// Information gain: how much of the unknown would be seen from a place, and how several criteria become one number.
#pragma once

#include <span>

#include "outrider/map.hpp"

namespace outrider {

/// Unknown cells whose middle is within `radius` cells, walls or not.
int unknown_within(const MapView& map, Cell centre, double radius_cells);

/// Area that two discs of this radius share when their centres are `distance` apart, as a share of one disc.
double disc_overlap(double distance, double radius);

/// The Choquet integral of utilities in [0, 1] with respect to a capacity: capacity[mask] is the weight of the criteria
/// whose bits are set in the mask, 0 for none and 1 for all of them (Grabisch 1996). With an additive capacity it is
/// the weighted sum.
double choquet(std::span<const double> utilities, std::span<const double> capacity);

}  // namespace outrider
