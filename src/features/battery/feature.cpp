// Batteries of robots, [battery]: what there is of them, in one place.
#include "features/feature.hpp"

namespace outrider {
namespace scene {
LayerKind battery_layer();
}  // namespace scene

RobotPartFactory make_energy_budget_part;
extern const MetricGroup battery_metrics;
EventFeature battery_events();
ScenarioFeature battery_scenario();

Feature battery_feature() {
    return {.scenario = battery_scenario(),
            .robot = {make_energy_budget_part},
            .metrics = {&battery_metrics},
            .layers = {scene::battery_layer()},
            .events = battery_events()};
}

}  // namespace outrider
