#include "plan/path_transform.hpp"

#include <algorithm>
#include <cmath>

#include "outrider/error.hpp"
#include "plan/repaired_field.hpp"
#include "plan/search_memory.hpp"
#include "plan/steps.hpp"
#include "plan/wall_distance.hpp"

namespace outrider {
namespace {

struct DangerRules {
    using Value = std::uint32_t;
    static constexpr Value none = no_bound;
    const PathTransform& transform;
    const WallDistance& walls;

    Value source(Cell c) const { return transform.danger_cost(walls.squared(c)); }
    Value through(Cell c, Value v, std::uint32_t step) const {
        const std::uint64_t own = transform.danger_cost(walls.squared(c)), sum = std::uint64_t{v} + step + own;
        return own == none || sum >= none ? none : static_cast<Value>(sum);
    }
    static Value least(Value v, std::uint32_t) { return v; }
    static std::size_t level(Value v) { return v / straight_cost; }
};

}  // namespace

struct PathTransform::Field : RepairedField<DangerRules> {};

PathTransform::PathTransform(const DangerOptions& options, double cell_m) : field_(std::make_unique<Field>()) {
    const double safe = options.safe_m / cell_m, least = options.min_m / cell_m;
    const bool open = options.danger == Danger::near_and_open;
    if (least > WallDistance::max_horizon_cells)
        fail("min_m = {}: expected at most {} m, which is {} cells", options.min_m,
             WallDistance::max_horizon_cells * cell_m, WallDistance::max_horizon_cells);
    const double farthest = open ? 50 : std::max(safe, least);  // what is farther from walls is no more dangerous
    horizon_ = std::clamp(static_cast<int>(std::ceil(std::max(farthest, least))), 1, WallDistance::max_horizon_cells);
    for (int squared = 0; squared <= horizon_ * horizon_ + 1; ++squared) {
        const double distance = std::min<double>(std::sqrt(squared), horizon_), d = std::min(distance, farthest);
        const bool counts = options.danger != Danger::none && (d < safe || open);
        const double cells = counts ? options.weight * (safe - d) * (safe - d) : 0;
        danger_.push_back(distance < least ? no_bound
                                           : static_cast<std::uint32_t>(
                                                 std::lround(straight_cost * std::min(cells, most_danger_cells))));
    }
}
PathTransform::~PathTransform() = default;
PathTransform::PathTransform(PathTransform&&) noexcept = default;
PathTransform& PathTransform::operator=(PathTransform&&) noexcept = default;

std::uint32_t PathTransform::danger_cost(int squared_distance) const {
    return danger_[std::min(static_cast<std::size_t>(squared_distance), danger_.size() - 1)];
}

void PathTransform::update(const NavMap& nav, const WallDistance& walls, std::span<const Cell> goals) {
    OUTRIDER_CHECK(walls.horizon(), >=, horizon_);
    const DistanceChanges changes = walls.changes_since(seen_);
    if (changes.everything) *field_ = {};
    nav_ = &nav;
    walls_ = &walls;
    std::vector<Cell> sources = usable_sources(nav, goals);
    const DangerRules rules{*this, walls};
    std::erase_if(sources, [&](Cell c) { return rules.source(c) == no_bound; });
    field_->update(rules, nav, changes.list, std::move(sources));
}

std::uint32_t PathTransform::cost(Cell c) const { return field_->value(c); }

Path PathTransform::path(Cell from) const {
    if (cost(from) == no_bound) return {PathStatus::unreachable};
    Path path{PathStatus::found, {from}, cost(from)};
    for (const DangerRules rules{*this, *walls_};;) {
        const Cell next = field_->next(rules, *nav_, path.cells.back());
        if (next == path.cells.back()) return path;
        path.cells.push_back(next);
    }
}

Path PathTransform::search(const NavMap& nav, const WallDistance& walls, Cell from, std::span<const Cell> goals) const {
    OUTRIDER_CHECK(walls.horizon(), >=, horizon_);
    struct Node {
        SearchTile* tile;
        std::uint32_t key, cost;
    };
    // By cost, one straight step each: no step leads to its own bucket, so a bucket can be taken in any order. The
    // longest step is less than all buckets together, so that they can be used round and round.
    thread_local std::array<std::vector<Node>, 256> buckets;
    static_assert(diagonal_cost + most_danger_cells * straight_cost < 255 * straight_cost);
    for (auto& bucket : buckets) bucket.clear();
    std::size_t queued = 0;
    SearchMemory& memory = search_memory();
    memory.begin(nav);
    const auto offer = [&](SearchTile& tile, std::uint32_t key, std::uint32_t cost, std::uint8_t came) {
        tile.set(key, cost);
        tile.from[key] = came;
        buckets[cost / straight_cost % buckets.size()].push_back({&tile, key, cost});
        ++queued;
    };
    TileTable<BitTile> wanted;
    for (const Cell g : goals) wanted.at(tile_of(g)).set(g);
    const auto danger = [&](Cell c) { return danger_cost(walls.squared(c)); };
    if (!nav.passable(from) || danger(from) == no_bound) return {PathStatus::unreachable};
    constexpr std::uint8_t from_nowhere = 8;
    offer(memory.tile(tile_of(from)), key_in_tile(from), danger(from), from_nowhere);

    std::optional<Node> best;  // of the goals in the bucket at hand
    for (std::size_t b = danger(from) / straight_cost; queued > 0 && !best; b = (b + 1) % buckets.size())
        for (auto& bucket = buckets[b]; !bucket.empty();) {
            const Node node = bucket.back();
            bucket.pop_back();
            --queued;
            if (node.tile->get(node.key) != node.cost) continue;  // a cheaper path was found since
            const int column = static_cast<int>(node.key & 63), row = static_cast<int>(node.key >> 6);
            const Cell at = cell_of(node.tile->at, column, row);
            if (const BitTile* tile = wanted.find(node.tile->at); tile && tile->test(at)) {
                const auto order = [](const Node& n) {
                    return std::pair(n.cost, cell_of(n.tile->at, n.key & 63, n.key >> 6));
                };
                if (!best || order(node) < order(*best)) best = node;
                continue;
            }
            for (unsigned moves = allowed_steps[passable_around(nav, at)]; moves; moves &= moves - 1) {
                const auto d = static_cast<std::size_t>(std::countr_zero(moves));
                SearchTile& next = memory.at(*node.tile, column + steps[d].x, row + steps[d].y);
                const std::uint32_t key = key_in_tile(at + steps[d]), there = next.get(key);
                const std::uint32_t cost = node.cost + step_cost[d];
                if (cost >= there) continue;
                const std::uint32_t own = danger(at + steps[d]);
                if (own >= there - cost) continue;
                offer(next, key, cost + own, static_cast<std::uint8_t>(d));
            }
        }
    if (!best) return {PathStatus::unreachable};
    Path path{PathStatus::found, {cell_of(best->tile->at, best->key & 63, best->key >> 6)}, best->cost};
    const auto came = [&](Cell c) { return memory.tile(tile_of(c)).from[key_in_tile(c)]; };
    while (came(path.cells.back()) != from_nowhere)
        path.cells.push_back(path.cells.back() - steps[came(path.cells.back())]);
    std::reverse(path.cells.begin(), path.cells.end());
    return path;
}

FieldCounters PathTransform::counters() const {
    return {field_->changed_count(), field_->touched(), field_->rebuilds()};
}

}  // namespace outrider
