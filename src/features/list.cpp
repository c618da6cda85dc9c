// The features of the world: the only file that names them all.
#include <vector>

#include "features/feature.hpp"

namespace outrider {

// A declaration for each: Feature NAME_feature();
Feature thermal_search_feature();
Feature failures_feature();
Feature changes_feature();
Feature battery_feature();
Feature ground_feature();
Feature glass_feature();
Feature smoke_feature();
Feature hazards_feature();
Feature people_feature();
Feature floor_plan_feature();
Feature second_radio_feature();
Feature operator_feature();
Feature victims_feature();
Feature region_feature();

namespace {

/// In the order in which they are asked where no other order is given: checks, robots, metrics, layers, events.
const std::vector<Feature>& features() {
    // clang-format off
    static const std::vector<Feature> all{
        // A line for each: NAME_feature(),
        thermal_search_feature(),
        failures_feature(),
        changes_feature(),
        battery_feature(),
        ground_feature(),
        glass_feature(),
        smoke_feature(),
        hazards_feature(),
        people_feature(),
        floor_plan_feature(),
        second_radio_feature(),
        operator_feature(),
        victims_feature(),
        region_feature(),
    };
    // clang-format on
    return all;
}

template <class Part, class Of>
std::vector<Part> collect(Of&& of) {
    std::vector<Part> out;
    for (const Feature& feature : features())
        for (const Part& part : of(feature)) out.push_back(part);
    return out;
}

}  // namespace

std::span<const ScenarioFeature> scenario_features() {
    static const auto all = collect<ScenarioFeature>([](const Feature& f) { return std::span(&f.scenario, 1); });
    return all;
}

std::span<RobotPartFactory* const> robot_features() {
    static const auto all = collect<RobotPartFactory*>([](const Feature& f) { return f.robot; });
    return all;
}

std::span<const MetricGroup* const> metric_features() {
    static const auto all = collect<const MetricGroup*>([](const Feature& f) { return f.metrics; });
    return all;
}

std::span<const scene::LayerKind> scene::layer_features() {
    static const auto all = collect<scene::LayerKind>([](const Feature& f) { return f.layers; });
    return all;
}

std::span<const EventFeature> event_features() {
    static const auto all = collect<EventFeature>([](const Feature& f) { return std::span(&f.events, 1); });
    return all;
}

}  // namespace outrider
