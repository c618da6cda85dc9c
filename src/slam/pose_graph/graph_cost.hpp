// What optimising a graph from a file would cost, before it is paid.
#pragma once

#include <string>

#include "slam/pose_graph/pose_graph.hpp"

namespace outrider {

/// Throws TooMuchMemory, which names the file, where so many loops cross that the factor of the system of equations
/// would take more than memory_budget(); Error, where it would take more than some seconds to make.
void expect_affordable_graph(const PoseGraph& graph, const std::string& path);

}  // namespace outrider
