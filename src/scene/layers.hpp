// The kinds of layers that there are, by what they show.
#pragma once

#include "scene/stage.hpp"

namespace outrider::scene {

LayerKind ground_layer();
LayerKind height_layer();
LayerKind smoke_layer();
LayerKind glass_layer();
LayerKind hazard_layer();
LayerKind people_layer();
LayerKind victim_layer();
LayerKind battery_layer();
LayerKind failure_layer();
LayerKind operator_layer();

}  // namespace outrider::scene
