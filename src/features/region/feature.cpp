// A region of interest, [region]: what there is of it, in one place.
#include "features/feature.hpp"

namespace outrider {
namespace scene {
LayerKind region_layer();
}  // namespace scene

extern const MetricGroup region_metrics;
ScenarioFeature region_scenario();

Feature region_feature() {
    return {.scenario = region_scenario(), .metrics = {&region_metrics}, .layers = {scene::region_layer()}};
}

}  // namespace outrider
