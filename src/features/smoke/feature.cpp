// Smoke, [[smoke]]: what there is of it, in one place.
#include "features/feature.hpp"

namespace outrider {
namespace scene {
LayerKind smoke_layer();
}  // namespace scene

ScenarioFeature smoke_scenario();

Feature smoke_feature() { return {.scenario = smoke_scenario(), .layers = {scene::smoke_layer()}}; }

}  // namespace outrider
