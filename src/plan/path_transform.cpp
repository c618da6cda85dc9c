#include "outrider/path_transform.hpp"

#include <cmath>

#include "outrider/error.hpp"
#include "plan/repaired_field.hpp"

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

FieldCounters PathTransform::counters() const {
    return {field_->changed_count(), field_->touched(), field_->rebuilds()};
}

}  // namespace outrider
