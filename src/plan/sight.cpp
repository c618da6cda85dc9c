#include "plan/sight.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <optional>

#include "outrider/ray.hpp"

namespace outrider {
namespace {

/// Of the squares that a ray passes at once, in cells.
constexpr int side = 8;

bool is_wall(CellState state) { return state == CellState::occupied || state == CellState::safe_occupied; }

bool in_same_square(Cell a, Cell b) { return (((a.x ^ b.x) | (a.y ^ b.y)) & ~(side - 1)) == 0; }

/// The highest bit of each byte that is 0.
std::uint64_t zero_bytes(std::uint64_t v) {
    constexpr std::uint64_t low = 0x7f7f7f7f7f7f7f7fu;
    return ~(((v & low) + low) | v | low);
}

/// A tile of the map and which of its squares of 8 x 8 cells are all unknown or all free: a ray passes those at once.
class SightTile {
  public:
    SightTile() = default;
    explicit SightTile(const CellTile* tile) : cells_(tile) {
        for (std::size_t band = 0; band < bands; ++band) {
            std::uint64_t some_known = 0, all_known = ~std::uint64_t{0}, occupied = 0;
            for (std::size_t y = band * side; tile && y < (band + 1) * side; ++y) {
                some_known |= tile->known.rows[y];
                all_known &= tile->known.rows[y];
                occupied |= tile->occupied.rows[y];
            }
            unknown_[band] = zero_bytes(some_known);
            free_[band] = tile ? zero_bytes(~all_known | occupied) : 0;
        }
    }

    bool all_unknown(Cell c) const { return of_square(unknown_, c); }
    bool all_free(Cell c) const { return of_square(free_, c); }
    bool unknown(Cell c) const { return !cells_ || !cells_->known.test(c); }
    bool occupied(Cell c) const { return cells_ && cells_->occupied.test(c); }

  private:
    static constexpr std::size_t bands = tile_size / side;
    static bool of_square(const std::array<std::uint64_t, bands>& squares, Cell c) {
        return squares[static_cast<std::size_t>((c.y & 63) / side)] >> ((c.x & 63) | (side - 1)) & 1;
    }

    const CellTile* cells_ = nullptr;
    std::array<std::uint64_t, bands> unknown_{}, free_{};  // the highest bit of each square's eight
};

/// The tiles around a cell, each read when a ray comes to it.
class SightTiles {
  public:
    SightTiles(const KnownMap& map, Cell from, double range_cells)
        : map_(map),
          low_(tile_of({from.x - reach(range_cells), from.y - reach(range_cells)})),
          columns_(tile_of({from.x + reach(range_cells), from.y}).x - low_.x + 1),
          tiles_(static_cast<std::size_t>(columns_ * (tile_of({from.x, from.y + reach(range_cells)}).y - low_.y + 1))) {
    }

    const SightTile& at(Cell c) {
        const TileCoord t = tile_of(c);
        auto& tile = tiles_[static_cast<std::size_t>((t.y - low_.y) * columns_ + (t.x - low_.x))];
        if (!tile) tile.emplace(map_.tile(t));
        return *tile;
    }

  private:
    static int reach(double range_cells) { return static_cast<int>(std::ceil(range_cells)) + 2; }

    const KnownMap& map_;
    TileCoord low_;
    int columns_;
    std::vector<std::optional<SightTile>> tiles_;
};

/// Where a ray is: as walk_ray() visits cells, but it may go to the end of a square of cells at once.
class RayPlace {
  public:
    RayPlace(const Ray& ray) : ray_(ray), minor_(ray.entry(0)), columns_per_minor_(1 / ray.slope) {}

    Cell cell() const { return ray_.cell(column_, minor_); }
    double t() const { return t_; }

    void next_cell() {
        const int out = ray_.exit(column_);
        if (out != minor_)
            cross(out);
        else
            next_column(out);
    }
    /// To the first cell beyond the square of cells that it is in; false, and nothing done: that may be beyond max_t.
    bool leave_square(double max_t) {
        const int major = ray_.x_major ? cell().x : cell().y, in_square = major & (side - 1);
        const int last = column_ + (ray_.major_step > 0 ? side - 1 - in_square : in_square);
        if (ray_.t_column(last + 1) > max_t - 1) return false;  // by more than rounding
        const int out = ray_.exit(last);
        if (((out ^ minor_) & ~(side - 1)) == 0) {
            column_ = last;
            next_column(out);
            return true;
        }
        // The first column in which it crosses the edge of the square; exit() is monotone.
        const int edge = (minor_ & ~(side - 1)) + (ray_.slope > 0 ? side : 0);
        const auto beyond = [&](int column) {
            return ray_.slope > 0 ? ray_.exit(column) >= edge : ray_.exit(column) < edge;
        };
        int column = std::clamp(static_cast<int>((edge - ray_.base) * columns_per_minor_), column_, last);
        while (column > column_ && beyond(column - 1)) --column;
        while (!beyond(column)) ++column;
        column_ = column;
        minor_ = ray_.slope > 0 ? edge - 1 : edge;
        cross(ray_.exit(column));
        return true;
    }

