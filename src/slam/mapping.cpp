#include "slam/mapping.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "grid/hit_crossing.hpp"
#include "outrider/error.hpp"
#include "slam/echoes.hpp"
#include "slam/scan_beams.hpp"
#include "slam/scan_window.hpp"

namespace outrider {
namespace {

/// Where an x and a y crossing both lie this close to a measured range, in units of the range, the hit is ambiguous:
/// rounding moves a range by half a unit, and the two crossings by half a unit each.
constexpr double ambiguous_units = 1.2;

/// Working memory of a thread, reused when the next robot draws.
struct Work {
    std::vector<Point> directions;
    ScanBeams beams;
    ScanWindow window;
};

/// One scan that is being drawn.
class Drawing {
  public:
    Drawing(const ScanGeometry& geometry, const Lattice& lattice, const MappingOptions& options, Work& work)
        : geometry_(geometry),
          lattice_(lattice),
          options_(options),
          directions_(work.directions),
          beams_(work.beams),
          window_(work.window) {}

    void draw(const KnownMap& map, const Pose& body, const Scan& scan);

  private:
    void take(const Scan& scan, Point origin);
    void draw_cones(const KnownMap& map, const Scan& scan, Point origin);
    void draw_rays(double jump, double reach);
    void join_hits();
    void settle_ambiguous_hits(const KnownMap& map);
    void claim_body(const KnownMap& map, Point centre, Point sensor, const Scan& scan);
    void keep_safe_inside(const KnownMap& map);

