// Scanners that tilt with the body: what they cannot tell.
#pragma once

#include <vector>

#include "outrider/percept.hpp"
#include "slam/mapping.hpp"

namespace outrider {

/// Whether one of these sensors lies tilted.
bool any_tilted(const Percept& percept, const std::vector<ScanMapper>& mappers);

/// The scans of a percept, where beams of tilted scanners say nothing that got so far that what they met could be the
/// floor, or that met nothing and may have passed over walls: those that point down, beyond 0.8 times where level floor
/// would be, and up, beyond 0.8 times where they rise above walls of 1 m. mappers: by sensor.
std::vector<Scan> without_floor(const Percept& percept, const std::vector<ScanMapper>& mappers);

}  // namespace outrider
