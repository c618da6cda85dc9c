// What a feature of src/features/ is in a scenario: options, checks, what it does not go with, a part of the world.
#pragma once

#include <memory>
#include <span>

#include "messages/feature_options.hpp"
#include "scenario/exclusions.hpp"
#include "simulator/world_part.hpp"

namespace outrider {

struct Scenario;

struct ScenarioFeature {
    /// Its section, "magnet", and a maker of its options.
    const char* section = "";
    const char* after = "";  ///< the section after which it stands in a resolved scenario; "": the last one
    std::unique_ptr<FeatureOptions> (*options)() = nullptr;
    /// As people call it, an example, and how a scenario asks for it.
    ScenarioPart part{};
    /// Parts that it does not go with, and why.
    std::span<const Exclusion> excludes{};
    /// Once the map and the team are there. Throws Error with what was expected; nullptr: any values are right.
    void (*check)(const Scenario&) = nullptr;
    /// nullptr: the scenario does not ask for it.
    std::unique_ptr<WorldPart> (*world)(const Scenario&) = nullptr;
};

/// All features, in the order of their names (src/features/list.cpp).
std::span<const ScenarioFeature> scenario_features();

}  // namespace outrider
