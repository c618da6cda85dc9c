// [radio2]: a second radio of every robot, which reaches farther and carries little. All of it in one place.
#include "features/feature.hpp"
#include "features/second_radio/world.hpp"

namespace outrider {

extern const MetricGroup second_radio_metrics;
scene::LayerKind second_radio_layer();

Feature second_radio_feature() {
    return {.scenario = second_radio_scenario(), .metrics = {&second_radio_metrics}, .layers = {second_radio_layer()}};
}

}  // namespace outrider
