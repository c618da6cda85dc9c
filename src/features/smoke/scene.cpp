#include "features/smoke/options.hpp"
#include "scene/stage.hpp"
#include "scene/still.hpp"

namespace outrider::scene {

LayerKind smoke_layer() {
    return {
        {"smoke", "Smoke", "where beams are lost", Group::map, false, {{"smoke", Shape::disc, Hue::faint, 0.45}}},
        [](const Scenario& s) {
            std::vector<Item> items;
            for (const SmokeEntry& disc : s.lists.get<SmokeEntry>())
                items.push_back({.radius_m = disc.radius_m, .points = {Point{disc.x_m, disc.y_m} - s.team_origin_m()}});
            return still(std::move(items));
        }};
}

}  // namespace outrider::scene
