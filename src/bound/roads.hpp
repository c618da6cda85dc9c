// Where robots of a team that knows the map can stand, and the ways between: a lattice of nodes, and some of these as
// places to look from.
#pragma once

#include <cstdint>
#include <vector>

#include "bound/sight.hpp"

namespace outrider {

class Roads {
  public:
    /// Nodes in all that every robot of the team can reach, and at their starts; places so that all blocks of `targets`
    /// that can be seen from nodes are seen from some place.
    Roads(const BoundTask& task, const Blocks& targets);

    int nodes() const { return static_cast<int>(cells_.size()); }
    Cell cell(int node) const { return cells_[static_cast<std::size_t>(node)]; }
    /// By node, what is seen from it all around, by direction: sector k begins at k * 45 degrees.
    static constexpr int sectors = 8;
    const BitBox& seen(int node, int sector) const { return seen_[static_cast<std::size_t>(node * sectors + sector)]; }
    const BitBox& seen(int node) const { return all_seen_[static_cast<std::size_t>(node)]; }

    /// It turned out that the block is not seen from the node.
    void forget(int node, Cell block);

    int places() const { return static_cast<int>(place_nodes_.size()); }
    int node_of(int place) const { return place_nodes_[static_cast<std::size_t>(place)]; }
    /// The place where a robot of the team starts.
    int start(int mover) const { return starts_[static_cast<std::size_t>(mover)]; }
    /// Others near it, the nearest first.
    const std::vector<int>& near(int place) const { return near_[static_cast<std::size_t>(place)]; }
    /// In cells, between places that can be reached from each other.
    double length(int from, int to) const {
        return lengths_[static_cast<std::size_t>(from) * place_nodes_.size() + static_cast<std::size_t>(to)];
    }
    bool joined(int from, int to) const { return length(from, to) < far; }
    /// The next node on the way to a place, and how far it is.
    struct Hop {
        int node;
        double length;
    };
    Hop towards(int place, int node) const;

  private:
    struct Edge {
        int to;
        float length;
    };
    static constexpr float far = 1e9F;
    void join_nodes(const BoundTask& task, const Blocks& nodes, const Grid<std::uint8_t>& open);
    void look(const BoundTask& task, const Blocks& targets);
    void choose_places(const BoundTask& task, const Blocks& targets);
    void find_lengths();

    std::vector<Cell> cells_, lattice_;     // by node; of its block
    std::vector<std::vector<Edge>> edges_;  // by node
    std::vector<BitBox> seen_, all_seen_;
    std::vector<int> place_nodes_, starts_;
    std::vector<float> lengths_;      // by place and place
    std::vector<std::uint8_t> next_;  // by place and node: which edge leads there
    std::vector<std::vector<int>> near_;
};

/// Whether the straight line between the middles of two cells stays in cells of `open`.
bool straight(const Grid<std::uint8_t>& open, Cell from, Cell to);
/// Whether a robot of the team gets only a cell or two far in a step: ways then go from node to node, as far as a step.
bool coarse(const BoundTask& task);
/// Nonzero: cells that every robot of the team can reach.
Grid<std::uint8_t> common_reach(const BoundTask& task);

}  // namespace outrider
