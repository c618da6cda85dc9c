// Robots that fail, [failure] and [[event]]: what there is of them, in one place.
#include "features/feature.hpp"

namespace outrider {
namespace scene {
LayerKind failure_layer();
}  // namespace scene

extern const MetricGroup failure_metrics;
EventFeature failures_events();
ScenarioFeature failures_scenario();

Feature failures_feature() {
    return {.scenario = failures_scenario(),
            .metrics = {&failure_metrics},
            .layers = {scene::failure_layer()},
            .events = failures_events()};
}

}  // namespace outrider
