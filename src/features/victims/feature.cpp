// People to be found, [victims] and [[victim]]: what there is of them, in one place.
#include "features/feature.hpp"

namespace outrider {
namespace scene {
LayerKind victim_layer();
}  // namespace scene

RobotPartFactory make_victim_log_part;
RobotPartFactory make_cleared_floor_part;
RobotPartFactory make_thermal_search_part;
extern const MetricGroup victim_metrics, clearing_metrics, clearing_victim_metrics;
EventFeature victims_events();
ScenarioFeature victims_scenario();

Feature victims_feature() {
    return {.scenario = victims_scenario(),
            .robot = {make_victim_log_part, make_cleared_floor_part},
            .metrics = {&victim_metrics, &clearing_metrics, &clearing_victim_metrics},
            .layers = {scene::victim_layer()},
            .events = victims_events()};
}

/// Apart, and first: what other features decide, such as to charge, takes precedence over looks.
Feature thermal_search_feature() { return {.scenario = {}, .robot = {make_thermal_search_part}}; }

}  // namespace outrider
