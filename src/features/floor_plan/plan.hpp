// What robots are told of the building beforehand, [prior]: a plan, which may be old, shifted, or full of holes.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "grid/grid.hpp"
#include "messages/feature_options.hpp"

namespace outrider {

struct Scenario;

enum class PriorFrom { none, map };
inline constexpr std::array<std::string_view, 2> prior_from_names{"none", "map"};

struct PriorOptions final : FeatureOptionsOf<PriorOptions> {
    PriorFrom from = PriorFrom::none;
    std::string file;
    double shift_x_m = 0, shift_y_m = 0, turn_deg = 0, scale = 1;
    double missing_walls = 0, invented_walls = 0, unknown_share = 0;

    void fields(Fields& f) override {
        f("from", from, prior_from_names, "map: a plan of the building, made of the true map");
        f("file", file,
          "instead: an image of the map's size; as dark as walls: wall, bright: free, in between: unknown");
        f("shift_x_m", shift_x_m, -1e4, 1e4, "the plan lies so far off to the right");
        f("shift_y_m", shift_y_m, -1e4, 1e4, "the plan lies so far off upwards");
        f("turn_deg", turn_deg, -180, 180, "the plan is turned so far to the left, around the middle of the map");
        f("scale", scale, 0.1, 10, "the plan is so many times too large, around the middle of the map");
        f("missing_walls", missing_walls, 0, 1, "from map: the share of squares of 2 m in which it shows no wall");
        f("invented_walls", invented_walls, 0, 1,
          "from map: the share of squares of 2 m with a wall that is not there");
        f("unknown_share", unknown_share, 0, 1, "from map: the share of squares of 6 m of which it says nothing");
    }
    bool any() const override { return from != PriorFrom::none || !file.empty(); }
    bool in_every_scenario() const override { return true; }
};

/// Reads the plan of a scenario whose map is loaded; `path` is that of prior.file. Cells of the map's frame; the values
/// are those of PlanCell. Throws Error.
std::shared_ptr<const Grid<std::uint8_t>> read_prior(const Scenario& s, const std::string& path);

/// The plan made of the true map, with its errors, which depend on the seed. Likewise.
std::shared_ptr<const Grid<std::uint8_t>> draw_prior(const Scenario& s);

}  // namespace outrider
