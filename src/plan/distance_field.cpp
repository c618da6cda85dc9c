#include "plan/distance_field.hpp"

#include "plan/repaired_field.hpp"

namespace outrider {
namespace {

struct LengthRules {
    using Value = std::uint32_t;
    static constexpr Value none = no_bound;
    Value source(Cell) const { return 0; }
    Value through(Cell, Value v, std::uint32_t step) const { return v > most_cost ? none : v + step; }
    static Value least(Value v, std::uint32_t step) { return v + step; }
    static std::size_t level(Value v) { return v / straight_cost; }
};

}  // namespace

struct DistanceField::Field : RepairedField<LengthRules> {};

DistanceField::DistanceField() : field_(std::make_unique<Field>()) {}
DistanceField::~DistanceField() = default;
DistanceField::DistanceField(const DistanceField&) = default;
DistanceField::DistanceField(DistanceField&&) noexcept = default;

void DistanceField::update(const NavMap& nav, std::span<const Cell> sources) {
    nav_.it = &nav;
    field_->update(LengthRules{}, nav, {}, usable_sources(nav, sources));
}

std::uint32_t DistanceField::cost(Cell c) const { return field_->value(c); }

Path DistanceField::path(Cell from) const {
    if (cost(from) == no_bound) return {PathStatus::unreachable};
    Path path{PathStatus::found, {from}, cost(from)};
    while (cost(path.cells.back()) > 0) path.cells.push_back(field_->next(LengthRules{}, *nav_.it, path.cells.back()));
    return path;
}

FieldCounters DistanceField::counters() const {
    return {field_->changed_count(), field_->touched(), field_->rebuilds()};
}

}  // namespace outrider
