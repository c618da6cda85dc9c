// Map files as truth: what a pixel means is said by the scenario, never guessed from the picture.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "base/image.hpp"
#include "outrider/grid.hpp"
#include "outrider/hash.hpp"
#include "outrider/options.hpp"

namespace outrider {

inline constexpr std::array<std::string_view, 2> channels_names{"mean", "first"};

struct MapOptions {
    std::string file;
    double cell_m = 0.1;
    double occupied_thresh = 0.65;
    bool negate = false;
    Channels channels = Channels::mean;

    void fields(Fields& f) {
        f("file", file, "PNG image of the map, one pixel per cell, relative to the scenario");
        f("cell_m", cell_m, 0.001, 100, "edge of a cell");
        f("occupied_thresh", occupied_thresh, 0, 1,
          "a pixel darker than this share of black is a wall (as in ROS map_server)");
        f("negate", negate, "bright pixels are walls instead of dark ones");
        f("channels", channels, channels_names,
          "how a colour becomes grey: the mean of red, green and blue, or red alone");
    }
};

/// Cells of the map, nonzero: wall. Cell (0, 0) is the lower left pixel. Throws Error.
Grid<std::uint8_t> load_map(const MapOptions& options, const std::string& path);

/// Hash of size, cell size and cells.
Hash128 map_hash(const Grid<std::uint8_t>& walls);

}  // namespace outrider
