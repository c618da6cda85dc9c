// [NAME]: a field that turns compasses. All of it in one place.
#include "features/feature.hpp"
#include "features/NAME/world.hpp"

namespace outrider {

RobotPartFactory make_NAME_part;
extern const MetricGroup NAME_metrics;
scene::LayerKind NAME_layer();
EventFeature NAME_events();

Feature NAME_feature() { return {NAME_scenario(), {make_NAME_part}, {&NAME_metrics}, {NAME_layer()}, NAME_events()}; }

}  // namespace outrider
