#include "bound/roads.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>

#include "base/parallel.hpp"

namespace outrider {
namespace {

constexpr double most_nodes = 6000;
constexpr std::size_t neighbours = 40;

/// Directions in the lattice of nodes, also those of a knight.
std::vector<Cell> offsets() {
    std::vector<Cell> out;
    for (int dy = -2; dy <= 2; ++dy)
        for (int dx = -2; dx <= 2; ++dx)
            if (std::gcd(dx, dy) == 1) out.push_back({dx, dy});
    return out;
}

/// 45 degrees each.
int sector_of(Point d) {
    const double turns = bearing({}, d) / (2 * pi);
    return static_cast<int>(std::floor((turns < 0 ? turns + 1 : turns) * Roads::sectors)) % Roads::sectors;
}

}  // namespace

bool straight(const Grid<std::uint8_t>& open, Cell from, Cell to) {
    constexpr double margin =
        0.02;  // to both sides: a line through a corner of a wall is none that rounding leaves free
    const Point a{from.x + 0.5, from.y + 0.5}, b{to.x + 0.5, to.y + 0.5};
    if (a == b) return open.get(from, 0) != 0;
    const Point along = (b - a) * (margin / distance(a, b)), side{-along.y, along.x};
    return walk_segment(a + side, b + side, [&](Cell c, double) { return open.get(c, 0) != 0; }) &&
           walk_segment(a - side, b - side, [&](Cell c, double) { return open.get(c, 0) != 0; });
}

namespace {

double least_step(const BoundTask& task) {
    return std::min_element(task.team.begin(), task.team.end(),
                            [](const Mover& a, const Mover& b) { return a.step < b.step; })
        ->step;
}

}  // namespace

bool coarse(const BoundTask& task) { return least_step(task) < 3; }

Grid<std::uint8_t> common_reach(const BoundTask& task) {
    Grid<std::uint8_t> open = *task.team.front().reach;
    for (const Mover& m : task.team)
        for (std::size_t i = 0; i < open.cells().size(); ++i) open.cells()[i] &= m.reach->cells()[i];
    return open;
}

Roads::Roads(const BoundTask& task, const Blocks& targets) {
    const Grid<std::uint8_t> open = common_reach(task);
    const auto cells = std::count(open.cells().begin(), open.cells().end(), 1);
    const Blocks nodes(open,
                       std::max(1, static_cast<int>(std::lround(std::sqrt(static_cast<double>(cells) / most_nodes)))));
    for (int n = 0; n < nodes.count(); ++n) {
        cells_.push_back(nodes.sample(n));
        lattice_.push_back(nodes.place(n));
    }
    join_nodes(task, nodes, open);
    look(task, targets);
    choose_places(task, targets);
    find_lengths();
}

void Roads::join_nodes(const BoundTask& task, const Blocks& nodes, const Grid<std::uint8_t>& open) {
    edges_.resize(cells_.size());
    const auto join = [&](int a, int b) {
        const Cell from = cell(a), to = cell(b);
        const auto length = static_cast<float>(std::hypot(from.x - to.x, from.y - to.y));
        if (coarse(task) && length > std::max(1.0, least_step(task)) + 1e-6) return;
        if (!straight(open, from, to)) return;  // one way and back: a line may not touch the same cells from its end
        edges_[static_cast<std::size_t>(a)].push_back({b, length});
        edges_[static_cast<std::size_t>(b)].push_back({a, length});
    };
    for (int n = 0; n < nodes.count(); ++n)
        for (const Cell d : offsets())
            if (const int other = nodes.number(nodes.place(n) + d); other > n) join(n, other);
    for (const Mover& m : task.team) {  // a node of its own at each start
        const int node = static_cast<int>(cells_.size());
        const Cell block = nodes.block_of(m.start);
        starts_.push_back(node);
        cells_.push_back(m.start);
        lattice_.push_back(block);
        edges_.emplace_back();
        for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx)
                if (const int other = nodes.number(block + Cell{dx, dy}); other >= 0) join(node, other);
    }
}

