// Fire and floods of a scenario: [[hazard]].
#pragma once

#include <memory>

#include "base/config.hpp"
#include "scenario/scenario.hpp"
#include "simulator/hazards.hpp"

namespace outrider {

/// What the images of a folder show (HazardEntry::frames), as runs: "column row length from until, ...", counted from
/// the lower left. The map is there. Throws Error.
std::string runs_of_frames(const Scenario& s, const HazardEntry& hazard, const std::string& folder);

/// Throws Error.
void read_hazards(ConfigTable& config, Scenario& s);

/// Once the map is there. Throws Error with what was expected.
void check_hazards(const Scenario& s);

/// What burns and what is flooded, in the map's frame; nullptr: nothing ever.
std::shared_ptr<const HazardField> hazard_field(const Scenario& s);
/// The same in the team's frame.
std::shared_ptr<const HazardField> placed_hazards(const Scenario& s);

}  // namespace outrider
