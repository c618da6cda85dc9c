// Walls of glass, [glass]: what there is of them, in one place.
#include "features/feature.hpp"

namespace outrider {
namespace scene {
LayerKind glass_layer();
}  // namespace scene

ScenarioFeature glass_scenario();

Feature glass_feature() { return {.scenario = glass_scenario(), .layers = {scene::glass_layer()}}; }

}  // namespace outrider
