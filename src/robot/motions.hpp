// How a robot moved between its scans.
#pragma once

#include <vector>

#include "outrider/percept.hpp"

namespace outrider {

/// The motion since the last percept, cut where the scans were taken; one more part when there is way after the last.
/// The variance is shared out by way and turn, as that of a random walk.
std::vector<Motion> motions_between(const Percept& percept);

}  // namespace outrider
