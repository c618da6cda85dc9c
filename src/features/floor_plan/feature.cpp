// The plan of the building that robots are given, [prior]: what there is of it, in one place.
#include "features/feature.hpp"

namespace outrider {
namespace scene {
LayerKind plan_layer();
}  // namespace scene

RobotPartFactory make_plan_trust_part;
extern const MetricGroup plan_metrics;
ScenarioFeature floor_plan_scenario();

Feature floor_plan_feature() {
    return {.scenario = floor_plan_scenario(),
            .robot = {make_plan_trust_part},
            .metrics = {&plan_metrics},
            .layers = {scene::plan_layer()}};
}

}  // namespace outrider
