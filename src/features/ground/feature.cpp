// Ground that is rough or not level, [terrain]: what there is of it, in one place.
#include "features/feature.hpp"

namespace outrider {
namespace scene {
LayerKind ground_layer();
LayerKind height_layer();
}  // namespace scene

RobotPartFactory make_tilted_beams_part;
RobotPartFactory make_ground_marks_part;
extern const MetricGroup ground_metrics;
ScenarioFeature ground_scenario();

Feature ground_feature() {
    return {.scenario = ground_scenario(),
            .robot = {make_tilted_beams_part, make_ground_marks_part},
            .metrics = {&ground_metrics},
            .layers = {scene::ground_layer(), scene::height_layer()}};
}

}  // namespace outrider
