// Walls that change, [changes] and [[change]]: what there is of them, in one place.
#include "features/feature.hpp"

namespace outrider {

extern const MetricGroup change_metrics;
EventFeature changes_events();
ScenarioFeature changes_scenario();

Feature changes_feature() {
    return {.scenario = changes_scenario(), .metrics = {&change_metrics}, .events = changes_events()};
}

}  // namespace outrider
