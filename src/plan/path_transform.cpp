#include "outrider/path_transform.hpp"

#include <algorithm>
#include <cmath>

#include "outrider/error.hpp"
#include "plan/repaired_field.hpp"
#include "plan/steps.hpp"

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
    static std::size_t level(Value v) { return v / straight_cost; }
};

}  // namespace

struct PathTransform::Field : RepairedField<DangerRules> {};

PathTransform::PathTransform(const DangerOptions& options, double cell_m) : field_(std::make_unique<Field>()) {
    const double safe = options.safe_m / cell_m, least = options.min_m / cell_m;
    const bool open = options.danger == Danger::near_and_open;
    horizon_ = open ? 50 : std::max(1, static_cast<int>(std::ceil(std::max(safe, least))));
    horizon_ = std::min(horizon_, WallDistance::max_horizon_cells);
    for (int squared = 0; squared <= horizon_ * horizon_ + 1; ++squared) {
        const double d = std::min<double>(std::sqrt(squared), horizon_);
        const bool counts = options.danger != Danger::none && (d < safe || open);
        const double cells = counts ? options.weight * (safe - d) * (safe - d) : 0;
        danger_.push_back(
            d < least ? no_bound
                      : static_cast<std::uint32_t>(std::lround(straight_cost * std::min(cells, most_danger_cells))));
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
    const DistanceChanges changes = walls.changes_since(walls_ == &walls ? seen_ : ~std::uint64_t{0});
    if (changes.everything) *field_ = {};
    seen_ = walls.version();
    nav_ = &nav;
    walls_ = &walls;
    std::vector<Cell> sources = usable_sources(nav, goals);
    const DangerRules rules{*this, walls};
    std::erase_if(sources, [&](Cell c) { return rules.source(c) == no_bound; });
    field_->update(rules, nav, changes.cells, std::move(sources));
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
        std::uint32_t cost = no_bound;
        std::uint8_t came = 0;  // index of the step that led here
        bool goal = false;
    };
    struct Entry {
        std::uint32_t cost;
        Cell cell;
        /// For a heap with the cheapest on top; equal ones: by row, then column.
        bool operator<(const Entry& o) const { return cost != o.cost ? cost > o.cost : o.cell < cell; }
    };
    TileTable<std::unique_ptr<std::array<Node, tile_size * tile_size>>> nodes;
    const auto node = [&](Cell c) -> Node& {
        auto& tile = nodes.at(tile_of(c));
        if (!tile) tile = std::make_unique<std::array<Node, tile_size * tile_size>>();
        return (*tile)[static_cast<std::size_t>(row_in_tile(c) * tile_size + column_in_tile(c))];
    };
    for (const Cell g : goals) node(g).goal = nav.passable(g);
    const auto danger = [&](Cell c) { return danger_cost(walls.squared(c)); };
    if (!nav.passable(from) || danger(from) == no_bound) return {PathStatus::unreachable};
    std::vector<Entry> open{{danger(from), from}};
    node(from).cost = danger(from);
    while (!open.empty()) {
        std::pop_heap(open.begin(), open.end());
        const Entry at = open.back();
        open.pop_back();
        if (node(at.cell).cost != at.cost) continue;
        if (node(at.cell).goal) {
            Path path{PathStatus::found, {at.cell}, at.cost};
            while (path.cells.back() != from)
                path.cells.push_back(path.cells.back() - steps[node(path.cells.back()).came]);
            std::reverse(path.cells.begin(), path.cells.end());
            return path;
        }
        unsigned around = 0;
        for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx)
                around |= unsigned(nav.passable(at.cell + Cell{dx, dy})) << (3 * (dy + 1) + dx + 1);
        for (std::size_t d = 0; d < steps.size(); ++d) {
            if (!(allowed_steps[around] >> d & 1)) continue;
            const Cell next = at.cell + steps[d];
            const std::uint32_t own = danger(next);
            if (own == no_bound || own >= no_bound - at.cost - step_cost[d]) continue;
            const std::uint32_t cost = at.cost + step_cost[d] + own;
            Node& there = node(next);
            if (cost >= there.cost) continue;
            there.cost = cost;
            there.came = static_cast<std::uint8_t>(d);
            open.push_back({cost, next});
            std::push_heap(open.begin(), open.end());
        }
    }
    return {PathStatus::unreachable};
}

FieldCounters PathTransform::counters() const {
    return {field_->changed_count(), field_->touched(), field_->rebuilds()};
}

}  // namespace outrider
