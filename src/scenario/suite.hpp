// A suite: maps with frozen content on which strategies are compared, under a name that a paper can cite.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "scenario/scenario.hpp"

namespace outrider {

struct SuiteMap {
    std::string file, hash;
    double x_m = 0, y_m = 0;
    void fields(Fields& f) {
        f("file", file, "map, relative to the suite");
        f("hash", hash, "hash of its content");
        f("x_m", x_m, 0, 1e6, "place of the base station, from the left edge of the map");
        f("y_m", y_m, 0, 1e6, "place of the base station, from the lower edge of the map");
    }
};

/// A suite file is a scenario file with `[[maps]]` in place of map.file and `[[base]]`, and with the versions of the
/// metrics that belong to it in `[metrics]`. With `maps_from = "who has them"` its maps are other people's, and are
/// looked for in the folders that the environment names in OUTRIDER_MAP_FOLDERS, with colons between them.
struct Suite {
    std::string name;  ///< "office-12@1"; another version when anything in it changes
    std::vector<SuiteMap> maps;
    std::vector<std::pair<std::string, int>> metrics;  ///< name, version
    ConfigTable common;                                ///< what else the scenarios share
    std::string folder;
    std::string maps_from;  ///< who has the maps, when they do not come with the suite; otherwise empty

    /// The content of a scenario file for map i. Throws Error when the map is somewhere else and is not found.
    ConfigTable config(std::size_t i) const;
    /// The scenario on map i. Throws Error when the map's content is not what the suite says.
    Scenario scenario(std::size_t i, Notes& notes) const;
};

/// Another folder in which named scenarios and suites are looked for, after those beside the program. Before anything
/// is looked for: it is no part of a run.
void add_shipped_folder(const std::string& folder);
/// The file that the name of a scenario or suite refers to: a path, from `folder` or from here; or a name in
/// environments/, here or as the project brings it, or in the folder above `folder`, that of a sweep file ("": there is
/// none). Throws Error when there is none.
std::string file_of(const std::string& name, const std::string& folder = "");

/// Whether a file that was read is a suite.
bool is_suite(const ConfigTable& config);
/// Throws Error; also when a metric has another version in this program.
Suite make_suite(ConfigTable config, const std::string& path);

}  // namespace outrider
