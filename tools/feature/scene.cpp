// What there is to see of it.
#include "features/NAME/options.hpp"
#include "scene/still.hpp"

namespace outrider {

scene::LayerKind NAME_layer() {
    using namespace scene;
    return {{"NAME",
             "Title",
             "how far it turns compasses",
             Group::map,
             false,
             {{"within reach of the NAME", Shape::disc, Hue::violet, 0.25}, {"NAME", Shape::text, Hue::violet}}},
            [](const Scenario& s) -> std::unique_ptr<LayerSource> {
                const CamelOptions& o = s.features.get<CamelOptions>();
                if (!o.any()) return nullptr;
                const Point middle = Point{o.x_m, o.y_m} - s.team_origin_m();
                return still({{.meaning = 0, .radius_m = o.reach_m, .points = {middle}},
                              {.meaning = 1, .points = {middle}, .text = "NAME"}});
            }};
}

}  // namespace outrider