void Roads::look(const BoundTask& task, const Blocks& targets) {
    double range = 0;
    for (const Mover& m : task.team) range = std::max(range, m.sight);
    seen_.resize(cells_.size() * sectors);
    all_seen_.resize(cells_.size());
    const int reach = static_cast<int>(range) / targets.side() + 2;
    parallel_for(nodes(), [&](int node) {
        std::vector<BitMap> maps(sectors + 1, BitMap(targets.columns(), targets.rows()));
        const Cell from = cell(node), at = targets.block_of(from);
        for_each_cell_in_sight(task.walls(), from, range, [&](Cell c) {
            const Cell b = targets.block_of(c);
            const int block = targets.number(b);
            if (block < 0 || targets.sample(block) != c || maps[sectors].test(b.x, b.y)) return;
            const Point here{from.x + 0.5, from.y + 0.5}, there{c.x + 0.5, c.y + 0.5};
            const auto free = [&](Cell between, double) { return !task.walls().get(between, 1); };
            if (distance(here, there) > range || !walk_segment(here, there, free)) return;
            maps[static_cast<std::size_t>(sector_of(there - here))].set(b.x, b.y);
            maps[sectors].set(b.x, b.y);
        });
        const auto box = [&](std::size_t k) {
            return maps[k].box(at.y - reach, at.y + reach, at.x - reach, at.x + reach);
        };
        for (std::size_t k = 0; k < sectors; ++k) seen_[static_cast<std::size_t>(node * sectors) + k] = box(k);
        all_seen_[static_cast<std::size_t>(node)] = box(sectors);
    });
}

/// Every second node in x and y, then nodes from which more is seen than from all these.
void Roads::choose_places(const BoundTask& task, const Blocks& targets) {
    BitMap seen(targets.columns(), targets.rows());
    const auto add = [&](int node) {
        place_nodes_.push_back(node);
        seen.add(all_seen_[static_cast<std::size_t>(node)]);
    };
    std::vector<int> place_of_start;
    for (const int node : starts_) {
        place_of_start.push_back(places());
        add(node);
    }
    const int lattice_nodes = nodes() - static_cast<int>(task.team.size());
    for (int n = 0; n < lattice_nodes; ++n)
        if (const Cell at = lattice_[static_cast<std::size_t>(n)]; at.x % 2 == 0 && at.y % 2 == 0) add(n);
    for (int n = 0; n < lattice_nodes; ++n)
        if (seen.news(all_seen_[static_cast<std::size_t>(n)]) > 0) add(n);
    starts_ = place_of_start;
}

void Roads::forget(int node, Cell block) {
    for (int k = 0; k < sectors; ++k) clear_bit(seen_[static_cast<std::size_t>(node * sectors + k)], block.x, block.y);
    clear_bit(all_seen_[static_cast<std::size_t>(node)], block.x, block.y);
}

void Roads::find_lengths() {
    const std::size_t places = place_nodes_.size();
    lengths_.assign(places * places, far);
    next_.assign(places * cells_.size(), 0xff);
    near_.resize(places);
    parallel_for(static_cast<int>(places), [&](int place) {
        const auto p = static_cast<std::size_t>(place);
        std::vector<float> least(cells_.size(), far);
        std::uint8_t* next = next_.data() + p * cells_.size();
        using Entry = std::pair<float, int>;
        std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
        least[static_cast<std::size_t>(place_nodes_[p])] = 0;
        queue.emplace(0.F, place_nodes_[p]);
        while (!queue.empty()) {
            const auto [length, node] = queue.top();
            queue.pop();
            if (length > least[static_cast<std::size_t>(node)]) continue;
            for (const Edge& e : edges_[static_cast<std::size_t>(node)]) {
                const auto to = static_cast<std::size_t>(e.to);
                if (length + e.length >= least[to]) continue;
                least[to] = length + e.length;
                queue.emplace(least[to], e.to);
                const auto& back = edges_[to];  // edges go both ways
                next[to] = static_cast<std::uint8_t>(
                    std::find_if(back.begin(), back.end(), [&](const Edge& b) { return b.to == node; }) - back.begin());
            }
        }
        for (std::size_t other = 0; other < places; ++other)
            lengths_[other * places + p] = least[static_cast<std::size_t>(place_nodes_[other])];
        std::vector<int>& near = near_[p];
        for (int other = 0; other < static_cast<int>(places); ++other)
            if (other != place && least[static_cast<std::size_t>(node_of(other))] < far) near.push_back(other);
        const auto closer = [&](int a, int b) {
            return std::pair(least[static_cast<std::size_t>(node_of(a))], a) <
                   std::pair(least[static_cast<std::size_t>(node_of(b))], b);
        };
        const auto kept = std::min(neighbours, near.size());
        std::partial_sort(near.begin(), near.begin() + static_cast<std::ptrdiff_t>(kept), near.end(), closer);
        near.resize(kept);
    });
}

Roads::Hop Roads::towards(int place, int node) const {
    const std::uint8_t k = next_[static_cast<std::size_t>(place) * cells_.size() + static_cast<std::size_t>(node)];
    const Edge& e = edges_[static_cast<std::size_t>(node)][k];
    return {e.to, e.length};
}

}  // namespace outrider
