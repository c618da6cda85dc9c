// How a robot moved between its scans.
#pragma once

#include <vector>

#include "outrider/percept.hpp"

namespace outrider {

/// The motion since the last percept, cut where the scans were taken; one more part when the robot moved after the
/// last. Each part gets its share of the variance, in proportion to distance and turn, as for a random walk.
std::vector<Motion> motions_between(const Percept& percept);

}  // namespace outrider
