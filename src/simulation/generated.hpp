// Scenarios on generated maps: another one for each seed.
#pragma once

#include "simulation/simulation.hpp"

namespace outrider {

/// Scenarios whose map a family draws by their seed: `options` are those of the family ("rubble"), `config` all that a
/// scenario says but its map and its seed. Where it names no base, one stands in the map's start area. What it makes
/// throws Error as make_scenario() and generate() do.
ScenarioMaker generated_scenarios(const std::string& family, std::vector<Setting> options, ConfigTable config);

}  // namespace outrider
