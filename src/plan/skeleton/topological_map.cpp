#include "plan/skeleton/topological_map.hpp"

#include <algorithm>
#include <tuple>

#include "plan/repaired_field.hpp"
#include "plan/skeleton/node_graph.hpp"
#include "plan/skeleton/skeleton.hpp"
#include "plan/straighten.hpp"

namespace outrider {
namespace {

/// Cells between two nodes of a tile, at least.
constexpr int spacing_cells = 16;

/// The path to the nearest node: its cost and the node's row and column in one number. The smaller number is the nearer
/// node, or of equally near ones the first. A map has up to 65,535 cells a side, on either side of cell (0, 0).
struct NodeRules {
    using Value = std::uint64_t;
    static constexpr Value none = ~Value{0};
    static constexpr int bits = 17, half = 1 << 16;

    static Value label(Cell c) { return static_cast<Value>(c.y + half) << bits | static_cast<Value>(c.x + half); }
    static Cell node(Value v) {
        const Value mask = (Value{1} << bits) - 1;
        return {static_cast<int>(v & mask) - half, static_cast<int>(v >> bits & mask) - half};
    }
    static std::uint32_t cost(Value v) { return static_cast<std::uint32_t>(v >> (2 * bits)); }
    static bool same_node(Value a, Value b) { return ((a ^ b) & ((Value{1} << 2 * bits) - 1)) == 0; }

    Value source(Cell c) const { return label(c); }
    Value through(Cell, Value v, std::uint32_t step) const { return least(v, step); }
    static Value least(Value v, std::uint32_t step) { return v + (Value{step} << (2 * bits)); }
    static std::size_t level(Value v) { return cost(v) / straight_cost; }
};
using NodeField = RepairedField<NodeRules>;

/// Junctions and ends of the skeleton in a tile, then its other cells, each at least a spacing away from those before.
std::vector<Cell> choose_nodes(const Skeleton& skeleton, TileCoord t) {
    std::vector<Cell> special, others, nodes;
    const NavTile::Rows* rows = skeleton.rows(t);
    for (int row = 0; rows && row < tile_size; ++row)
        for (std::uint64_t bits = (*rows)[static_cast<std::size_t>(row)]; bits; bits &= bits - 1) {
            const Cell c = cell_of(t, std::countr_zero(bits), row);
            (skeleton.degree(c) == 2 ? others : special).push_back(c);
        }
    for (const auto* cells : {&special, &others})
        for (const Cell c : *cells)
            if (std::none_of(nodes.begin(), nodes.end(),
                             [&](Cell n) { return squared_distance(n, c) < spacing_cells * spacing_cells; }))
                nodes.push_back(c);
    std::sort(nodes.begin(), nodes.end());
    return nodes;
}

}  // namespace

struct TopologicalMap::Impl {
    struct Tile {
        std::vector<std::pair<Cell, NodeId>> nodes;  // by cell
        std::vector<Crossing> crossings;             // that begin in this tile
    };

    NodeField field;
    TileTable<Tile> tiles;
    std::vector<Cell> sources;  // all nodes, sorted
    std::uint64_t tiles_crossed = 0, seen = 0;
    bool begun = false;

    NodeGraph graph;
    std::vector<NodeId> leaving;  // removed nodes whose edges are not removed yet

    void choose_nodes_in(const Skeleton& skeleton);
    void replace_nodes(Tile& tile, const std::vector<Cell>& nodes);
    void find_crossings(const NavMap& nav);
    std::vector<Crossing> crossings_of(const NavMap& nav, TileCoord t) const;
    NodeId id(Cell node) const;
    std::vector<NodeGraph::Access> access(const NavMap& nav, Cell c) const;
    void lead_in(const NavMap& nav, Cell from, NodeId node, std::vector<Cell>& cells) const;
    void descend(const NavMap& nav, Cell from, std::vector<Cell>& cells) const {
        for (Cell c = from;;) {
            cells.push_back(c);
            const Cell next = field.next(NodeRules{}, nav, c);
            if (next == c) return;
            c = next;
        }
    }
};

TopologicalMap::TopologicalMap() : impl_(std::make_unique<Impl>()) {}
TopologicalMap::~TopologicalMap() = default;
TopologicalMap::TopologicalMap(TopologicalMap&&) noexcept = default;
TopologicalMap& TopologicalMap::operator=(TopologicalMap&&) noexcept = default;

void TopologicalMap::update(const NavMap& nav) {
    if (impl_->begun && impl_->seen == nav.pass_version()) return;
    impl_->begun = true;
    impl_->seen = nav.pass_version();
    skeleton_.update(nav);
    impl_->choose_nodes_in(skeleton_);
    impl_->field.update(NodeRules{}, nav, {}, impl_->sources);
    impl_->find_crossings(nav);
}

void TopologicalMap::Impl::choose_nodes_in(const Skeleton& skeleton) {
    if (skeleton.began_anew()) {
        tiles.clear();
        sources.clear();
        graph = {};
        leaving.clear();
    }
    std::vector<TileCoord> around;  // what a cell is depends on the cells around it
    for (const TileCoord t : skeleton.changed())
        for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx) around.push_back({t.x + dx, t.y + dy});
    std::sort(around.begin(), around.end());
    around.erase(std::unique(around.begin(), around.end()), around.end());
    for (const TileCoord t : around) {
        std::vector<Cell> nodes = choose_nodes(skeleton, t);
        if (tiles.find(t) || !nodes.empty()) replace_nodes(tiles.at(t), nodes);
    }
}

