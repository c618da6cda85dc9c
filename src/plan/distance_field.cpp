#include "outrider/distance_field.hpp"

#include <algorithm>
#include <array>

#include "plan/steps.hpp"

namespace outrider {
namespace {

/// Passable cells around c and c itself.
unsigned passable_around(const NavMap& nav, Cell c) {
    const int column = column_in_tile(c), row = row_in_tile(c);
    unsigned around = 0;
    if (column > 0 && column < 63 && row > 0 && row < 63) {
        const NavTile* tile = nav.tile(tile_of(c));
        if (!tile) return 0;
        const std::uint64_t* pass = &tile->pass[static_cast<std::size_t>(row - 1)];
        for (int k = 0; k < 3; ++k) around |= static_cast<unsigned>(pass[k] >> (column - 1) & 7) << (3 * k);
        return around;
    }
    for (int k = 0; k < 9; ++k) around |= static_cast<unsigned>(nav.passable(c + Cell{k % 3 - 1, k / 3 - 1})) << k;
    return around;
}

}  // namespace

struct DistanceField::Tile {
    std::array<std::uint32_t, tile_size * tile_size> cost;
    Tile() { cost.fill(no_bound); }
};

/// Cells by cost, in buckets as wide as the cheapest step: nothing in a bucket can improve its own bucket, so the order
/// within one does not matter.
struct DistanceField::Queue {
    struct Item {
        Cell cell;
        std::uint32_t cost;
    };
    std::vector<std::vector<Item>> buckets;
    std::size_t low = 0, count = 0;

