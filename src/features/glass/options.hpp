// Walls of glass: [glass].
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "grid/grid.hpp"
#include "messages/feature_options.hpp"

namespace outrider {

struct Scenario;

struct GlassOptions final : FeatureOptionsOf<GlassOptions> {
    std::string file;
    double share = 0, seen_deg = 10;
    void fields(Fields& f) override {
        f("file", file, "an image of the map's size: walls are of glass where it is dark");
        f("share", share, 0, 1, "instead: the share of squares of 2 m in which all walls are of glass");
        f("seen_deg", seen_deg, 0, 90, "beams that meet glass within this angle of the perpendicular see it");
    }
    bool any() const override { return !file.empty() || share > 0; }
    bool in_every_scenario() const override { return true; }
};

/// Nonzero cells: walls there are of glass. Of the map's frame; from the image at `path`, or drawn with the seed.
/// Throws Error.
std::shared_ptr<const Grid<std::uint8_t>> read_glass(const Scenario& s, const std::string& path);
std::shared_ptr<const Grid<std::uint8_t>> draw_glass(const Scenario& s);

}  // namespace outrider