/// Nodes that stay keep their place in the graph.
void TopologicalMap::Impl::replace_nodes(Tile& tile, const std::vector<Cell>& nodes) {
    const auto old = std::exchange(tile.nodes, {});
    for (const Cell c : nodes) {
        const auto same = std::find_if(old.begin(), old.end(), [&](const auto& n) { return n.first == c; });
        if (same == old.end()) sources.insert(std::lower_bound(sources.begin(), sources.end(), c), c);
        tile.nodes.emplace_back(c, same != old.end() ? same->second : graph.add(c));
    }
    for (const auto& [c, node] : old)
        if (!std::binary_search(nodes.begin(), nodes.end(), c)) {
            sources.erase(std::lower_bound(sources.begin(), sources.end(), c));
            leaving.push_back(node);
        }
}

void TopologicalMap::Impl::find_crossings(const NavMap& nav) {
    std::vector<TileCoord> dirty;
    if (field.began_anew()) {
        nav.tiles().for_each([&](TileCoord t, const NavTile&) { dirty.push_back(t); });
        tiles.for_each([&](TileCoord t, const Tile&) { dirty.push_back(t); });
    } else {
        // A step begins or ends, or passes by, in a cell next to one that changed.
        for (const Cell c : field.changed())
            for (const Cell d : {Cell{-1, -1}, Cell{1, -1}, Cell{-1, 1}, Cell{1, 1}})
                if (const TileCoord t = tile_of(c + d); dirty.empty() || dirty.back() != t) dirty.push_back(t);
    }
    std::sort(dirty.begin(), dirty.end());
    dirty.erase(std::unique(dirty.begin(), dirty.end()), dirty.end());
    tiles_crossed += dirty.size();
    for (const TileCoord t : dirty) {
        tiles.at(t);  // from here on nothing moves
        Tile& tile = *tiles.find(t);
        graph.disconnect(t, tile.crossings);
        graph.connect(t, tile.crossings = crossings_of(nav, t));
    }
    for (const NodeId n : leaving) graph.remove(n);
    leaving.clear();
}

NodeId TopologicalMap::Impl::id(Cell node) const {
    for (const auto& [cell, n] : tiles.find(tile_of(node))->nodes)
        if (cell == node) return n;
    return -1;
}

/// For each two nodes whose cells touch in a tile, or across its upper, left and right edge, the shortest path between.
std::vector<Crossing> TopologicalMap::Impl::crossings_of(const NavMap& nav, TileCoord t) const {
    // The cells of the tile, one column more on each side and one row more above.
    constexpr std::size_t stride = tile_size + 2;
    std::array<std::uint64_t, stride*(tile_size + 1)> values;
    for (int row = 0, i = 0; row <= tile_size; ++row)
        for (int column = -1; column <= tile_size; ++column, ++i)
            values[static_cast<std::size_t>(i)] = field.value(cell_of(t, column, row));
    struct Pair {
        std::uint64_t low, high;  ///< labels
        Crossing crossing;
    };
    std::vector<Pair> found;
    static constexpr std::array<std::size_t, 4> forward{4, 5, 6, 7};  // each pair of cells once
    for (int row = 0; row < tile_size; ++row)
        for (int column = 0; column < tile_size; ++column) {
            const std::size_t i = static_cast<std::size_t>(row) * stride + static_cast<std::size_t>(column + 1);
            const std::uint64_t mine = values[i];
            if (mine == NodeRules::none) continue;
            for (const std::size_t d : forward) {
                const std::uint64_t theirs =
                    values[i + static_cast<std::size_t>(steps[d].y) * stride + static_cast<std::size_t>(steps[d].x)];
                if (theirs == NodeRules::none || NodeRules::same_node(mine, theirs)) continue;
                const Cell c = cell_of(t, column, row), n = c + steps[d];
                if (is_diagonal[d] && !(nav.passable({n.x, c.y}) && nav.passable({c.x, n.y}))) continue;
                const std::uint64_t my_label = NodeRules::label(NodeRules::node(mine)),
                                    their_label = NodeRules::label(NodeRules::node(theirs));
                const std::uint32_t cost = NodeRules::cost(mine) + NodeRules::cost(theirs) + step_cost[d];
                const bool first = my_label < their_label;
                const std::uint64_t low = std::min(my_label, their_label), high = std::max(my_label, their_label);
                auto same = std::find_if(found.begin(), found.end(),
                                         [&](const Pair& f) { return f.low == low && f.high == high; });
                if (same == found.end()) {
                    const NodeId a = id(NodeRules::node(low)), b = id(NodeRules::node(high));
                    found.push_back({low, high, {a, b, no_bound, {}, {}}});
                    same = found.end() - 1;
                }
                if (cost < same->crossing.cost) {
                    same->crossing.cost = cost;
                    same->crossing.from = first ? c : n;
                    same->crossing.to = first ? n : c;
                }
            }
        }
    std::vector<Crossing> crossings;
    for (const Pair& pair : found) crossings.push_back(pair.crossing);
    return crossings;
}

