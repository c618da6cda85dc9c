// Ground that slows robots down, and lines of equal height.
#include "scenario/scenario.hpp"
#include "scene/stage.hpp"
#include "scene/still.hpp"

namespace outrider::scene {

LayerKind ground_layer() {
    return {{"ground",
             "Ground",
             "where the ground slows robots down, the darker the more",
             Group::map,
             false,
             {{"slow ground", Shape::cells, Hue::brown, 0.6}}},
            [](const Scenario& s) {
                if (!s.layers.ground) return still({});
                const Grid<std::uint8_t>& percent = *s.layers.ground;
                std::vector<Item> items;
                constexpr int classes = 4;  // shades
                for (int k = 0; k < classes; ++k) {
                    const auto in_class = [&](Cell c) {
                        const int slower = 100 - percent[c];
                        return slower > 0 && std::min(classes - 1, slower * classes / 91) == k;
                    };
                    items.push_back({.strength = 0.25 + 0.75 * (k + 1) / classes, .runs = runs_on(s, in_class)});
                }
                return still(std::move(items));
            }};
}

LayerKind height_layer() {
    return {{"height",
             "Heights",
             "lines of equal height, nine between the lowest and the highest place",
             Group::map,
             false,
             {{"line of equal height", Shape::cells, Hue::brown, 0.6}}},
            [](const Scenario& s) {
                if (!s.layers.height) return still({});
                const Grid<std::uint16_t>& heights = *s.layers.height;
                constexpr std::uint32_t bands = 10;
                const auto band = [&](Cell c) { return heights[c] * bands / 65536; };
                const auto differs = [&](Cell c, Cell next) { return heights.contains(next) && band(next) != band(c); };
                return still({{.runs = runs_on(s, [&](Cell c) {
                                   return !s.walls[c] && (differs(c, c + Cell{1, 0}) || differs(c, c + Cell{0, 1}));
                               })}});
            }};
}

}  // namespace outrider::scene
