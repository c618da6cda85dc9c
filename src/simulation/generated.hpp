// Scenarios on generated maps: a new map for each seed.
#pragma once

#include "outrider/detail/settings.hpp"
#include "simulation/simulation.hpp"

namespace outrider {

/// Scenarios whose map is drawn from a family by the seed: `options` are those of the family ("rubble"), `config` is
/// the rest of the scenario, without map and seed. If it names no base, one stands in the map's start area. The
/// function returned throws Error as make_scenario() and generate() do.
ScenarioMaker generated_scenarios(const std::string& family, std::vector<Setting> options, ConfigTable config);

}  // namespace outrider
