// What people see of meetings: places, times, and the points that were thought of.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "outrider/decision.hpp"
#include "outrider/grid.hpp"
#include "outrider/topology.hpp"
#include "shared/meeting.hpp"

namespace outrider {

/// Its place and time in a layer "rendezvous with NAME", both ends where they differ; nothing when none is agreed.
void show_meeting(std::vector<Overlay>& overlays, const Lattice& lattice, const Meeting& meeting,
                  const std::string& name);
/// Key points at which to meet, by the ways that lead away; and places from which another one should be heard.
void show_candidates(std::vector<Overlay>& overlays, const Lattice& lattice, std::span<const KeyPoint> candidates,
                     std::span<const Cell> linked);

}  // namespace outrider
