#include "plan/cheapest_search.hpp"

#include <algorithm>
#include <cmath>

namespace outrider {
namespace {

/// Memory of searches that are over, for the next ones of this thread: making its tiles takes longer than a short
/// search.
std::vector<std::unique_ptr<SearchMemory>>& spare_memories() {
    thread_local std::vector<std::unique_ptr<SearchMemory>> spare;
    return spare;
}

std::unique_ptr<SearchMemory> borrow_memory() {
    auto& spare = spare_memories();
    if (spare.empty()) return std::make_unique<SearchMemory>();
    std::unique_ptr<SearchMemory> memory = std::move(spare.back());
    spare.pop_back();
    return memory;
}

}  // namespace

CheapestSearch::CheapestSearch(const NavMap& nav, const KnownMap& rough, double rough_cost, Cell start,
                               std::span<const Cell> goals, int max_expansions)
    : nav_(nav),
      rough_(rough),
      start_(start),
      goals_(goals.begin(), goals.end()),
      budget_(max_expansions),
      memory_(borrow_memory()) {
    for (const bool slow : {false, true})
        for (const bool diagonal : {false, true})
            step_costs_[slow][diagonal] = static_cast<std::uint32_t>(
                std::lround((diagonal ? diagonal_cost : straight_cost) * (slow ? std::max(1.0, rough_cost) : 1)));
    memory_->begin(nav);
    for (std::size_t g = 0; g < goals_.size(); ++g)
        if (!blocked(g)) missing_.push_back(g);
    if (nav.far_outside(start)) return;
    SearchTile& tile = memory_->tile(tile_of(start));
    const std::uint32_t key = key_in_tile(start);
    tile.set(key, 0);
    tile.from[key] = no_step;
    buckets_.push_back({{&tile, key, 0}});
}

CheapestSearch::~CheapestSearch() {
    constexpr std::size_t most = 4;
    if (auto& spare = spare_memories(); spare.size() < most) spare.push_back(std::move(memory_));
}

std::uint32_t CheapestSearch::best(Cell c) const { return memory_->tile(tile_of(c)).get(key_in_tile(c)); }

/// Whether all cells that cost as little as what is known of the goal are settled.
bool CheapestSearch::found(std::size_t goal) const {
    const std::uint32_t cost = best(goals_[goal]);
    return cost != unseen_cost && (bucket_ == buckets_.size() || cost < least_open());
}

void CheapestSearch::expand(const Node& node) {
    SearchTile& tile = *node.tile;
    const int column = static_cast<int>(node.key & 63), row = static_cast<int>(node.key >> 6);
    const bool inside = column > 0 && column < 63 && row > 0 && row < 63;  // with all its neighbours
    for (unsigned moves =
             allowed_steps[traversable_around(*memory_, tile, column, row)] & worthwhile_steps[tile.from[node.key]];
         moves; moves &= moves - 1) {
        const auto d = static_cast<std::size_t>(std::countr_zero(moves));
        const int x = column + steps[d].x, y = row + steps[d].y;
        SearchTile& next = inside ? tile : memory_->at(tile, x, y);
        if (!(next.nav->pass[static_cast<std::size_t>(y & 63)] >> (x & 63) & 1)) continue;  // unknown
        const std::uint32_t key = static_cast<std::uint32_t>((y & 63) << 6 | (x & 63));
        const std::uint32_t before = next.get(key);
        if (node.cost + step_costs_[0][is_diagonal[d]] >= before) continue;
        const BitTile* marks = rough_.marks(Mark::rough, next.at);
        const bool slow = marks && marks->rows[static_cast<std::size_t>(y & 63)] >> (x & 63) & 1;
        const std::uint32_t total = node.cost + step_costs_[slow][is_diagonal[d]];
        if (total >= before) continue;
        next.set(key, total);
        next.from[key] = static_cast<std::uint8_t>(d);
        const std::size_t bucket = total / bucket_width;
        if (bucket >= buckets_.size()) buckets_.resize(bucket + 1);
        buckets_[bucket].push_back({&next, key, total});
    }
}

/// Settles the cells of the next bucket that is not empty.
void CheapestSearch::settle_bucket() {
    for (std::size_t k = 0; k < buckets_[bucket_].size(); ++k) {
        const Node node = buckets_[bucket_][k];
        if (node.cost != node.tile->get(node.key)) continue;  // a cheaper path was found since
        if (expansions_ >= budget_ || node.cost > most_cost) {
            cut_ = true;
            return;
        }
        ++expansions_;
        expand(node);
    }
    buckets_[bucket_] = {};
    while (++bucket_ < buckets_.size() && buckets_[bucket_].empty()) {
    }
    std::erase_if(missing_, [&](std::size_t g) {
        if (!found(g)) return false;
        waiting_.emplace_back(best(goals_[g]), static_cast<int>(g));
        return true;
    });
}

PathStatus CheapestSearch::known(std::size_t goal) const {
    if (found(goal)) return PathStatus::found;
    if (blocked(goal)) return PathStatus::goal_blocked;
    if (over()) return cut_ ? PathStatus::gave_up : PathStatus::unreachable;
    return PathStatus::too_far;
}

PathStatus CheapestSearch::find(std::size_t goal, std::uint32_t bound) {
    while (known(goal) == PathStatus::too_far && least_open() <= bound) settle_bucket();
    const PathStatus status = known(goal);
    return status == PathStatus::found && cost(goal) > bound ? PathStatus::too_far : status;
}

int CheapestSearch::find_next(std::uint32_t bound) {
    const auto nearest = [&] { return std::min_element(waiting_.begin(), waiting_.end()); };
    while (waiting_.empty() && !missing_.empty() && !over() && least_open() <= bound) settle_bucket();
    if (waiting_.empty() || nearest()->first > bound) return -1;
    const int goal = nearest()->second;
    waiting_.erase(nearest());
    return goal;
}

std::uint32_t CheapestSearch::cost(std::size_t goal) const {
    if (found(goal)) return best(goals_[goal]);
    if (blocked(goal) || over()) return no_bound;
    return std::max(octile_cost(start_, goals_[goal]), least_open());
}

Path CheapestSearch::path(std::size_t goal) const {
    Path path{PathStatus::found, {goals_[goal]}, best(goals_[goal])};
    for (Cell at = goals_[goal]; at != start_; path.cells.push_back(at)) {
        const SearchTile& tile = memory_->tile(tile_of(at));
        at = at - steps[tile.from[key_in_tile(at)]];
    }
    std::reverse(path.cells.begin(), path.cells.end());
    return path;
}

}  // namespace outrider