/// The nearest node, and those up to two edges from it that can be gone to directly.
std::vector<NodeGraph::Access> TopologicalMap::Impl::access(const NavMap& nav, Cell c) const {
    const std::uint64_t value = field.value(c);
    if (value == NodeRules::none) return {};
    std::vector<NodeGraph::Access> all{{id(NodeRules::node(value)), NodeRules::cost(value)}};
    std::vector<NodeId> around{all[0].node};
    for (std::size_t hop = 0, begin = 0; hop < 2; ++hop)
        for (const std::size_t end = around.size(); begin < end; ++begin)
            for (const NodeGraph::Edge& edge : graph.edges(around[begin])) {
                if (std::find(around.begin(), around.end(), edge.other) != around.end()) continue;
                around.push_back(edge.other);
                const Cell node = graph.cell(edge.other);
                if (can_go_directly(nav, c, node)) all.push_back({edge.other, octile_cost(c, node)});
            }
    return all;
}

/// Appends the path from a cell to a node that access() found for it.
void TopologicalMap::Impl::lead_in(const NavMap& nav, Cell from, NodeId node, std::vector<Cell>& cells) const {
    const Cell to = graph.cell(node);
    if (NodeRules::node(field.value(from)) == to) return descend(nav, from, cells);
    const std::vector<Cell> path = direct_path(nav, from, to);
    cells.insert(cells.end(), path.begin(), path.end());
}

std::optional<Path> TopologicalMap::path(const NavMap& nav, Cell start, Cell goal) const {
    if (auto direct = direct_path(nav, start, goal); !direct.empty())
        return Path{PathStatus::found, std::move(direct), octile_cost(start, goal)};
    if (NodeRules::same_node(impl_->field.value(start), impl_->field.value(goal))) return {};
    const NodeGraph::Path over_nodes = impl_->graph.search(impl_->access(nav, start), impl_->access(nav, goal), goal);
    if (over_nodes.last < 0) return {};
    std::vector<Cell> cells;
    const auto append_reversed = [&](auto&& append) {
        const auto begin = static_cast<std::ptrdiff_t>(cells.size());
        append();
        std::reverse(cells.begin() + begin, cells.end());
    };
    impl_->lead_in(nav, start, over_nodes.first, cells);
    for (const NodeGraph::Edge* edge : over_nodes.edges) {  // up to the crossing, over it, down to the next node
        append_reversed([&] { impl_->descend(nav, edge->from, cells); });
        impl_->descend(nav, edge->to, cells);
    }
    append_reversed([&] { impl_->lead_in(nav, goal, over_nodes.last, cells); });
    cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
    Path path{PathStatus::found, straightened(nav, cells), 0};
    for (std::size_t i = 1; i < path.cells.size(); ++i) path.cost += octile_cost(path.cells[i - 1], path.cells[i]);
    return path;
}

std::vector<Cell> TopologicalMap::nodes() const { return impl_->sources; }

std::optional<Cell> TopologicalMap::node_of(Cell c) const {
    const std::uint64_t value = impl_->field.value(c);
    return value == NodeRules::none ? std::nullopt : std::optional(NodeRules::node(value));
}

std::vector<TopologicalMap::Edge> TopologicalMap::edges() const {
    std::vector<Edge> all;
    impl_->tiles.for_each([&](TileCoord, const Impl::Tile& tile) {
        const NodeGraph& graph = impl_->graph;
        for (const Crossing& c : tile.crossings) all.push_back({graph.cell(c.node), graph.cell(c.other), c.cost});
    });
    const auto by_nodes = [](const Edge& a, const Edge& b) {
        return std::tuple(a.a, a.b, a.cost) < std::tuple(b.a, b.b, b.cost);
    };
    std::sort(all.begin(), all.end(), by_nodes);
    all.erase(
        std::unique(all.begin(), all.end(), [](const Edge& a, const Edge& b) { return a.a == b.a && a.b == b.b; }),
        all.end());
    return all;
}

TopologicalMap::Counters TopologicalMap::counters() const {
    return {impl_->field.changed_count(), impl_->field.touched(), impl_->tiles_crossed, impl_->field.rebuilds()};
}

}  // namespace outrider
