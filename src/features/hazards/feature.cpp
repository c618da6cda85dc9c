// Fire and floods, [[hazard]]: what there is of them, in one place.
#include "features/feature.hpp"

namespace outrider {
namespace scene {
LayerKind hazard_layer();
}  // namespace scene

ScenarioFeature hazards_scenario();

Feature hazards_feature() { return {.scenario = hazards_scenario(), .layers = {scene::hazard_layer()}}; }

}  // namespace outrider