    void push(Cell c, std::uint32_t cost) {
        const std::size_t b = cost / straight_cost;
        if (b >= buckets.size()) buckets.resize(std::max(b + 1, 2 * buckets.size()));
        low = count == 0 ? b : std::min(low, b);
        buckets[b].push_back({c, cost});
        ++count;
    }
    bool empty() const { return count == 0; }
    Item pop() {
        while (buckets[low].empty()) ++low;
        const Item item = buckets[low].back();
        buckets[low].pop_back();
        --count;
        return item;
    }
};

DistanceField::DistanceField() : queue_(std::make_unique<Queue>()) {}
DistanceField::~DistanceField() = default;
DistanceField::DistanceField(DistanceField&&) noexcept = default;

DistanceField::Tile* DistanceField::tile(TileCoord t) const {
    const auto* entry = tiles_.find(t);
    return entry ? entry->get() : nullptr;
}

std::uint32_t DistanceField::cost(Cell c) const {
    const Tile* t = tile(tile_of(c));
    return t ? t->cost[static_cast<std::size_t>(row_in_tile(c) << 6 | column_in_tile(c))] : no_bound;
}

std::uint32_t& DistanceField::cost_of(Cell c) {
    auto& entry = tiles_.at(tile_of(c));
    if (!entry) entry = std::make_unique<Tile>();
    return entry->cost[static_cast<std::size_t>(row_in_tile(c) << 6 | column_in_tile(c))];
}

void DistanceField::set(Cell c, std::uint32_t cost) {
    std::uint32_t& mine = cost_of(c);
    if (!fresh_) before_.emplace_back(c, mine);
    mine = cost;
}

/// Calls visit(cell, cost of the step) for every cell that a step leads to, or comes from.
template <class Visit>
void DistanceField::neighbours(Cell c, Visit&& visit) const {
    for (unsigned moves = allowed_steps[passable_around(*nav_, c)]; moves; moves &= moves - 1) {
        const auto d = static_cast<std::size_t>(std::countr_zero(moves));
        visit(c + steps[d], step_cost[d]);
    }
}

std::uint32_t DistanceField::best_through_neighbours(Cell c) const {
    std::uint32_t best = no_bound;
    neighbours(c, [&](Cell n, std::uint32_t step) {
        if (const std::uint32_t theirs = cost(n); theirs != no_bound) best = std::min(best, theirs + step);
    });
    return best;
}

bool DistanceField::is_source(Cell c) const { return std::binary_search(sources_.begin(), sources_.end(), c); }

/// Takes the cost away from all cells whose way led through what is gone; those beside them wait for lower().
/// In the order of their costs: a cell keeps its cost when a neighbour that keeps its own still explains it.
void DistanceField::raise() {
    std::vector<Cell> raised;
    while (!queue_->empty()) {
        const auto [c, was] = queue_->pop();
        if (cost(c) != was) continue;
        ++counters_.touched;
        if (nav_->passable(c) && (is_source(c) ? was == 0 : best_through_neighbours(c) == was)) continue;
        set(c, no_bound);
        raised.push_back(c);
        for (const Cell d : steps)  // whoever may have leant on it, also around a corner that it was
            if (const std::uint32_t theirs = cost(c + d); theirs != no_bound && theirs > was)
                queue_->push(c + d, theirs);
    }
    for (const Cell c : raised)
        if (const std::uint32_t best = nav_->passable(c) ? best_through_neighbours(c) : no_bound; best != no_bound)
            queue_->push(c, best);
}

/// Spreads costs from the queued cells that they improve.
void DistanceField::lower() {
    while (!queue_->empty()) {
        const auto [c, offered] = queue_->pop();
        if (offered >= cost(c)) continue;
        set(c, offered);
        ++counters_.touched;
        neighbours(c, [&](Cell n, std::uint32_t step) {
            if (offered + step < cost(n)) queue_->push(n, offered + step);
        });
    }
}

void DistanceField::update(const NavMap& nav, std::span<const Cell> sources) {
    nav_ = &nav;
    before_.clear();
    fresh_ = false;
    std::vector<Cell> wanted;
    for (const Cell c : sources)
        if (nav.passable(c)) wanted.push_back(c);
    std::sort(wanted.begin(), wanted.end());
    wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
    const std::vector<Cell> old = std::exchange(sources_, std::move(wanted));

    const PassChanges changes = nav.changes_since(begun_ ? seen_ : ~std::uint64_t{0});
    seen_ = nav.pass_version();
    begun_ = true;
    std::vector<Cell> opened;
    const bool all_new = !old.empty() && std::none_of(old.begin(), old.end(), [&](Cell c) { return is_source(c); });
    if (changes.everything || all_new) {  // then no cost is worth keeping
        tiles_ = {};
        fresh_ = true;
        ++counters_.rebuilds;
    } else {
        const auto again = [&](Cell c) {
            if (const std::uint32_t was = cost(c); was != no_bound) queue_->push(c, was);
        };
        for (const Cell c : old)
            if (!is_source(c)) again(c);
        for (const PassChange& change : changes.rows)
            for (std::uint64_t bits = change.cells; bits; bits &= bits - 1) {
                const Cell c = cell_of(change.tile, std::countr_zero(bits), change.row);
                if (nav.passable(c)) {
                    opened.push_back(c);
                    continue;
                }
                again(c);
                for (const Cell d : steps) again(c + d);
            }
        raise();
    }
    for (const Cell c : opened) {
        const auto offer = [&](Cell at) {
            if (const std::uint32_t best = best_through_neighbours(at); best < cost(at)) queue_->push(at, best);
        };
        offer(c);
        for (const Cell d : steps)
            if (nav.passable(c + d)) offer(c + d);  // steps past the corner that it was
    }
    for (const Cell c : sources_)
        if (cost(c) != 0) queue_->push(c, 0);
    lower();
    if (fresh_)
        tiles_.for_each([&](TileCoord, const std::unique_ptr<Tile>& t) {
            if (t)
                counters_.changed += static_cast<std::uint64_t>(
                    std::count_if(t->cost.begin(), t->cost.end(), [](std::uint32_t c) { return c != no_bound; }));
        });
    // The first entry of a cell has its cost from before.
    std::stable_sort(before_.begin(), before_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t i = 0; i < before_.size(); ++i)
        if (i == 0 || before_[i].first != before_[i - 1].first)
            counters_.changed += cost(before_[i].first) != before_[i].second;
    nav_ = nullptr;
}

Path DistanceField::path(Cell from) const {
    const std::uint32_t whole = cost(from);
    if (whole == no_bound) return {PathStatus::unreachable};
    Path path{PathStatus::found, {from}, whole};
    for (std::uint32_t left = whole; left > 0;) {
        const Cell c = path.cells.back();
        bool went = false;
        for (std::size_t d = 0; d < 8 && !went; ++d) {
            const Cell n = c + steps[d];
            if (cost(n) == no_bound || cost(n) + step_cost[d] != left) continue;
            // Costs beside a corner can match by chance; the two cells beside a diagonal step have costs iff free.
            if (steps[d].x != 0 && steps[d].y != 0 && (cost({n.x, c.y}) == no_bound || cost({c.x, n.y}) == no_bound))
                continue;
            path.cells.push_back(n);
            left = cost(n);
            went = true;
        }
        OUTRIDER_CHECK(went, ==, true);
    }
    return path;
}

}  // namespace outrider
