// Which places a team should take so that all of them are linked, and who goes where.
#pragma once

#include <functional>
#include <vector>

namespace outrider {

/// Neighbours of each vertex, by number; symmetric.
using Neighbours = std::vector<std::vector<int>>;

/// Grows a connected set of vertices from `root`, greedily (after the second stage of Banfi, Quattrini Li, Rekleitis,
/// Amigoni & Basilico, Autonomous Robots 2018): first to each of `terminals` over the fewest new vertices. Then again
/// and again to the vertex with the largest gain per new vertex on the shortest path to it (equal ones: the lowest),
/// until `most` vertices besides the root are in, or no path that fits leads to any gain. `left(chosen, other)`: the
/// factor on the gain of another vertex once one is chosen. Result: the added vertices in order, without the root;
/// terminals that cannot be reached are left out.
std::vector<int> grow_connected(const Neighbours& graph, int root, std::vector<double> gain,
                                const std::vector<int>& terminals, std::size_t most,
                                const std::function<double(int chosen, int other)>& left);

/// For each column a row such that the largest cost is least (bottleneck assignment); rows at least as many as columns,
/// costs[row][column] may be infinite. Among those, by augmenting paths in the order of columns and rows. -1: no row is
/// left that can take the column.
std::vector<int> bottleneck_assignment(const std::vector<std::vector<double>>& costs, std::size_t columns);

}  // namespace outrider
