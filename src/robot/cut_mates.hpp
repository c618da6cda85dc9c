// Team-mates in the view of a range finder: no walls.
#pragma once

#include <span>
#include <vector>

#include "outrider/percept.hpp"
#include "slam/mapping.hpp"

namespace outrider {

/// The scans of a percept, where beams that end at a team-mate say nothing: within 0.22 m of a disc as large as the
/// robot itself, 0.2 m at least. mates: where they are, relative to the body. mappers: by sensor.
std::vector<Scan> without_mates(const Percept& percept, std::span<const Point> mates,
                                const std::vector<ScanMapper>& mappers, double radius_m);

}  // namespace outrider