    const ScanGeometry& geometry_;
    const Lattice& lattice_;
    const MappingOptions& options_;
    std::vector<Point>& directions_;
    ScanBeams& beams_;
    ScanWindow& window_;
};

/// Takes back the walls that stand where the map saw free space in the last `steps`: somebody may be passing by.
void drop_doubtful(const KnownMap& map, TileCoord t, CellTile& claims, std::uint32_t step, std::uint32_t steps) {
    const CellTile* before = map.tile(t);
    if (!before) return;
    for (int row = 0; row < tile_size; ++row) {
        const auto r = static_cast<std::size_t>(row);
        std::uint64_t doubtful = 0;
        for (std::uint64_t left = claims.occupied.rows[r] & before->free_row(row); left != 0; left &= left - 1) {
            const int column = std::countr_zero(left);
            if (step < map.stamp({t.x * tile_size + column, t.y * tile_size + row}) + steps) doubtful |= left & -left;
        }
        for (BitTile* plane : {&claims.known, &claims.occupied, &claims.safe}) plane->rows[r] &= ~doubtful;
    }
}

/// Where poses err, a wall is seen now here, now a few cells beside, though it stays where it is. Takes back, beyond
/// `near` cells from the sensor, what says less than the map: free cells within `margin` of what the scan did not see
/// to be free, where the map has a wall (a beam along a wall that is a little off would wipe out a stretch of it, and
/// leave a gap behind which there seems to be more); and walls at free cells within `margin` of a wall of the map.
void keep_walls(const KnownMap& map, ScanWindow& window, Cell sensor, int margin, double near) {
    const auto seen_free = [&](Cell c) {
        if (!window.contains(tile_of(c))) return false;
        const CellTile& claims = window.tile(tile_of(c)).claims;
        return claims.known.test(c) && !claims.occupied.test(c);
    };
    const auto all_around = [&](Cell c, const auto& holds) {
        for (int dy = -margin; dy <= margin; ++dy)
            for (int dx = -margin; dx <= margin; ++dx)
                if (!holds(c + Cell{dx, dy})) return false;
        return true;
    };
    const auto no_wall = [&](Cell c) { return !map.is_occupied(c); };
    std::vector<Cell> dropped;
    for (const ScanWindow::Tile& t : window.tiles()) {
        const CellTile* before = t.used ? map.tile(t.at) : nullptr;
        for (int row = 0; before && row < tile_size; ++row) {
            const auto r = static_cast<std::size_t>(row);
            const std::uint64_t walls = before->occupied.rows[r] & t.claims.free_row(row);
            std::uint64_t doubtful = walls | (before->free_row(row) & t.claims.occupied.rows[r]);
            for (; doubtful != 0; doubtful &= doubtful - 1) {
                const int column = std::countr_zero(doubtful);
                const Cell c = cell_of(t.at, column, row);
                if (static_cast<double>(squared_distance(c, sensor)) <= near * near) continue;
                if (!(walls >> column & 1 ? all_around(c, seen_free) : all_around(c, no_wall))) dropped.push_back(c);
            }
        }
    }
    for (const Cell c : dropped) window.tile(tile_of(c)).claims.set(c, CellState::unknown);
}

}  // namespace

HitCells locate_hit(const Ray& ray, double range, double tolerance) {
    const double start_minor = ray.x_major ? ray.start.y : ray.start.x;
    HitCrossings<double> hit = find_crossings<double>(ray, start_minor, range, tolerance);
    // A ray that runs along an edge by less than rounding crosses it many columns from where the formula says: before
    // it or behind it.
    for (double away = 2; hit.lost; away = away > 0 ? -away : 2 - away)
        hit = find_crossings<double>(ray, start_minor, range, tolerance, away);
    const auto cell = [&](double column, double minor) {
        return ray.cell(static_cast<int>(column), static_cast<int>(minor));
    };
    if (!hit.two) return {{cell(hit.column, hit.minor), {}}, 1, hit.seen};
    return {{cell(hit.column, hit.minor), cell(hit.other_column, hit.other_minor)}, 2, hit.seen};
}

ScanMapper::ScanMapper(const SensorSpec& sensor, const Lattice& lattice, const MappingOptions& options)
    : geometry_(sensor), lattice_(lattice), options_(options) {}

void ScanMapper::insert(KnownMap& map, const Pose& body, const Scan& scan, std::uint32_t step) {
    thread_local Work work;
    Drawing(geometry_, lattice_, options_, work).draw(map, body, scan);
    if (step != step_) footprint_.clear();
    step_ = step;
    news_ = 0;
    if (options_.error_cells > 0)
        keep_walls(map, work.window, lattice_.cell_of(geometry_.origin(body)), options_.error_cells,
                   options_.safe_share * lattice_.cells(geometry_.spec().max_range_m));
    for (ScanWindow::Tile& t : work.window.tiles()) {
        if (!t.used) continue;
        if (options_.doubt_steps > 0)
            drop_doubtful(map, t.at, t.claims, step, static_cast<std::uint32_t>(options_.doubt_steps));
        const CellTile* before = map.tile(t.at);
        for (std::size_t i = 0; i < tile_size; ++i)
            news_ += std::popcount(t.claims.known.rows[i] & ~(before ? before->known.rows[i] : 0));
        map.observe(t.at, t.claims, step);
        footprint_.emplace_back(t.at, t.claims.known);
    }
}

void Drawing::draw(const KnownMap& map, const Pose& body, const Scan& scan) {
    const Point origin = lattice_.to_cells(geometry_.origin(body));
    const double max_range = lattice_.cells(geometry_.spec().max_range_m);
    geometry_.directions(body.yaw, directions_);
    if (geometry_.spec().cone > 0) {
        draw_cones(map, scan, origin);
        window_.claim(lattice_.cell_of(body.position()), CellState::safe_free);
        return;
    }
    take(scan, origin);

    const double gap = geometry_.spec().step_angle > 0 ? options_.max_gap_cells / geometry_.spec().step_angle : 0;
    const bool polygon = options_.update == MapUpdate::polygon && beams_.size() > 1;
    const bool whole = options_.update == MapUpdate::whole_polygon && beams_.size() > 1;
    const bool safe = options_.safe_share > 0 && beams_.size() > 1;
    if (polygon) window_.fill(beams_.outline(gap > 0 ? gap : max_range), &CellTile::known);
    if (whole) window_.fill(beams_.whole_outline(max_range), &CellTile::known);
    if (safe) window_.fill(beams_.outline(options_.safe_share * max_range), &CellTile::safe);
    if (!whole) draw_rays(polygon && gap == 0 ? options_.jump_cells : 0, polygon && gap == 0 ? max_range : 0);

    if (beams_.size() > 1) join_hits();
    for (const std::size_t i : beams_.sure()) window_.claim_wall(beams_.cell(i));
    settle_ambiguous_hits(map);

    if (safe) keep_safe_inside(map);
    for (const std::size_t i : beams_.sure()) window_.claim_safe(beams_.cell(i));
    window_.claim(lattice_.cell_of(body.position()), CellState::safe_free);
    if (geometry_.spec().mount.position() != Point{}) claim_body(map, lattice_.to_cells(body.position()), origin, scan);
}

void Drawing::draw_cones(const KnownMap& map, const Scan& scan, Point origin) {
    const SensorSpec& sensor = geometry_.spec();
    constexpr double longest_arc_m = 0.5;  // half a door
    std::vector<Echo> echoes;
    double farthest = lattice_.cells(norm(sensor.mount.position()));  // the body's own cell
    for (std::size_t i = 0; i < scan.ranges.size(); ++i) {
        if (scan.ranges[i] == Scan::no_information) continue;
        const double length = lattice_.cells(beam_length_m(sensor, scan.ranges[i]));
        echoes.push_back(
            {directions_[i], length, lattice_.cells(sensor.range_unit_m), scan.ranges[i] != Scan::nothing});
        farthest = std::max(farthest, length);
    }
    const Cell here{static_cast<int>(std::floor(origin.x)), static_cast<int>(std::floor(origin.y))};
    const int reach = static_cast<int>(farthest) + 2;
    window_.begin({here.x - reach, here.y - reach}, {here.x + reach, here.y + reach});
    draw_echoes(map, origin, sensor.cone, echoes, lattice_.cells(longest_arc_m), window_);
}

/// Marks what the beams touched: those that are longer than a neighbour by more than `jump` cells, or all for 0. What
/// lies inside of the outline of this reach is marked already; 0: none was filled.
void Drawing::draw_rays(double jump, double reach) {
    window_.begin_rays();
    const ScanBeams::Sectors sectors(geometry_.spec().step_angle, reach);
    for (std::size_t i = 0; i < beams_.size(); ++i)
        if (beams_.range(i) > 0 && (jump == 0 || beams_.beyond_neighbour(i) > jump)) {
            const ScanBeams::Stretch drawn = reach > 0 ? beams_.inside_outline(i, sectors) : ScanBeams::Stretch{};
            window_.mark_ray(beams_.ray(i), beams_.hit(i) ? beams_.seen(i) : beams_.range(i), !beams_.hit(i), drawn);
        }
    window_.finish_rays();
}

/// Ranges in cells, hits in their cells, and a window that holds them all.
void Drawing::take(const Scan& scan, Point origin) {
    OUTRIDER_CHECK(static_cast<int>(scan.ranges.size()), ==, geometry_.beams());
    const SensorSpec& sensor = geometry_.spec();
    const double unit = lattice_.cells(sensor.range_unit_m);
    beams_.take(origin, directions_, scan.ranges, {unit, lattice_.cells(sensor.max_range_m), ambiguous_units * unit});
    const auto [low, high] = beams_.extent();
    // The body's own cell may lie beside the sensor, and where a unit is more than a cell, a candidate beyond the end
    // of its beam.
    const int mount = static_cast<int>(std::ceil(lattice_.cells(norm(sensor.mount.position())))),
              margin = std::max(mount, static_cast<int>(ambiguous_units * unit));
    window_.begin({low.x - margin, low.y - margin}, {high.x + margin, high.y + margin});
}

/// Closes the wall between neighbouring hits that lie close together. Only far away, where the beams are more than a
/// cell apart: nearer, they miss no cell but those seen at a grazing angle, and a gap may be a door. And only along a
/// surface, where the segment continues in the direction of the one before or after it: a jump in depth is no wall.
void Drawing::join_hits() {
    const auto fill = [&](Cell c) {
        if (!window_.claimed(c)) window_.claim(c, CellState::occupied);
    };
    for (const std::int32_t hit :
         beams_.along_walls(options_.join_cells, 1 / std::max(1e-9, geometry_.spec().step_angle))) {
        const auto i = static_cast<std::size_t>(hit);
        const Cell a = beams_.cell(i), b = beams_.cell(i + 1);
        if (squared_distance(a, b) <= 2) continue;
        if (a.x == b.x) {  // most walls lie along the grid
            for (int y = std::min(a.y, b.y) + 1; y < std::max(a.y, b.y); ++y) fill({a.x, y});
        } else if (a.y == b.y) {
            for (int x = std::min(a.x, b.x) + 1; x < std::max(a.x, b.x); ++x) fill({x, a.y});
        } else {
            walk_segment({a.x + 0.5, a.y + 0.5}, {b.x + 0.5, b.y + 0.5}, [&](Cell c, double) {
                if (c != a && c != b) fill(c);
                return true;
            });
        }
    }
}

/// From the body's centre to a sensor that measures there is body, and no wall. No beam measures this.
void Drawing::claim_body(const KnownMap& map, Point centre, Point sensor, const Scan& scan) {
    const auto measured = [](std::uint16_t r) { return r != Scan::no_information; };
    if (std::none_of(scan.ranges.begin(), scan.ranges.end(), measured)) return;
    walk_segment(centre, sensor, [&](Cell c, double) {
        if (!window_.claimed(c) && !map.is_occupied(c)) window_.claim(c, CellState::free);
        return true;
    });
}

/// Of two candidates one is the wall. When the other is known to be free, this one is taken to be occupied, though not
/// for sure; otherwise nothing is learned: a guess could hide a passage, and a robot that comes nearer will see it
/// straight on.
void Drawing::settle_ambiguous_hits(const KnownMap& map) {
    const auto free = [&](Cell c) {
        const CellTile& here = window_.tile(tile_of(c)).claims;
        return map.is_free(c) || (here.known.test(c) && !here.occupied.test(c));
    };
    for (const std::size_t i : beams_.ambiguous()) {
        const bool first = free(beams_.cell(i)), second = free(beams_.other_cell(i));
        const Cell wall = first ? beams_.other_cell(i) : beams_.cell(i);
        if (first != second && !window_.claimed(wall)) window_.claim(wall, CellState::occupied);
    }
}

/// Of the cells marked safe, keeps those that are free and have no unknown neighbour: a rim stays a frontier.
void Drawing::keep_safe_inside(const KnownMap& map) {
    for (ScanWindow::Tile& t : window_.tiles()) {
        auto& safe = t.claims.safe.rows;
        if (!t.used || std::all_of(safe.begin(), safe.end(), [](std::uint64_t row) { return row == 0; })) continue;
        std::array<const CellTile*, 9> known, claimed;  // the tile and its neighbours, in the map and in the window
        for (int k = 0; k < 9; ++k) {
            const TileCoord at{t.at.x + k % 3 - 1, t.at.y + k / 3 - 1};
            known[static_cast<std::size_t>(k)] = map.tile(at);
            claimed[static_cast<std::size_t>(k)] = window_.contains(at) ? &window_.tile(at).claims : nullptr;
        }
        const auto known_row = [&](std::size_t column, int row) {
            const std::size_t k = static_cast<std::size_t>(3 * ((row >> 6) + 1)) + column,
                              i = static_cast<std::size_t>(row & 63);
            return (known[k] ? known[k]->known.rows[i] : 0) | (claimed[k] ? claimed[k]->known.rows[i] : 0);
        };
        const auto inside = [&](int row) {  // cells known with those beside them in the row
            const std::uint64_t k = known_row(1, row);
            return k == 0 ? 0 : k & (k << 1 | known_row(0, row) >> 63) & (k >> 1 | known_row(2, row) << 63);
        };
        int first = 0, last = tile_size - 1;
        while (safe[static_cast<std::size_t>(first)] == 0) ++first;
        while (safe[static_cast<std::size_t>(last)] == 0) --last;
        std::uint64_t below = inside(first - 1), here = inside(first);
        for (int row = first; row <= last; ++row) {
            const auto i = static_cast<std::size_t>(row);
            const std::uint64_t above = inside(row + 1);
            safe[i] &= t.claims.known.rows[i] & ~t.claims.occupied.rows[i] & below & here & above;
            below = std::exchange(here, above);
        }
    }
}

}  // namespace outrider
