// People in a scan: short runs of beams that end where the map knows free space, away from walls, on something round.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "features/people/people_tracker.hpp"
#include "messages/scan_geometry.hpp"
#include "outrider/detail/known_map.hpp"

namespace outrider {

/// The middle of a disc of this radius, of which a range finder at `origin` saw these points of the rim (at least one);
/// nothing: they do not lie on such a disc. Least squares by Gauss and Newton; the ranges err by 0.03 m.
std::optional<PersonSighting> fit_person(Point origin, std::span<const Point> rim, double radius_m);

/// In the order of the beams. map: before the scan was drawn, in whose frame the body is. error_cells: how far a wall
/// may be seen beside where it stands.
std::vector<PersonSighting> find_people(const KnownMap& map, const ScanGeometry& sensor, const Pose& body,
                                        const Scan& scan, double radius_m, int error_cells);

/// Whether beams of the scan passed over the place of somebody of this radius.
bool sees_through(const ScanGeometry& sensor, const Pose& body, const Scan& scan, Point place, double radius_m);

}  // namespace outrider
