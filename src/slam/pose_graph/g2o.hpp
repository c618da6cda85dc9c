// Files of pose graphs as g2o has them: nodes (VERTEX_SE2), landmarks (VERTEX_XY), edges (EDGE_SE2), sightings of
// landmarks (EDGE_SE2_XY), priors (EDGE_PRIOR_SE2) and FIX, a line each. Read, too: VERTEX2 and EDGE2 of TORO
// (Grisetti et al. 2007, .graph), whose edges have the six numbers of the information matrix in another order.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/input.hpp"
#include "slam/pose_graph/pose_graph.hpp"

namespace outrider {

struct G2oFile {
    PoseGraph graph;
    std::vector<std::int64_t> ids;           ///< of each node, as the file numbers them
    std::vector<std::int64_t> landmark_ids;  ///< of each landmark
    /// Lines of data right after a node in the file, such as its scan, with the number of the node in `graph`.
    std::vector<std::pair<int, std::string>> data;
    std::vector<std::string> others;    ///< lines that are not read: they are written again as they are
    std::map<std::string, int> unread;  ///< how many of both begin with which word
    bool without_poses = false;         ///< only edges, as in files of SE-Sync: poses are along a tree of them
};

/// A file without any VERTEX has the nodes that its edges name, by number, at poses_along_tree (spanning_tree.hpp), and
/// landmarks where they were first seen from there.
/// Throws Error "FILE:LINE: ..." for nodes that are missing or named twice, numbers that cannot be, words that are not
/// known, an edge from a node to itself, and an information matrix that is not positive definite.
G2oFile parse_g2o(std::string_view text, const std::string& name);
G2oFile read_g2o(const std::string& path);
/// The kinds of files that are read.
std::span<const FileFormat> graph_formats();
/// As g2o has it. Numbers are written so that they are read as the same doubles.
std::string write_g2o(const G2oFile& file);

}  // namespace outrider
