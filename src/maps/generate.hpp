// Generated maps: a family draws a place; afterwards it is repaired until it has the properties of every map.
#pragma once

#include <string>

#include "maps/family.hpp"
#include "outrider/detail/settings.hpp"
#include "outrider/options.hpp"

namespace outrider {

/// Options of every family.
struct GenerateOptions {
    std::uint64_t seed = 1;
    int width = 600, height = 400;
    double cell_m = 0.1;
    double passage_m = 0.7;
    double start_m = 1.2;
    double rubble = 0;
    void fields(Fields& f) {
        f("seed", seed, "another seed gives another map");
        f("width", width, 40, 16'384, "cells from left to right");
        f("height", height, 40, 16'384, "cells from bottom to top");
        f("cell_m", cell_m, 0.01, 1, "side of a cell");
        f("passage_m", passage_m, 0, 5, "a disc of this diameter gets everywhere, but for corners; 0: a point does");
        f("start_m", start_m, 0.1, 50, "radius of the clear place where a team starts; at least half of passage_m");
        f("rubble", rubble, 0, 0.3, "share of the free space that is covered by small debris");
    }
};

struct GeneratedMap {
    Grid<std::uint8_t> walls;  ///< cell (0, 0): lower left; the outermost cells are walls
    Cell start;                ///< centre of the start area
    std::vector<Rect> doors;
    int rooms = 0;
    std::string command;  ///< makes the same map again; without the output options
};

/// Draws a map. Guaranteed: the free cells are 4-connected; a disc of diameter passage_m can drive from
/// `start` until its centre is within passage_m of any free cell; no wall is nearer to `start` than start_m. The same
/// arguments give the same cells on every machine. Throws Error when an option is out of range or the place does not
/// fit the size.
GeneratedMap generate(const FamilyInfo& family, Family& place, const GenerateOptions& options);
/// The same with the family's own size and options, except for `settings`: options of every family, or its own.
GeneratedMap generate(const std::string& family, std::vector<Setting> settings, std::uint64_t seed);

/// A scenario on such a map, as TOML: four robots and a base at its start area. `file`: the map's, relative to the
/// scenario's.
std::string scenario_text(const FamilyInfo& family, const GeneratedMap& map, std::uint64_t seed,
                          const std::string& file);

}  // namespace outrider
