// Poses of a graph whose file has none: edges added up along a tree.
#pragma once

#include "slam/pose_graph/pose_graph.hpp"

namespace outrider {

/// The first node of each piece at (0, 0, 0), and the others along the fewest edges from there, since each adds its
/// error; of equally few, along those that come first. Reads the edges alone.
std::vector<Pose> poses_along_tree(const PoseGraph& graph);

}  // namespace outrider
