// A graph of the space that a robot can pass, for long paths that need not be the very shortest: nodes on the skeleton,
// every cell assigned to the node nearest to it by path length, an edge where the cells of two nodes touch. Kept up to
// date as the map grows. (Spirin, de Hoog, Visser & Cameron, RoboCup 2014, section 2.5.)
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "outrider/path.hpp"
#include "plan/skeleton/skeleton.hpp"

namespace outrider {

class TopologicalMap {
  public:
    TopologicalMap();
    ~TopologicalMap();
    TopologicalMap(TopologicalMap&&) noexcept;
    TopologicalMap& operator=(TopologicalMap&&) noexcept;

    /// Takes in what changed since the last call.
    void update(const NavMap& nav);

    /// A path through the graph, its bends straightened where the direct path is free; never shorter than the shortest.
    /// Start and goal passable, the map that of the last update. Nothing when the graph does not connect them: they lie
    /// next to each other, or where there is no skeleton.
    std::optional<Path> path(const NavMap& nav, Cell start, Cell goal) const;

    const Skeleton& skeleton() const { return skeleton_; }
    /// Cells of all nodes, by row, then column.
    std::vector<Cell> nodes() const;
    /// The node that is nearest to a cell by path length.
    std::optional<Cell> node_of(Cell c) const;
    struct Edge {
        Cell a, b;           ///< nodes, a < b
        std::uint32_t cost;  ///< of the path between them over the cells of both
    };
    /// By nodes.
    std::vector<Edge> edges() const;

    struct Counters {
        std::uint64_t cells_changed = 0;  ///< cells that got another node, or another path to it
        std::uint64_t cells_touched = 0;  ///< cells looked at for that
        std::uint64_t tiles_crossed = 0;  ///< tiles in which edges were looked for anew
        std::uint64_t rebuilds = 0;
    };
    Counters counters() const;

  private:
    struct Impl;
    Skeleton skeleton_;
    std::unique_ptr<Impl> impl_;
};

}  // namespace outrider
