// Maps that are kept from one log to the next: scans, where they were taken, and what was measured between them. The
// file is a pose graph of g2o, in which a line ROBOTLASER1 of CARMEN follows each place where a scan was taken, so that
// other programs can read it, and `outrider graph` can optimise it.
//
//     SavedMap map = read_saved_map("monday.g2o");
//     PatchGraph before = patches_of(map);  // for make_slam()
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sensor_log/slam_log.hpp"
#include "slam/manifold/patch_graph.hpp"

namespace outrider {

/// A scan, and the time of its record in the log.
struct SavedScan {
    RecordedScan scan;
    double time_s = 0;
};

struct SavedMap {
    PoseGraph graph;                              ///< metres, radians, in the frame of the map
    std::vector<std::optional<SavedScan>> scans;  ///< one entry for each node; none: no scan was taken there
    Pose last() const { return graph.nodes.back(); }
};

/// Throws Error: not such a file, no scan in it, a scan that cannot be, or one 10 km away from the first.
SavedMap read_saved_map(const std::string& path);
/// The same of a text in memory; `name` stands in messages.
SavedMap parse_saved_map(std::string_view text, const std::string& name);
std::string write_saved_map(const SavedMap& map);
/// Its scans as patches, whose numbers are those of the nodes.
PatchGraph patches_of(const SavedMap& map);

/// What a run found out: its scans after those of the map it went on in (nullptr: none), and a last node where it
/// ended. Where the method measured nothing between scans, each is related to the one before: 5 cm, 1 degree.
SavedMap map_to_save(const SensorLog& log, const SlamRun& run, const SavedMap* before);

}  // namespace outrider
