#include "learning/place_graph.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>

#include "learning/place_lattice.hpp"
#include "outrider/behaviours.hpp"
#include "outrider/features.hpp"

namespace outrider {
namespace {

constexpr int least_in_sight = 4;  // frontier cells: fewer are not worth a way

int floor_division(int a, int b) { return a >= 0 ? a / b : -((-a + b - 1) / b); }

TileCoord operator+(TileCoord at, Cell steps) { return {at.x + steps.x, at.y + steps.y}; }

Point middle(Cell c) { return {c.x + 0.5, c.y + 0.5}; }

/// The heading nearest to a direction; of two that are as near, that along an axis.
std::size_t heading_of(Cell direction) {
    constexpr double tan_half = 0.41421356237309503;  // of 22.5 degrees
    const int x = std::abs(direction.x), y = std::abs(direction.y);
    int heading = y <= tan_half * x ? 0 : x <= tan_half * y ? 2 : 1;
    if (direction.x < 0) heading = 4 - heading;
    if (direction.y < 0) heading = (PlaceGraph::headings - heading) % PlaceGraph::headings;
    return static_cast<std::size_t>(heading);
}

/// Whether the body can stand in a cell, for cells near each other.
class Passable {
  public:
    explicit Passable(const NavMap& nav) : nav_(&nav) {}
    bool operator()(Cell c) {
        if (const TileCoord t = tile_of(c); !tile_ || t != at_) {
            at_ = t;
            tile_ = nav_->tile(t);
        }
        return tile_ && tile_->pass[static_cast<std::size_t>(row_in_tile(c))] >> column_in_tile(c) & 1;
    }

