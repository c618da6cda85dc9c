#include "features/region/area.hpp"
#include "scene/still.hpp"

namespace outrider::scene {

LayerKind region_layer() {
    return {{"region",
             "Region of interest",
             "the outline of what the team explores and measures count",
             Group::map,
             false,
             {{"region of interest", Shape::segments, Hue::violet, 1, Knower::robot}}},
            [](const Scenario& s) {
                if (!s.features.get<RegionOptions>().any()) return still({});
                return still({{.points = region_outline(s)}});
            }};
}

}  // namespace outrider::scene
