// The features of the world: the only file that names them all.
#include <vector>

#include "features/feature.hpp"

namespace outrider {

// A declaration for each: Feature NAME_feature();
Feature second_radio_feature();

namespace {

/// In the order of their names.
const std::vector<Feature>& features() {
    static const std::vector<Feature> all{
        // A line for each: NAME_feature(),
        second_radio_feature(),
    };
    return all;
}

template <class Part, class Of>
std::vector<Part> collect(Of&& of) {
    std::vector<Part> out;
    for (const Feature& feature : features()) of(feature, out);
    return out;
}

}  // namespace

std::span<const ScenarioFeature> scenario_features() {
    static const auto all = collect<ScenarioFeature>([](const Feature& f, auto& out) { out.push_back(f.scenario); });
    return all;
}

std::span<RobotPartFactory* const> robot_features() {
    static const auto all = collect<RobotPartFactory*>([](const Feature& f, auto& out) {
        if (f.robot) out.push_back(f.robot);
    });
    return all;
}

std::span<const MetricGroup* const> metric_features() {
    static const auto all = collect<const MetricGroup*>([](const Feature& f, auto& out) {
        if (f.metrics) out.push_back(f.metrics);
    });
    return all;
}

std::span<const scene::LayerKind> scene::layer_features() {
    static const auto all = collect<scene::LayerKind>([](const Feature& f, auto& out) {
        if (f.layer) out.push_back(f.layer());
    });
    return all;
}

std::span<const EventFeature> event_features() {
    static const auto all = collect<EventFeature>([](const Feature& f, auto& out) {
        if (f.events.find) out.push_back(f.events);
    });
    return all;
}

}  // namespace outrider