  private:
    const NavMap* nav_;
    TileCoord at_;
    const NavTile* tile_ = nullptr;
};

}  // namespace

/// In the first step the sensor's range is known, and with it the spacing.
void PlaceGraph::begin(const Belief& belief) {
    const double cell_m = belief.map().lattice().cell_m;
    const double cells = options_.spacing_m > 0 ? options_.spacing_m / cell_m : sensor_range_cells(belief) / 5;
    spacing_ = static_cast<int>(std::lround(cells));
    if (options_.spacing_m > 0 && spacing_ < 1)
        fail("graph: spacing_m = {}: expected {} m, a cell, or more", options_.spacing_m, cell_m);
    spacing_ = std::max(spacing_, 1);
}

void PlaceGraph::update(const Belief& belief) {
    if (spacing_ == 0) begin(belief);
    fresh_ = false;
    const NavMap& nav = belief.nav();
    const RowChanges passable = nav.changes_since(seen_passable_),
                     frontiers = nav.frontier_changes_since(seen_frontiers_);
    if (passable.everything || frontiers.everything) {
        // A map that is drawn anew may be smaller: what was there is looked at again, too.
        places_.for_each([&](TileCoord t, const Place& place) {
            if (place.there && !place.dirty) dirty_.push_back(t);
        });
        for (const TileCoord t : dirty_) places_.find(t)->dirty = true;
        const auto [low, high] = belief.nav().extent();
        if (low.x <= high.x) mark(low, high);
    } else {
        for (const RowChanges& changes : {passable, frontiers})
            for (const RowChange& change : changes.list) {
                if (change.cells == 0) continue;
                mark(cell_of(change.tile, std::countr_zero(change.cells), change.row),
                     cell_of(change.tile, 63 - std::countl_zero(change.cells), change.row));
            }
    }
    const TileCoord here = nearest_to(belief.cell());
    const Cell off = belief.cell() - cell_at(here);
    if (2 * std::max(std::abs(off.x), std::abs(off.y)) <= spacing_) {
        Place& place = places_.at(here);
        place.visited = true;
        clear_utility(place);
    }
}

void PlaceGraph::clear_utility(Place& place) {
    place.utility = 0;
    place.ahead = {};
}

/// Computes what was marked. update() does not: most steps ask for nothing.
void PlaceGraph::refresh(const Belief& belief) {
    if (std::exchange(fresh_, true)) return;
    const NavMap& nav = belief.nav();
    for (const TileCoord t : dirty_) compute_place(nav, t);
    for (const TileCoord t : dirty_) compute_edges(nav, t);
    for (const TileCoord t : dirty_) places_.find(t)->dirty = false;
    dirty_.clear();
    find_current(belief);
    find_guideposts();
}

/// Places that may depend on a cell between these: on lines and in sight within two lattice steps.
void PlaceGraph::mark(Cell low, Cell high) {
    const int reach = 2 * spacing_;
    const TileCoord first{floor_division(low.x - reach + spacing_ - 1, spacing_),
                          floor_division(low.y - reach + spacing_ - 1, spacing_)},
        last{floor_division(high.x + reach, spacing_), floor_division(high.y + reach, spacing_)};
    for (std::int32_t y = first.y; y <= last.y; ++y)
        for (std::int32_t x = first.x; x <= last.x; ++x) {
            Place& place = places_.at({x, y});
            if (std::exchange(place.dirty, true)) continue;
            dirty_.push_back({x, y});
        }
}

void PlaceGraph::compute_place(const NavMap& nav, TileCoord at) {
    Place& place = *places_.find(at);
    place.there = nav.passable(cell_at(at));
    clear_utility(place);
    if (place.there && !place.visited) look_around(nav, cell_at(at), place);
}

/// The edges that a place owns, those to places above and to its right, at both ends.
void PlaceGraph::compute_edges(const NavMap& nav, TileCoord at) {
    Place& place = *places_.find(at);
    Passable passable(nav);
    for (int slot = neighbours / 2; slot < neighbours; ++slot) {
        const TileCoord to = at + step_of(slot);
        Place* const other = places_.find(to);
        const bool open = place.there && other && other->there && straight(passable, cell_at(at), cell_at(to));
        const auto set = [open](std::uint32_t& edges, int bit) {
            edges = (edges & ~(1u << bit)) | (open ? 1u << bit : 0u);
        };
        set(place.edges, slot);
        if (other) set(other->edges, neighbours - 1 - slot);
    }
}

/// Frontier cells within two lattice steps, in blocks of four by four cells: the first cell of a block, by row, then
/// column, decides for all of it.
void PlaceGraph::look_around(const NavMap& nav, Cell from, Place& place) const {
    const int reach = 2 * spacing_;
    const Cell low{from.x - reach, from.y - reach}, high{from.x + reach, from.y + reach};
    auto nearest = std::numeric_limits<std::int64_t>::max();
    Passable passable(nav);
    for (int y = low.y & ~3; y <= high.y; y += 4)
        for (std::int32_t tile_x = tile_of(low).x; tile_x <= tile_of(high).x; ++tile_x) {
            const TileCoord t{tile_x, tile_of({0, y}).y};
            const NavTile* const tile = nav.tile(t);
            if (!tile) continue;
            const int first = std::max(low.x - cell_of(t, 0, 0).x, 0), last = std::min(high.x - cell_of(t, 0, 0).x, 63);
            const std::uint64_t columns = ~std::uint64_t{0} << first & ~std::uint64_t{0} >> (63 - last);
            std::array<std::uint64_t, 4> rows{};
            std::uint64_t any = 0;
            for (int row = 0; row < 4; ++row) {
                if (y + row < low.y || y + row > high.y) continue;
                any |= rows[static_cast<std::size_t>(row)] =
                    tile->edge[static_cast<std::size_t>((y + row) & 63)] & columns;
            }
            while (any != 0) {
                const std::uint64_t block = std::uint64_t{15} << (std::countr_zero(any) & ~3);
                any &= ~block;
                int cells = 0;
                std::optional<Cell> frontier;
                for (int row = 0; row < 4; ++row) {
                    const std::uint64_t bits = rows[static_cast<std::size_t>(row)] & block;
                    cells += std::popcount(bits);
                    if (bits != 0 && !frontier) frontier = cell_of(t, std::countr_zero(bits), (y + row) & 63);
                }
                const std::int64_t far = squared_distance(from, *frontier);
                if (far > std::int64_t{reach} * reach || !straight(passable, from, *frontier)) continue;
                place.utility += cells;
                std::uint16_t& ahead = place.ahead[heading_of(*frontier - from)];
                ahead = static_cast<std::uint16_t>(std::min(ahead + cells, 0xffff));
                if (far >= nearest) continue;
                nearest = far;
                place.look = *frontier;
            }
        }
    if (place.utility < least_in_sight) clear_utility(place);
}

TileCoord PlaceGraph::nearest_to(Cell c) const {
    return {floor_division(c.x + spacing_ / 2, spacing_), floor_division(c.y + spacing_ / 2, spacing_)};
}

void PlaceGraph::find_current(const Belief& belief) {
    current_.reset();
    auto least = std::numeric_limits<std::int64_t>::max();
    const TileCoord here = nearest_to(belief.cell());
    for (std::int32_t y = here.y - 2; y <= here.y + 2; ++y)
        for (std::int32_t x = here.x - 2; x <= here.x + 2; ++x) {
            const Place* const place = places_.find({x, y});
            if (!place || !place->there || !belief.nav().reached(cell_at({x, y}))) continue;
            const std::int64_t far = squared_distance(cell_at({x, y}), belief.cell());
            if (far >= least) continue;
            least = far;
            current_ = {x, y};
        }
}

std::optional<Cell> PlaceGraph::current() const { return current_ ? std::optional(cell_at(*current_)) : std::nullopt; }

std::array<std::optional<Cell>, PlaceGraph::neighbours> PlaceGraph::around() const {
    std::array<std::optional<Cell>, neighbours> out;
    if (!current_) return out;
    for (int slot = 0; slot < neighbours; ++slot)
        if (places_.find(*current_)->edges >> slot & 1)
            out[static_cast<std::size_t>(slot)] = cell_at(*current_ + step_of(slot));
    return out;
}

std::optional<Cell> PlaceGraph::look_from(Cell at) const {
    const Place* const place = places_.find(nearest_to(at));
    return place && place->utility > 0 ? std::optional(place->look) : std::nullopt;
}

/// Dijkstra from the current place to the nearest one with utility, by length, then coordinate.
void PlaceGraph::find_guideposts() {
    places_.for_each_item([](Place& place) { place.guidepost = false; });
    guided_ = false;
    if (!current_) return;
    using Entry = std::pair<double, TileCoord>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
    TileTable<std::pair<double, int>> came;  // length so far plus one, and the slot that it was reached through
    came.at(*current_) = {1, -1};
    open.emplace(1, *current_);
    while (!open.empty()) {
        const auto [length, at] = open.top();
        open.pop();
        if (length > came.at(at).first) continue;
        if (places_.find(at)->utility > 0) {
            for (TileCoord t = at;;) {
                places_.find(t)->guidepost = true;
                const int slot = came.at(t).second;
                if (slot < 0) break;
                t = t + step_of(neighbours - 1 - slot);
            }
            guided_ = true;
            return;
        }
        for (int slot = 0; slot < neighbours; ++slot) {
            if (!(places_.find(at)->edges >> slot & 1)) continue;
            const Cell steps = step_of(slot);
            const TileCoord next = at + steps;
            const double further = length + std::hypot(steps.x, steps.y);
            std::pair<double, int>& before = came.at(next);
            if (before.first > 0 && before.first <= further) continue;
            before = {further, slot};
            open.emplace(further, next);
        }
    }
}

void PlaceGraph::mark_mates(const Belief& belief) {
    places_.for_each_item([](Place& place) { place.mate = false; });
    for (const auto& record : belief.team()) {
        const TeamMember& member = belief.briefing().team()[static_cast<std::size_t>(record->robot)];
        if (record->robot == belief.self() || record->seq == 0 || record->frame != belief.map().frame()) continue;
        if (!member.mobile) continue;
        const Cell cell = belief.map().lattice().cell_of(record->pose.position());
        if (Place* place = places_.find(nearest_to(cell)); place && place->there) place->mate = true;
    }
}

int PlaceGraph::fill(const Belief& belief, const Rows& rows) {
    refresh(belief);
    mark_mates(belief);
    const NavView nav = belief.nav();
    std::vector<TileCoord> shown;
    places_.for_each([&](TileCoord t, const Place& place) {
        if (place.there && nav.reached(cell_at(t))) shown.push_back(t);
    });
    const std::size_t most = rows.mask.size();
    if (shown.size() > most) {
        const auto nearer = [&](TileCoord a, TileCoord b) {
            const auto far = [&](TileCoord t) { return squared_distance(cell_at(t), belief.cell()); };
            return std::pair(far(a), a) < std::pair(far(b), b);
        };
        std::nth_element(shown.begin(), shown.begin() + static_cast<std::ptrdiff_t>(most), shown.end(), nearer);
        shown.resize(most);
        std::sort(shown.begin(), shown.end());
    }
    places_.for_each_item([](Place& place) { place.row = -1; });
    for (std::size_t i = 0; i < shown.size(); ++i) places_.find(shown[i])->row = static_cast<std::int32_t>(i);

    const double range = sensor_range_cells(belief);
    const auto in_ranges = [&](double cells) {
        return std::clamp(static_cast<float>(cells / range), -max_feature, max_feature);
    };
    constexpr std::size_t features = place_feature_names.size();
    std::fill(rows.neighbour.begin(), rows.neighbour.end(), -1);
    const Point at = belief.map().lattice().to_cells(belief.pose().position());
    for (std::size_t i = 0; i < shown.size(); ++i) {
        const Place& place = *places_.find(shown[i]);
        const Point there = middle(cell_at(shown[i]));
        float* const row = &rows.features[i * features];
        const auto set = [row](PlaceFeature f, float value) { row[static_cast<std::size_t>(f)] = value; };
        set(PlaceFeature::dx, in_ranges(there.x - at.x));
        set(PlaceFeature::dy, in_ranges(there.y - at.y));
        set(PlaceFeature::utility, in_ranges(place.utility));
        set(PlaceFeature::guidepost, place.guidepost);
        set(PlaceFeature::visited, place.visited);
        set(PlaceFeature::mate, place.mate);
        if (!rows.ahead.empty()) std::ranges::transform(place.ahead, &rows.ahead[i * headings], in_ranges);
        for (std::uint32_t edges = place.edges; edges != 0; edges &= edges - 1) {
            const int slot = std::countr_zero(edges);
            rows.neighbour[i * neighbours + static_cast<std::size_t>(slot)] =
                places_.find(shown[i] + step_of(slot))->row;
        }
    }
    for (std::size_t i = 0; i < most; ++i) rows.mask[i] = i < shown.size();
    std::ranges::fill(rows.features.subspan(shown.size() * features), 0.0f);
    if (!rows.ahead.empty()) std::ranges::fill(rows.ahead.subspan(shown.size() * headings), 0.0f);
    return current_ ? places_.find(*current_)->row : -1;
}

std::vector<Cell> PlaceGraph::places(const Belief& belief) const {
    std::vector<Cell> out;
    places_.for_each([&](TileCoord t, const Place& place) {
        if (place.there && belief.nav().reached(cell_at(t))) out.push_back(cell_at(t));
    });
    return out;
}

std::uint32_t PlaceGraph::edges_of(Cell place) const { return places_.find(nearest_to(place))->edges; }
int PlaceGraph::utility_of(Cell place) const { return places_.find(nearest_to(place))->utility; }
const std::array<std::uint16_t, PlaceGraph::headings>& PlaceGraph::ahead_of(Cell place) const {
    return places_.find(nearest_to(place))->ahead;
}

}  // namespace outrider
