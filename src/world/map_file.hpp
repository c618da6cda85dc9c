// Map files as ground truth: the scenario defines what a pixel means; it is never guessed from the picture.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/image.hpp"
#include "grid/grid.hpp"
#include "outrider/detail/hash.hpp"
#include "outrider/detail/settings.hpp"
#include "outrider/geometry.hpp"
#include "outrider/options.hpp"

namespace outrider {

inline constexpr std::array<std::string_view, 2> channels_names{"mean", "first"};

/// What the unknown cells of a ROS map are. outside: free, but not in the region of interest.
enum class Unknown { wall, free, outside };
inline constexpr std::array<std::string_view, 3> unknown_names{"wall", "free", "outside"};

struct MapOptions {
    std::string file;
    double cell_m = 0.1;
    double occupied_thresh = 0.65;
    double free_thresh = NAN;  ///< NAN: not said; then a scenario is written without it
    bool negate = false;
    Channels channels = Channels::mean;
    Unknown unknown = Unknown::wall;
    bool unknown_by_format = false;       ///< read_map: the same file with `unknown` set is another map
    bool leave_unknown_out = false;       ///< where these options are written for that file
    std::vector<std::string> given = {};  ///< keys that somebody set: they win over the .yaml of a map

    void take_given(const std::vector<Setting>& settings) {
        for (const Setting& setting : settings) given.push_back(setting.key);
    }
    bool is_given(std::string_view key) const { return std::find(given.begin(), given.end(), key) != given.end(); }
    void fields(Fields& f) {
        f("file", file,
          "map, relative to the scenario: image (PNG, PGM, JPEG, BMP, ...), .yaml of ROS, .map of MovingAI, .txt of 0 "
          "and 1, world of Stage, JSON of HouseExpo, plan as SVG");
        f("cell_m", cell_m, 0.001, 100, "edge of a cell; unless set, that of the .yaml");
        f("occupied_thresh", occupied_thresh, 0, 1,
          "a pixel darker than this share of black is a wall (as in ROS map_server); unless set, that of the .yaml");
        f("free_thresh", free_thresh, 0, 1,
          "of a .yaml map: a pixel that is not darker than this share of black is free; unless set, that of the file");
        f("negate", negate, "bright pixels are walls instead of dark ones; unless set, that of the .yaml");
        f("channels", channels, channels_names,
          "how a colour becomes grey: the mean of red, green and blue, or red alone");
        if (!leave_unknown_out)
            f("unknown", unknown, unknown_names,
              "what the unknown cells of a .yaml map are; outside: free, but not to be explored nor measured, as what "
              "is "
              "not in a [region]; set, it also holds for the grey 205 of map savers");
    }
};

struct MapFile {
    Grid<std::uint8_t> walls;  ///< nonzero: wall; cell (0, 0) is the lower left pixel
    Pose origin;               ///< of the lower left corner, as a ROS map gives it; positions in scenarios ignore it
    std::vector<std::string> notes = {};     ///< for people: what was taken otherwise than the names of the files say
    std::vector<std::uint8_t> outside = {};  ///< nonzero: unknown, with Unknown::outside; empty: no cell is
};

/// Reads a map; images of all kinds (read_any_image) by their content, others by the ending of their names:
/// images  one pixel per cell, by the options; where a .yaml of the same name beside it names it, by that;
/// .yaml, .yml  map_server of ROS, by its mode, and alpha as in map_server; its resolution, thresholds and negate
/// replace those options that are not `given`; .map  MovingAI: '.', 'G' and 'S' are free, water is not; .txt  rows of 0
/// (free) and 1 (wall), blanks ignored; a .world of Stage: its image, as large and where it says; HouseExpo's .json:
/// the outline of a building; .svg: its lines are walls. The first row is the top. Throws Error when the file is none
/// of these, is larger than 65,535 on a side, or has no free cell.
MapFile read_map(MapOptions& options, const std::string& path);
inline Grid<std::uint8_t> load_map(MapOptions options, const std::string& path) {
    return read_map(options, path).walls;
}

/// Reads a plan of a building, in the files that read_map takes: 0 nothing is said of a cell, 1 free, 2 wall. In
/// images, what is too bright for a wall and darker than a fifth of black (0.196, as in ROS) says nothing. Throws Error
/// as read_map does, and where a .yaml map has other cells than `options`.
Grid<std::uint8_t> read_plan(const MapOptions& options, const std::string& path);

/// Writes .png (one bit per cell; `texts` become its text chunks) or .yaml with a .pgm beside it; never a partial file.
/// read_map gives the same cells again. Throws Error.
void write_map(const std::string& path, const MapFile& map, bool overwrite,
               const std::vector<std::pair<std::string, std::string>>& texts = {});

/// Hash of the content: size, cell size and cells.
Hash128 map_hash(const Grid<std::uint8_t>& walls);

}  // namespace outrider
