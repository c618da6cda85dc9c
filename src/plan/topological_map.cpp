#include "outrider/topological_map.hpp"

#include <algorithm>

#include "plan/repaired_field.hpp"
#include "plan/straighten.hpp"

namespace outrider {
namespace {

/// Cells between two nodes of a tile, at least.
constexpr int spacing_cells = 16;

/// The way to the nearest node, and which one that is: cost, row and column of the node in one number, so that the less
/// is the nearer, of equally near ones the first. A map has up to 65,535 cells a side, on either side of cell (0, 0).
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
    Value through(Cell, Value v, std::uint32_t step) const { return v + (Value{step} << (2 * bits)); }
    static std::size_t level(Value v) { return cost(v) / straight_cost; }
};
using NodeField = RepairedField<NodeRules>;
using NodeId = std::int32_t;

/// The shortest way found between the cells of two nodes: from one cell to the next.
struct Crossing {
    Cell node, other;
    std::uint32_t cost;
    Cell from, to;
};

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
    struct Edge {
        NodeId other;
        std::uint32_t cost;
        Cell from, to;
    };
    struct Node {
        Cell cell;
        std::vector<Edge> edges;
    };
    struct Tile {
        std::vector<Cell> nodes;          // sorted
        std::vector<Crossing> crossings;  // that begin in this tile
    };

    NodeField field;
    TileTable<Tile> tiles;
    std::vector<Cell> sources;  // all nodes, sorted
    std::uint64_t tiles_crossed = 0;

    // The graph as searches want it, made from the crossings when one of them changed.
    std::vector<Node> graph;  // by cell

    void choose_nodes_in(const Skeleton& skeleton, const NavMap& nav);
    void find_crossings(const NavMap& nav);
    std::vector<Crossing> crossings_of(const NavMap& nav, TileCoord t) const;
    void connect();
    NodeId id(Cell node) const {
        const auto at =
            std::lower_bound(graph.begin(), graph.end(), node, [](const Node& n, Cell c) { return n.cell < c; });
        return static_cast<NodeId>(at - graph.begin());
    }
    std::vector<const Edge*> search(NodeId from, NodeId to, std::uint32_t lead_in, Cell goal) const;
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
    skeleton_.update(nav);
    impl_->choose_nodes_in(skeleton_, nav);
    impl_->field.update(NodeRules{}, nav, {}, usable_sources(nav, impl_->sources));
    impl_->find_crossings(nav);
}

void TopologicalMap::Impl::choose_nodes_in(const Skeleton& skeleton, const NavMap&) {
    if (skeleton.began_anew()) {
        tiles.clear();
        sources.clear();
    }
    std::vector<TileCoord> around;  // what a cell is depends on the cells around it
    for (const TileCoord t : skeleton.changed())
        for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx) around.push_back({t.x + dx, t.y + dy});
    std::sort(around.begin(), around.end());
    around.erase(std::unique(around.begin(), around.end()), around.end());
    std::vector<Cell> gone, come;
    for (const TileCoord t : around) {
        Tile* known = tiles.find(t);
        std::vector<Cell> nodes = choose_nodes(skeleton, t);
        if (known ? known->nodes == nodes : nodes.empty()) continue;
        Tile& tile = tiles.at(t);
        gone.insert(gone.end(), tile.nodes.begin(), tile.nodes.end());
        come.insert(come.end(), nodes.begin(), nodes.end());
        tile.nodes = std::move(nodes);
    }
    std::sort(gone.begin(), gone.end());
    std::erase_if(sources, [&](Cell c) { return std::binary_search(gone.begin(), gone.end(), c); });
    sources.insert(sources.end(), come.begin(), come.end());
    std::sort(sources.begin(), sources.end());
}

void TopologicalMap::Impl::find_crossings(const NavMap& nav) {
    std::vector<TileCoord> dirty;
    if (field.began_anew()) {
        nav.tiles().for_each([&](TileCoord t, const NavTile&) { dirty.push_back(t); });
        graph.clear();
    } else {
        // A step begins or ends, or passes by, in a cell next to one that changed.
        for (const Cell c : field.changed())
            for (const Cell d : {Cell{-1, -1}, Cell{1, -1}, Cell{-1, 1}, Cell{1, 1}})
                if (const TileCoord t = tile_of(c + d); dirty.empty() || dirty.back() != t) dirty.push_back(t);
        std::sort(dirty.begin(), dirty.end());
        dirty.erase(std::unique(dirty.begin(), dirty.end()), dirty.end());
    }
    for (const TileCoord t : dirty) {
        ++tiles_crossed;
        tiles.at(t).crossings = crossings_of(nav, t);
    }
    if (!dirty.empty()) connect();
}

