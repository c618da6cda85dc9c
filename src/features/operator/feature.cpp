// Orders of an operator, [operator]: what there is of them, in one place.
#include "features/feature.hpp"

namespace outrider {
namespace scene {
LayerKind operator_layer();
}  // namespace scene

RobotPartFactory make_operator_part, make_order_desk_part;
extern const MetricGroup order_metrics;
ScenarioFeature operator_scenario();

Feature operator_feature() {
    return {.scenario = operator_scenario(),
            .robot = {make_operator_part, make_order_desk_part},
            .metrics = {&order_metrics},
            .layers = {scene::operator_layer()}};
}

}  // namespace outrider
