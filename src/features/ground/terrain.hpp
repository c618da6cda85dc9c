// The ground of a scenario, [terrain]: how fast robots are where, from images, from heights, or drawn by chance.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "grid/grid.hpp"
#include "messages/feature_options.hpp"

namespace outrider {

struct Scenario;

inline constexpr double highest_block_m = 0.2;

struct TerrainOptions final : FeatureOptionsOf<TerrainOptions> {
    std::string speed, height;
    double height_m = 1, hills_m = 0, step_share = 0, rough_share = 0, rough_speed = 0.3, patch_m = 3;
    void fields(Fields& f) override {
        f("speed", speed,
          "an image of the map's size: how fast robots are there, from white, at their speed, to black, at a tenth");
        f("height", height,
          "an image of the map's size: how high the ground is; a slope of s slows robots down to 1 - s / tan 20 "
          "degrees");
        f("height_m", height_m, 0, 100, "the height that white stands for");
        f("hills_m", hills_m, 0, 100, "instead of an image: hills by chance, so high at most and about patch_m wide");
        f("step_share", step_share, 0, 1,
          "likewise: share of squares of 1.2 m with blocks on the floor, 0.1 m wide and up to 0.2 m high");
        f("rough_share", rough_share, 0, 1, "share of the free space with rough ground, in patches by chance");
        f("rough_speed", rough_speed, 0.1, 0.75, "share of their speed that robots make in these patches");
        f("patch_m", patch_m, 0.5, 100, "how large patches and hills are, about");
    }
    bool has_images() const { return !speed.empty() || !height.empty(); }
    bool has_height() const { return !height.empty() || draws_height(); }
    bool draws_height() const { return hills_m > 0 || step_share > 0; }
    bool any() const override { return has_images() || draws_height() || rough_share > 0; }
    bool in_every_scenario() const override { return true; }
    /// How high the highest place can be.
    double top_m() const { return draws_height() ? hills_m + (step_share > 0 ? highest_block_m : 0) : height_m; }
};

const TerrainOptions& terrain_of(const Scenario& s);

/// Heights from 0 to 65535, which stands for top_m(), by cell of the map's frame: of an image (throws Error), or hills
/// and steps, which depend on the seed.
std::shared_ptr<const Grid<std::uint16_t>> read_height(const Scenario& s, const std::string& path);
std::shared_ptr<const Grid<std::uint16_t>> draw_height(const Scenario& s);

/// Per cent of the speed on level floor by cell of the map's frame, see Ground: from the image of speeds if there is
/// one, slopes and patches, the slowest of them.
std::shared_ptr<const Grid<std::uint8_t>> make_ground(const Scenario& s, const Grid<std::uint16_t>* speed);

}  // namespace outrider