/// For each two nodes whose cells touch in a tile, or across its upper, left and right edge, the shortest way between.
std::vector<Crossing> TopologicalMap::Impl::crossings_of(const NavMap& nav, TileCoord t) const {
    std::vector<Crossing> found;
    const NavTile* tile = nav.tile(t);
    for (int row = 0; tile && row < tile_size; ++row)
        for (std::uint64_t bits = tile->pass[static_cast<std::size_t>(row)]; bits; bits &= bits - 1) {
            const Cell c = cell_of(t, std::countr_zero(bits), row);
            const std::uint64_t mine = field.value(c);
            if (mine == NodeRules::none) continue;
            for (const std::size_t d : {4u, 5u, 6u, 7u}) {  // each pair of cells once
                const Cell n = c + steps[d];
                const std::uint64_t theirs = field.value(n);
                if (theirs == NodeRules::none || NodeRules::same_node(mine, theirs)) continue;
                if (is_diagonal[d] && !(nav.passable({n.x, c.y}) && nav.passable({c.x, n.y}))) continue;
                Crossing crossing{NodeRules::node(mine), NodeRules::node(theirs),
                                  NodeRules::cost(mine) + NodeRules::cost(theirs) + step_cost[d], c, n};
                if (crossing.other < crossing.node) {
                    std::swap(crossing.node, crossing.other);
                    std::swap(crossing.from, crossing.to);
                }
                const auto same = std::find_if(found.begin(), found.end(), [&](const Crossing& f) {
                    return f.node == crossing.node && f.other == crossing.other;
                });
                if (same == found.end())
                    found.push_back(crossing);
                else if (crossing.cost < same->cost)
                    *same = crossing;
            }
        }
    return found;
}

void TopologicalMap::Impl::connect() {
    graph.clear();
    for (const Cell c : sources) graph.push_back({c, {}});
    tiles.for_each([&](TileCoord, const Tile& tile) {
        for (const Crossing& c : tile.crossings) {
            const NodeId a = id(c.node), b = id(c.other);
            graph[static_cast<std::size_t>(a)].edges.push_back({b, c.cost, c.from, c.to});
            graph[static_cast<std::size_t>(b)].edges.push_back({a, c.cost, c.to, c.from});
        }
    });
}

/// A* over nodes; the edges of the best way.
std::vector<const TopologicalMap::Impl::Edge*> TopologicalMap::Impl::search(NodeId from, NodeId to,
                                                                            std::uint32_t lead_in, Cell goal) const {
    struct Visit {
        std::uint32_t search = 0, cost = 0;
        NodeId parent = -1;
        const Edge* edge = nullptr;
    };
    thread_local std::vector<Visit> visits;
    thread_local std::uint32_t search = 0;
    ++search;
    if (visits.size() < graph.size()) visits.resize(graph.size());
    using Entry = std::pair<std::uint32_t, NodeId>;  // estimate, node
    std::vector<Entry> open;
    const auto reach = [&](NodeId n, std::uint32_t cost, NodeId parent, const Edge* edge) {
        Visit& v = visits[static_cast<std::size_t>(n)];
        if (v.search == search && v.cost <= cost) return;
        v = {search, cost, parent, edge};
        open.emplace_back(cost + octile_cost(graph[static_cast<std::size_t>(n)].cell, goal), n);
        std::push_heap(open.begin(), open.end(), std::greater<>());
    };
    reach(from, lead_in, -1, nullptr);
    while (!open.empty()) {
        const auto [estimate, n] = open.front();
        std::pop_heap(open.begin(), open.end(), std::greater<>());
        open.pop_back();
        const Node& node = graph[static_cast<std::size_t>(n)];
        const std::uint32_t cost = visits[static_cast<std::size_t>(n)].cost;
        if (estimate != cost + octile_cost(node.cell, goal)) continue;  // a shorter way was found since
        if (n == to) break;
        for (const Edge& edge : node.edges) reach(edge.other, cost + edge.cost, n, &edge);
    }
    std::vector<const Edge*> way;
    if (visits[static_cast<std::size_t>(to)].search != search) return way;
    for (NodeId n = to; n != from; n = visits[static_cast<std::size_t>(n)].parent)
        way.push_back(visits[static_cast<std::size_t>(n)].edge);
    std::reverse(way.begin(), way.end());
    return way;
}

std::optional<Path> TopologicalMap::path(const NavMap& nav, Cell start, Cell goal) const {
    if (auto direct = direct_way(nav, start, goal); !direct.empty())
        return Path{PathStatus::found, std::move(direct), octile_cost(start, goal)};
    const std::uint64_t first = impl_->field.value(start), last = impl_->field.value(goal);
    if (first == NodeRules::none || last == NodeRules::none || NodeRules::same_node(first, last)) return {};
    const NodeId from = impl_->id(NodeRules::node(first)), to = impl_->id(NodeRules::node(last));
    const auto way = impl_->search(from, to, NodeRules::cost(first), goal);
    if (way.empty()) return {};
    std::vector<Cell> cells;
    impl_->descend(nav, start, cells);
    for (const Impl::Edge* edge : way) {  // from the node up to the crossing, over it, down to the next node
        const auto node = static_cast<std::ptrdiff_t>(cells.size());
        impl_->descend(nav, edge->from, cells);
        std::reverse(cells.begin() + node, cells.end());
        impl_->descend(nav, edge->to, cells);
    }
    const auto node = static_cast<std::ptrdiff_t>(cells.size());
    impl_->descend(nav, goal, cells);
    std::reverse(cells.begin() + node, cells.end());
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
        for (const Crossing& c : tile.crossings) all.push_back({c.node, c.other, c.cost});
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
