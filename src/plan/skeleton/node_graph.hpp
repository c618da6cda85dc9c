// A graph of places whose edges are added and removed, and A* over it.
#pragma once

#include <vector>
#include "outrider/detail/nav_map.hpp"

#include "outrider/path.hpp"

namespace outrider {

using NodeId = std::int32_t;

/// The shortest path found between two nodes: from a cell of one to the adjacent cell of the other.
struct Crossing {
    NodeId node, other;
    std::uint32_t cost;
    Cell from, to;
};

class NodeGraph {
  public:
    struct Edge {
        NodeId other;
        std::uint32_t cost;
        Cell from, to;
        TileCoord tile;  ///< of the crossing
    };
    /// A node and what it costs to get from it to some cell, or from there to it.
    struct Access {
        NodeId node;
        std::uint32_t cost;
    };
    /// The node where a path begins, its edges, and the node where it ends; -1: there is none.
    struct Path {
        NodeId first = -1, last = -1;
        std::vector<const Edge*> edges;
    };

    NodeId add(Cell cell);
    /// One without edges; its id is given to another one later.
    void remove(NodeId n);
    /// Takes the edges of these crossings away, or adds them, in both directions.
    void disconnect(TileCoord t, const std::vector<Crossing>& crossings);
    void connect(TileCoord t, const std::vector<Crossing>& crossings);

    Cell cell(NodeId n) const { return nodes_[static_cast<std::size_t>(n)].cell; }
    const std::vector<Edge>& edges(NodeId n) const { return nodes_[static_cast<std::size_t>(n)].edges; }

    /// The cheapest path from any of the starts to any of the goals, each with the cost of the path beyond it. No path
    /// beyond may be shorter than octile_cost gives. The result does not depend on the order in which nodes were added.
    Path search(const std::vector<Access>& starts, const std::vector<Access>& goals, Cell goal) const;

  private:
    struct Node {
        Cell cell;
        std::vector<Edge> edges;
    };
    std::vector<Node> nodes_;
    std::vector<NodeId> unused_;
};

}  // namespace outrider