  private:
    void cross(int out) {
        t_ = ray_.t_minor(std::max(minor_, out));
        minor_ = out;
    }
    void next_column(int in) {
        minor_ = in;
        t_ = ray_.t_column(++column_);
    }

    const Ray& ray_;
    int column_ = 0, minor_;
    double t_ = 0, columns_per_minor_;
};

/// Calls at_end(p) with the end of each ray, in cells. `plan`: whether there is one; robots without one pay nothing for
/// it.
template <bool plan, class End>
double in_sight(const MapView& map, Cell from, double range_cells, int rays, End&& at_end) {
    double area = 0;
    SightTiles tiles(map, from, range_cells);
    const Point middle{from.x + 0.5, from.y + 0.5};
    const double sector = pi / rays;  // half of the angle: a sector of radius r has r^2 times that
    for (int k = 0; k < rays; ++k) {
        const auto [s, c] = sin_cos(2 * pi * (k + 0.5) / rays);
        double since = -1;  // where the present stretch of unknown cells began; -1: none
        const auto leave = [&](double t) {
            if (since >= 0) area += sector * (t * t - since * since);
            since = -1;
        };
        double end = range_cells;
        const Ray ray(middle, {c, s});
        RayPlace at(ray);
        for (bool passed = true; passed && at.t() <= range_cells;) {
            const Cell first = at.cell();
            const SightTile& tile = tiles.at(first);
            if (!plan && tile.all_unknown(first)) {
                if (since < 0) since = at.t();
                if (at.leave_square(range_cells)) continue;
            } else if (tile.all_free(first)) {
                leave(at.t());
                if (at.leave_square(range_cells)) continue;
            }
            for (Cell cell = first; in_same_square(cell, first) && at.t() <= range_cells; cell = at.cell()) {
                const bool unknown = tile.unknown(cell);
                if (!unknown) leave(at.t());
                if (unknown ? plan && is_wall(map.prior(cell)) : tile.occupied(cell)) {
                    end = at.t();
                    passed = false;
                    break;
                }
                if (unknown && since < 0) since = at.t();
                at.next_cell();
            }
        }
        leave(end);
        at_end(Point{middle.x + end * c, middle.y + end * s});
    }
    return area;
}

/// Cells of a tile in the rows and columns in which it changed.
std::pair<Cell, Cell> box_of(const TileChange& change) {
    const auto first = [](std::uint64_t bits) { return std::countr_zero(bits) & 63; };
    const auto last = [](std::uint64_t bits) { return 63 - (std::countl_zero(bits) & 63); };
    return {cell_of(change.tile, first(change.columns), first(change.rows)),
            cell_of(change.tile, last(change.columns), last(change.rows))};
}

}  // namespace

double unknown_in_sight(const MapView& map, Cell from, double range_cells, int rays) {
    const auto ignore = [](Point) {};
    return map.has_prior() ? in_sight<true>(map, from, range_cells, rays, ignore)
                           : in_sight<false>(map, from, range_cells, rays, ignore);
}

double UnknownInSight::operator()(const KnownMap& map, Cell from, int rays) {
    constexpr std::size_t most_looks = 1024;
    forget_changed(map);
    const auto same = [&](const Look& l) { return l.from == from && l.rays == rays; };
    if (const auto kept = std::find_if(looks_.begin(), looks_.end(), same); kept != looks_.end()) return kept->area;
    Look look{from, rays, 0, from, from};
    look.area = in_sight<false>(map, from, range_cells_, rays, [&](Point end) {
        // A wall is entered at its edge: one more cell belongs to the ray.
        const Cell at{static_cast<int>(std::floor(end.x)), static_cast<int>(std::floor(end.y))};
        look.low = {std::min(look.low.x, at.x - 1), std::min(look.low.y, at.y - 1)};
        look.high = {std::max(look.high.x, at.x + 1), std::max(look.high.y, at.y + 1)};
    });
    if (looks_.size() >= most_looks) looks_.clear();
    looks_.push_back(look);
    return look.area;
}

void UnknownInSight::forget_changed(const KnownMap& map) {
    const MapChanges changes = map.changes_since(cursor_);
    if (changes.everything) looks_.clear();
    for (const TileChange& change : changes.list) {
        if (looks_.empty()) return;
        if (change.rows == 0) continue;  // claims are the same
        const auto [low, high] = box_of(change);
        std::erase_if(looks_, [&, low = low, high = high](const Look& l) {
            return l.low.x <= high.x && low.x <= l.high.x && l.low.y <= high.y && low.y <= l.high.y;
        });
    }
}

}  // namespace outrider
