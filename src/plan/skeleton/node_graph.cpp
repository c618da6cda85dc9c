#include "plan/skeleton/node_graph.hpp"

#include <algorithm>
#include <tuple>

#include "outrider/error.hpp"

namespace outrider {

NodeId NodeGraph::add(Cell cell) {
    if (unused_.empty()) {
        nodes_.push_back({cell, {}});
        return static_cast<NodeId>(nodes_.size() - 1);
    }
    const NodeId n = unused_.back();
    unused_.pop_back();
    nodes_[static_cast<std::size_t>(n)].cell = cell;
    return n;
}

void NodeGraph::remove(NodeId n) {
    OUTRIDER_CHECK(edges(n).size(), ==, 0u);
    unused_.push_back(n);
}

void NodeGraph::disconnect(TileCoord t, const std::vector<Crossing>& crossings) {
    for (const Crossing& c : crossings)
        for (const NodeId n : {c.node, c.other})
            std::erase_if(nodes_[static_cast<std::size_t>(n)].edges, [&](const Edge& e) { return e.tile == t; });
}

void NodeGraph::connect(TileCoord t, const std::vector<Crossing>& crossings) {
    for (const Crossing& c : crossings) {
        nodes_[static_cast<std::size_t>(c.node)].edges.push_back({c.other, c.cost, c.from, c.to, t});
        nodes_[static_cast<std::size_t>(c.other)].edges.push_back({c.node, c.cost, c.to, c.from, t});
    }
}

NodeGraph::Path NodeGraph::search(const std::vector<Access>& starts, const std::vector<Access>& goals,
                                  Cell goal) const {
    struct Visit {
        std::uint32_t search = 0, cost = 0;
        NodeId parent = -1;
        const Edge* edge = nullptr;
    };
    thread_local std::vector<Visit> visits;
    thread_local std::uint32_t search = 0;
    ++search;
    if (visits.size() < nodes_.size()) visits.resize(nodes_.size());
    struct Entry {
        std::uint32_t estimate;
        Cell cell;  ///< of equal estimates the first by row, then column: ids in the graph depend on its history
        NodeId node;
        bool operator<(const Entry& o) const { return std::tie(o.estimate, o.cell) < std::tie(estimate, cell); }
    };
    std::vector<Entry> open;
    const auto reach = [&](NodeId n, std::uint32_t cost, NodeId parent, const Edge* edge) {
        Visit& v = visits[static_cast<std::size_t>(n)];
        if (v.search == search) {
            const bool as_good =
                v.cost == cost && v.edge && edge &&
                std::tuple(cell(parent), edge->from, edge->to) < std::tuple(cell(v.parent), v.edge->from, v.edge->to);
            if (v.cost <= cost && !as_good) return;
        }
        v = {search, cost, parent, edge};
        open.push_back({cost + octile_cost(cell(n), goal), cell(n), n});
        std::push_heap(open.begin(), open.end());
    };
    for (const Access& start : starts) reach(start.node, start.cost, -1, nullptr);
    std::uint32_t best = no_bound;
    Path path;
    while (!open.empty() && open.front().estimate < best) {
        const auto [estimate, at, n] = open.front();
        std::pop_heap(open.begin(), open.end());
        open.pop_back();
        const std::uint32_t cost = visits[static_cast<std::size_t>(n)].cost;
        if (estimate != cost + octile_cost(at, goal)) continue;  // a shorter path was found since
        for (const Access& end : goals)
            if (end.node == n && cost + end.cost < best) {
                best = cost + end.cost;
                path.last = n;
            }
        if (cost > most_cost) continue;
        for (const Edge& edge : edges(n)) reach(edge.other, cost + edge.cost, n, &edge);
    }
    if (path.last < 0) return path;
    for (path.first = path.last; visits[static_cast<std::size_t>(path.first)].parent >= 0;) {
        const Visit& v = visits[static_cast<std::size_t>(path.first)];
        path.edges.push_back(v.edge);
        path.first = v.parent;
    }
    std::reverse(path.edges.begin(), path.edges.end());
    return path;
}

}  // namespace outrider
