// Displays of meetings: places, times, and the points that were considered.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "outrider/cells.hpp"
#include "outrider/intent.hpp"
#include "outrider/skeleton.hpp"
#include "shared/meeting.hpp"

namespace outrider {

/// Its place and time in a layer "rendezvous with NAME", both ends where they differ; nothing when none is agreed.
void show_meeting(std::vector<Overlay>& overlays, const Lattice& lattice, const Meeting& meeting,
                  const std::string& name);
/// Key points at which to meet, by the paths that lead away; and places from which another one should be within reach.
void show_candidates(std::vector<Overlay>& overlays, const Lattice& lattice, std::span<const KeyPoint> candidates,
                     std::span<const Cell> linked);

}  // namespace outrider
