#include "scene/stage.hpp"
#include "scene/still.hpp"

namespace outrider::scene {

LayerKind glass_layer() {
    return {{"glass",
             "Glass",
             "walls of glass, which beams pass through",
             Group::map,
             false,
             {{"glass", Shape::cells, Hue::cyan, 0.9}}},
            [](const Scenario& s) {
                if (!s.layers.glass) return still({});
                return still({{.runs = runs_on(s, [&](Cell c) { return s.walls[c] && (*s.layers.glass)[c]; })}});
            }};
}

}  // namespace outrider::scene
