// Kinds of layers that are no part of src/features/ yet.
#pragma once

#include "scene/stage.hpp"

namespace outrider::scene {

LayerKind victim_layer();
LayerKind operator_layer();

}  // namespace outrider::scene
