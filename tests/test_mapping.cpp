#include "helpers.hpp"
#include "sensing/ray_caster.hpp"
#include "slam/mapping.hpp"
#include "slam/scan_window.hpp"

using namespace outrider;

namespace test_mapping {
namespace {

SensorSpec sensor_of(int beams, double fov_deg, double range_m) {
    SensorOptions options;
    options.beams = beams;
    options.fov_deg = fov_deg;
    options.range_m = range_m;
    return options.spec();
}

/// A noise-free scan, as the simulator takes it.
Scan take_scan(const Grid<std::uint8_t>& walls, const WallField& field, const SensorSpec& spec, const Pose& pose) {
    const ScanGeometry geometry(spec);
    std::vector<Point> directions;
    geometry.directions(pose.yaw, directions);
    std::vector<double> lengths(directions.size());
    const Lattice& lattice = walls.lattice();
    cast_rays(field, lattice.to_cells(geometry.origin(pose)), directions, lattice.cells(spec.max_range_m), lengths);
    Scan scan;
    for (const double t : lengths)
        scan.ranges.push_back(std::isfinite(t) ? static_cast<std::uint16_t>(std::max(
                                                     1.0, std::floor(lattice.metres(t) / spec.range_unit_m + 0.5)))
                                               : Scan::nothing);
    return scan;
}

struct Places {
    Grid<std::uint8_t> walls;
    WallField field;
    std::vector<Pose> poses;
};

/// Maps with poses in free cells: centres with headings of whole degrees, and anywhere.
std::vector<Places> places(int maps, int poses, bool rooms = false) {
    std::vector<Places> out;
    for (int m = 0; m < maps; ++m) {
        Places p;
        const auto seed = static_cast<std::uint64_t>(m) + 1;
        p.walls = rooms ? rooms_map(260, 240, seed) : random_map(260, 240, seed, m % 3 == 0 ? 0.002 : 0.01);
        p.field = WallField(p.walls);
        Rng rng(static_cast<std::uint64_t>(m), 3, Purpose::placement, 0);
        while (static_cast<int>(p.poses.size()) < poses) {
            const Cell c{static_cast<int>(rng.below(260)), static_cast<int>(rng.below(240))};
            if (p.walls[c]) continue;
            const Point centre = p.walls.lattice().centre(c);
            if (p.poses.size() % 2 == 0)
                p.poses.push_back({centre.x, centre.y, radians(static_cast<int>(rng.below(8)) * 45 - 135)});
            else
                p.poses.push_back(
                    {centre.x + rng.uniform(-0.049, 0.049), centre.y + rng.uniform(-0.049, 0.049), rng.uniform(-3, 3)});
        }
        out.push_back(std::move(p));
    }
    return out;
}

struct Errors {
    std::int64_t filled = 0, falsely_free = 0;
};

/// Compares every believed-free cell with the truth.
Errors compare(const KnownMap& map, const Grid<std::uint8_t>& walls) {
    Errors e;
    map.cells().for_each([&](TileCoord t, const CellTile& tile) {
        for (int row = 0; row < tile_size; ++row)
            for (std::uint64_t bits = tile.free_row(row); bits; bits &= bits - 1) {
                ++e.filled;
                e.falsely_free += walls.get(cell_of(t, std::countr_zero(bits), row), 1) != 0;
            }
    });
    return e;
}

}  // namespace

TEST_CASE("each noise-free hit is found in its own cell, or among two candidates when both crossings are near") {
    const SensorSpec spec = sensor_of(181, 180, 20);
    std::int64_t hits = 0, ambiguous = 0;
    for (const Places& p : places(6, 40)) {
        const Lattice& lattice = p.walls.lattice();
        const ScanGeometry geometry(spec);
        std::vector<Point> directions;
        for (const Pose& pose : p.poses) {
            const Scan scan = take_scan(p.walls, p.field, spec, pose);
            geometry.directions(pose.yaw, directions);
            for (std::size_t i = 0; i < directions.size(); ++i) {
                if (scan.ranges[i] == Scan::nothing) continue;
                const Ray ray(lattice.to_cells(pose.position()), directions[i]);
                Cell truth{-1, -1};
                walk_ray(ray, 1e4, [&](Cell c, double) {
                    truth = c;
                    return p.walls.get(c, 1) == 0;
                });
                const HitCells found =
                    locate_hit(ray, lattice.cells(scan.ranges[i] * spec.range_unit_m), lattice.cells(1.2e-3));
                REQUIRE(found.count > 0);
                const bool right = found.cells[0] == truth || (found.count == 2 && found.cells[1] == truth);
                CHECK(right);
                ++hits;
                ambiguous += found.count == 2;
            }
        }
    }
    CHECK(hits > 20000);
    MESSAGE("ambiguous hits: " << 100.0 * static_cast<double>(ambiguous) / static_cast<double>(hits) << " % of "
                               << hits);
    CHECK(static_cast<double>(ambiguous) < 0.2 * static_cast<double>(hits));
}

TEST_CASE("a hit lies at the crossing nearest to its range, of all crossings") {
    Rng rng(8, 0, Purpose::placement, 0);
    int compared = 0, two = 0;
    for (int k = 0; k < 20000; ++k) {
        const Point at{rng.uniform(-50, 50), rng.uniform(-50, 50)};
        const auto [s, c] = sin_cos(k % 20 == 0 ? radians(90.0 * (k % 4)) : rng.uniform(-3, 3));
        const Ray ray(at, {c, s});
        const double range = rng.uniform(0.01, 60), tolerance = 0.05;
        struct Crossing {
            double t = std::numeric_limits<double>::infinity(), second = t;  // the nearest, and how far off the next is
            Cell cell;
        } column, minor;
        const auto look = [&](Crossing& best, double t, Cell cell) {
            if (std::abs(t - range) < std::abs(best.t - range)) {
                best = {t, std::abs(best.t - range), cell};
            } else {
                best.second = std::min(best.second, std::abs(t - range));
            }
        };
        for (int j = 0; ray.t_column(j) < range + 5; ++j) {
            if (j > 0) look(column, ray.t_column(j), ray.cell(j, ray.entry(j)));
            if (const int in = ray.entry(j), out = ray.exit(j); in != out)
                look(minor, ray.t_minor(std::max(in, out)), ray.cell(j, out));
        }
        const double off_column = std::abs(column.t - range), off_minor = std::abs(minor.t - range);
        const bool tie = column.second - off_column < 1e-9 || minor.second - off_minor < 1e-9 ||
                         std::abs(off_column - off_minor) < 1e-9;
        if (tie) continue;
        ++compared;
        const HitCells found = locate_hit(ray, range, tolerance);
        if (off_column <= tolerance && off_minor <= tolerance && column.cell != minor.cell) {
            ++two;
            REQUIRE(found.count == 2);
            CHECK(found.cells[0] == column.cell);
            CHECK(found.cells[1] == minor.cell);
            CHECK(found.t == std::min(column.t, minor.t));
        } else {
            REQUIRE(found.count == 1);
            CHECK(found.cells[0] == (off_minor < off_column ? minor.cell : column.cell));
            if (off_column > tolerance || off_minor > tolerance)
                CHECK(found.t == (off_minor < off_column ? minor.t : column.t));
        }
    }
    CHECK(compared > 18000);
    CHECK(two > 50);
}

TEST_CASE("hits of rays that run along an edge of cells by less than rounding are found, on either side of the guess") {
    Rng rng(3, 0, Purpose::placement, 0);
    int crossed = 0;
    for (int k = 0; k < 4000; ++k) {
        double minor = static_cast<double>(rng.below(100)) - 50;
        const bool below = rng.below(2) == 0;
        for (std::uint32_t ulps = rng.below(4); ulps > 0; --ulps) minor = std::nextafter(minor, below ? -1e9 : 1e9);
        const double slope = (below ? 1 : -1) * rng.uniform(0.2, 20) * 1e-17, major = rng.uniform(-20, 20);
        const bool along_x = rng.below(2) == 0, back = rng.below(2) == 0;
        const double ahead = back ? -1 : 1;
        const Ray ray = along_x ? Ray({major, minor}, {ahead, slope}) : Ray({minor, major}, {slope, ahead});
        const int start = along_x ? ray.start.y : ray.start.x;
        walk_ray(ray, 200, [&](Cell c, double t) {
            if ((along_x ? c.y : c.x) == start) return true;
            const HitCells found = locate_hit(ray, t, 1e-9);
            const std::span cells(found.cells.data(), static_cast<std::size_t>(found.count));
            CHECK(std::find(cells.begin(), cells.end(), c) != cells.end());
            ++crossed;
            return false;
        });
    }
    CHECK(crossed > 1000);
}

TEST_CASE("hits are located the same on every path, to the last bit") {
    Rng rng(7, 0, Purpose::placement, 0);
    std::int64_t hits = 0, two = 0, lost = 0;
    for (int scan = 0; scan < 600; ++scan) {
        const auto n = static_cast<std::size_t>(1 + rng.below(60));
        const Point at{rng.uniform(-50, 50), scan % 2 == 0 ? rng.uniform(-50, 50) : 12.5};
        std::vector<Point> directions;
        std::vector<double> ranges;
        for (std::size_t i = 0; i < n; ++i) {
            const auto [s, c] =
                sin_cos(rng.below(4) == 0 ? radians(45.0 * static_cast<double>(i % 8)) : rng.uniform(-3, 3));
            directions.push_back({c, s});
            ranges.push_back(0.01 * static_cast<double>(1 + rng.below(20000)));
        }
        for (const RayPath path : ray_paths()) {
            CAPTURE(static_cast<int>(path));
            // One more than asked for: nothing is written there.
            std::vector<std::int32_t> candidates(n + 1, 1), x(n + 1, 77), y(x), other_x(x), other_y(x);
            std::vector<double> seen(n + 1, 77);
            candidates[n / 2] = 0;  // no hit
            ray_kernel(path).locate(
                {at, directions.data(), static_cast<int>(n)}, ranges.data(), 0.012,
                {candidates.data(), x.data(), y.data(), other_x.data(), other_y.data(), seen.data()});
            for (std::size_t i = 0; i < n; ++i) {
                if (i == n / 2) {
                    CHECK(candidates[i] == 0);
                    continue;
                }
                ++hits;
                if (candidates[i] < 0) {
                    ++lost;
                    continue;
                }
                const HitCells found = locate_hit(Ray(at, directions[i]), ranges[i], 0.012);
                CHECK(candidates[i] == found.count);
                CHECK(Cell{x[i], y[i]} == found.cells[0]);
                if (found.count == 2) CHECK(Cell{other_x[i], other_y[i]} == found.cells[1]);
                CHECK(seen[i] == found.t);
                two += found.count == 2;
            }
            CHECK(candidates[n] == 1);
            CHECK(x[n] == 77);
            CHECK(other_y[n] == 77);
            CHECK(seen[n] == 77);
        }
    }
    CHECK(hits > 10000);
    CHECK(two > 10);
    CHECK(lost * 1000 < hits);
}

TEST_CASE("hits located several at a time are those located one by one") {
    Rng rng(5, 0, Purpose::placement, 0);
    std::int64_t hits = 0;
    for (int scan = 0; scan < 600; ++scan) {
        const SensorSpec spec = sensor_of(2 + static_cast<int>(rng.below(190)), 360, 20);
        // Anywhere, in the middle of a cell, and on a corner of one, with headings along the grid, too.
        const double x = static_cast<int>(rng.below(400)) - 200, y = static_cast<int>(rng.below(400)) - 200;
        const int kind = scan % 3;
        const Point at{x + (kind == 0 ? rng.uniform(0, 1) : 0.5 * (kind - 1)),
                       y + (kind == 0 ? rng.uniform(0, 1) : 0.5 * (kind - 1))};
        std::vector<Point> directions;
        ScanGeometry(spec).directions(scan % 2 == 0 ? rng.uniform(-3, 3) : radians(45.0 * (scan % 8)), directions);
        std::vector<std::uint16_t> ranges(directions.size());
        for (std::uint16_t& r : ranges)  // in hundredths of a cell
            r = rng.below(9) == 0   ? Scan::nothing
                : rng.below(9) == 0 ? Scan::no_information
                : rng.below(3) == 0 ? static_cast<std::uint16_t>(50 * (1 + rng.below(400)))
                                    : static_cast<std::uint16_t>(1 + rng.below(20000));
        ScanBeams beams;
        beams.take(at, directions, ranges, {0.01, 180, 0.012});
        std::size_t sure = 0, ambiguous = 0;
        REQUIRE(beams.size() == directions.size());
        for (std::size_t i = 0; i < directions.size(); ++i) {
            const bool hit = ranges[i] != Scan::nothing && ranges[i] != Scan::no_information;
            const double range = ranges[i] == Scan::nothing ? 180 : std::min(ranges[i] * 0.01, 180.0);
            CHECK(beams.hit(i) == hit);
            CHECK(beams.range(i) == range);
            if (!hit) continue;
            const HitCells found = locate_hit(Ray(at, directions[i]), range, 0.012);
            const auto& list = found.count == 1 ? beams.sure() : beams.ambiguous();
            std::size_t& next = found.count == 1 ? sure : ambiguous;
            REQUIRE(next < list.size());
            CHECK(list[next++] == i);
            CHECK(beams.cell(i) == found.cells[0]);
            if (found.count == 2) CHECK(beams.other_cell(i) == found.cells[1]);
            CHECK(beams.seen(i) == found.t);
            ++hits;
        }
        CHECK(beams.sure().size() == sure);
        CHECK(beams.ambiguous().size() == ambiguous);
    }
    CHECK(hits > 20000);
}

TEST_CASE("a cell is filled when a line from its centre crosses the outline an odd number of times") {
    Rng rng(6, 0, Purpose::placement, 0);
    for (int scan = 0; scan < 40; ++scan) {
        const Point at{rng.uniform(-100, 100), rng.uniform(-100, 100)};
        std::vector<Point> directions;
        ScanGeometry(sensor_of(60, scan % 2 == 0 ? 180 : 360, 20)).directions(rng.uniform(-3, 3), directions);
        std::vector<std::uint16_t> ranges(directions.size());
        for (std::uint16_t& r : ranges) r = static_cast<std::uint16_t>(rng.below(7000));
        ScanBeams beams;
        beams.take(at, directions, ranges, {0.01, 100, 0.012});
        ScanWindow window;
        const auto [low, high] = beams.extent();
        window.begin(low, high);
        const double reach = scan % 3 == 0 ? 20 : 100;
        window.fill(beams.outline(reach), &CellTile::known);

        std::vector<Point> corners{at};
        for (std::size_t i = 0; i + 1 < directions.size(); ++i) {
            const double length = std::min({beams.range(i), beams.range(i + 1), reach});
            corners.push_back(at + directions[i] * length);
            corners.push_back(at + directions[i + 1] * length);
        }
        int unlike = 0;
        for (int y = low.y; y <= high.y; ++y)
            for (int x = low.x; x <= high.x; ++x) {
                int crossed = 0;
                for (std::size_t k = 0; k < corners.size(); ++k) {
                    const Point a = corners[k], b = corners[(k + 1) % corners.size()];
                    if ((a.y < y + 0.5) == (b.y < y + 0.5)) continue;
                    crossed += a.x + (y + 0.5 - a.y) * (b.x - a.x) / (b.y - a.y) <= x + 0.5;
                }
                unlike += window.claimed({x, y}) != (crossed % 2 == 1);
            }
        CHECK(unlike == 0);
    }
}

TEST_CASE("per_beam, and the polygon up to a gap of one cell, never mark a wall as free") {
    for (const bool gap : {false, true}) {
        MappingOptions options;
        options.update = gap ? MapUpdate::polygon : MapUpdate::per_beam;
        options.max_gap_cells = gap ? 1 : 0;
        Errors sum;
        for (const Places& p : places(6, 25)) {
            for (const double range : {5.0, 20.0}) {
                const SensorSpec spec = sensor_of(181, 180, range);
                ScanMapper mapper(spec, p.walls.lattice(), options);
                for (const Pose& pose : p.poses) {
                    KnownMap map(p.walls.lattice());
                    mapper.insert(map, pose, take_scan(p.walls, p.field, spec, pose), 0);
                    const Errors e = compare(map, p.walls);
                    sum.filled += e.filled;
                    sum.falsely_free += e.falsely_free;
                }
            }
        }
        CHECK(sum.filled > 500000);
        CHECK(sum.falsely_free == 0);
    }
}

TEST_CASE("per_beam marks exactly the cells that the beams touched") {
    MappingOptions options;
    options.update = MapUpdate::per_beam;
    options.safe_share = 0;
    options.join_cells = 0;
    const SensorSpec spec = sensor_of(91, 270, 6);
    for (const Places& p : places(3, 10)) {
        const Lattice& lattice = p.walls.lattice();
        ScanMapper mapper(spec, lattice, options);
        const ScanGeometry geometry(spec);
        std::vector<Point> directions;
        for (const Pose& pose : p.poses) {
            KnownMap map(lattice);
            const Scan scan = take_scan(p.walls, p.field, spec, pose);
            mapper.insert(map, pose, scan, 0);
            geometry.directions(pose.yaw, directions);
            Grid<std::uint8_t> touched(260, 240);
            for (std::size_t i = 0; i < directions.size(); ++i) {
                const Ray ray(lattice.to_cells(pose.position()), directions[i]);
                walk_ray(ray, lattice.cells(spec.max_range_m), [&](Cell c, double) {
                    if (p.walls.get(c, 1)) return false;
                    touched[c] = 1;
                    return true;
                });
            }
            for (std::size_t k = 0; k < touched.cells().size(); ++k) {
                const Cell c = touched.cell(k);
                // An ambiguous hit leaves the cells between its two candidates out: a free cell may be missing, never
                // added.
                if (map.is_free(c)) CHECK(touched[c]);
                const double away = distance(lattice.centre(c), pose.position());
                if (touched[c] && away < 0.5) CHECK(map.is_free(c));
            }
        }
    }
}

TEST_CASE("the polygon also takes what a beam saw past an edge: of each beam that is longer than one beside it") {
    MappingOptions options, without, beams;
    options.safe_share = without.safe_share = beams.safe_share = 0;
    without.jump_cells = 1000;
    beams.update = MapUpdate::per_beam;
    options.join_cells = without.join_cells = beams.join_cells = 0;
    const SensorSpec spec = sensor_of(181, 180, 20);
    std::size_t won = 0;
    for (const Places& p : places(3, 10)) {
        const Lattice& lattice = p.walls.lattice();
        for (const Pose& pose : p.poses) {
            const Scan scan = take_scan(p.walls, p.field, spec, pose);
            KnownMap map(lattice), plain(lattice);
            ScanMapper(spec, lattice, options).insert(map, pose, scan, 0);
            ScanMapper(spec, lattice, without).insert(plain, pose, scan, 0);
            // Beams alone, without those that are not longer than both beside them by more than two cells.
            const auto length = [&](std::size_t i) {
                const std::uint16_t r = scan.ranges[i];
                return lattice.cells(r == Scan::nothing ? spec.max_range_m : r * spec.range_unit_m);
            };
            Scan jumps = scan;
            for (std::size_t i = 0; i < scan.ranges.size(); ++i) {
                double beside = length(i);
                if (i > 0) beside = std::min(beside, length(i - 1));
                if (i + 1 < scan.ranges.size()) beside = std::min(beside, length(i + 1));
                if (length(i) - beside <= options.jump_cells) jumps.ranges[i] = Scan::no_information;
            }
            KnownMap far(lattice);
            ScanMapper(spec, lattice, beams).insert(far, pose, jumps, 0);
            for (std::size_t k = 0; k < p.walls.cells().size(); ++k) {
                const Cell c = p.walls.cell(k);
                if (map.is_occupied(c)) continue;
                CHECK(map.is_free(c) == (plain.is_free(c) || far.is_free(c)));
                won += map.is_free(c) && !plain.is_free(c);
            }
        }
    }
    CHECK(won > 1000);
}

TEST_CASE("among rooms the polygon marks at most 0.01 % of its cells as free though they are walls") {
    const SensorSpec spec = sensor_of(181, 180, 20);
    Errors sum;
    for (const Places& p : places(20, 40, true)) {
        ScanMapper mapper(spec, p.walls.lattice(), {});
        for (const Pose& pose : p.poses) {
            KnownMap map(p.walls.lattice());
            mapper.insert(map, pose, take_scan(p.walls, p.field, spec, pose), 0);
            const Errors e = compare(map, p.walls);
            sum.filled += e.filled;
            sum.falsely_free += e.falsely_free;
        }
    }
    CHECK(sum.filled > 500000);
    MESSAGE("falsely free: " << 100.0 * static_cast<double>(sum.falsely_free) / static_cast<double>(sum.filled)
                             << " %");
    CHECK(static_cast<double>(sum.falsely_free) <= 1e-4 * static_cast<double>(sum.filled));
}

TEST_CASE("in an empty hall the polygon is half a disc, the safe part a smaller one") {
    Grid<std::uint8_t> walls(200, 200, 0, Lattice{0.1});
    const WallField field(walls);
    const SensorSpec spec = sensor_of(181, 180, 5);
    KnownMap map(walls.lattice());
    ScanMapper mapper(spec, walls.lattice(), {});
    const Pose pose{10.05, 10.05, pi / 2};
    mapper.insert(map, pose, take_scan(walls, field, spec, pose), 0);
    const double cells = static_cast<double>(map.count(false)), half_disc = pi * 50 * 50 / 2;
    CHECK(cells == doctest::Approx(half_disc).epsilon(0.02));
    CHECK(map.count(true) == 0);
    std::int64_t safe = 0;
    map.cells().for_each([&](TileCoord, const CellTile& tile) { safe += tile.safe.count(); });
    CHECK(safe > 10);
    CHECK(safe < pi * 5 * 5 / 2);  // a tenth of the range, without the rim beside the unknown behind
    for (int y = 0; y < 200; ++y)
        for (int x = 0; x < 200; ++x) {
            const Point centre = walls.lattice().centre({x, y});
            const double r = distance(centre, pose.position());
            if (map.is_free({x, y}))
                CHECK((r <= 5.0 && centre.y >= pose.y - 1e-9));
            else if (r < 4.9)
                CHECK(centre.y < pose.y + 0.05);
        }
}

TEST_CASE("a wall seen by neighbouring beams is closed, its ends are the exact hits") {
    std::vector<std::string> rows(40, std::string(60, '.'));
    rows[10] = std::string(60, '#');
    const Grid<std::uint8_t> walls = text_map(rows);
    const WallField field(walls);
    const SensorSpec spec = sensor_of(181, 180, 8);
    KnownMap map(walls.lattice());
    ScanMapper mapper(spec, walls.lattice(), {});
    const Pose pose{3.05, 0.55, pi / 2};
    mapper.insert(map, pose, take_scan(walls, field, spec, pose), 0);
    int occupied = 0, safe = 0;
    for (int x = 10; x < 50; ++x) {
        occupied += map.is_occupied({x, 29});
        safe += map.state({x, 29}) == CellState::safe_occupied;
        CHECK(map.state({x, 30}) == CellState::unknown);
        CHECK(map.is_free({x, 27}));
    }
    CHECK(occupied == 40);
    CHECK(safe >= 35);
}

TEST_CASE(
    "between the body's centre and a sensor ahead of it nothing is unknown, unless the sensor sees nothing at all") {
    Grid<std::uint8_t> walls(200, 200, 0, Lattice{0.1});
    const WallField field(walls);
    for (const double yaw : {0.0, 0.4, 1.9, -2.6}) {
        SensorSpec spec = sensor_of(181, 180, 5);
        spec.mount = {0.42, 0.11, 0};
        const Pose pose{10.05, 10.07, yaw};
        const Scan scan = take_scan(walls, field, spec, pose);
        KnownMap map(walls.lattice());
        ScanMapper(spec, walls.lattice(), {}).insert(map, pose, scan, 0);
        const Point sensor = transform(pose, spec.mount.position());
        for (double share = 0; share <= 1; share += 0.01)
            CHECK(map.is_free(walls.lattice().cell_of(pose.position() + (sensor - pose.position()) * share)));
        KnownMap blind(walls.lattice());
        ScanMapper(spec, walls.lattice(), {})
            .insert(blind, pose, Scan{0, std::vector<std::uint16_t>(181, Scan::no_information), {}, 0}, 0);
        CHECK(blind.count(false) == 1);
    }
}

TEST_CASE("where a unit of range is many cells, a scan claims the same wherever the edges of tiles lie") {
    const Lattice lattice{1};
    SensorSpec spec = sensor_of(181, 360, 30);
    spec.range_unit_m = 10;  // either of two cells may be the wall when both lie within 12 of the range
    const Scan scan{0, std::vector<std::uint16_t>(181, 2), {}, 0};
    const auto claims = [&](Cell at) {
        KnownMap map(lattice);
        ScanMapper(spec, lattice, {}).insert(map, {at.x + 0.5, at.y + 0.5, 0.1}, scan, 0);
        std::vector<std::pair<Cell, bool>> cells;
        for (int y = -40; y <= 40; ++y)
            for (int x = -40; x <= 40; ++x)
                if (map.state(at + Cell{x, y}) != CellState::unknown)
                    cells.push_back({{x, y}, map.is_occupied(at + Cell{x, y})});
        CHECK(cells.size() == map.count(true) + map.count(false));
        return cells;
    };
    const auto expected = claims({0, 0});
    for (int shift = 1; shift < tile_size; ++shift) CHECK(claims({shift, 5 * shift}) == expected);
}

TEST_CASE("beams without information and scans of nothing but maximal range are taken as they are") {
    const SensorSpec spec = sensor_of(181, 180, 4);
    const Lattice lattice{0.1};
    ScanMapper mapper(spec, lattice, {});
    Scan scan;
    scan.ranges.assign(181, Scan::no_information);
    KnownMap map(lattice);
    mapper.insert(map, {0.05, 0.05, 0}, scan, 0);
    CHECK(map.count(false) == 1);  // the cell that the robot stands in
    CHECK(map.count(true) == 0);
    scan.ranges.assign(181, Scan::nothing);
    mapper.insert(map, {0.05, 0.05, 0}, scan, 0);
    CHECK(map.count(false) > 2000);
    CHECK(map.count(true) == 0);
    scan.ranges.assign(181, 65000);  // more than the sensor can measure: bounded by its range
    KnownMap far(lattice);
    mapper.insert(far, {0.05, 0.05, 0}, scan, 0);
    CHECK(far.count(true) > 0);
    far.cells().for_each([&](TileCoord t, const CellTile&) { CHECK((std::abs(t.x) <= 1 && std::abs(t.y) <= 1)); });
    scan.ranges.resize(100);
    CHECK_THROWS_AS(mapper.insert(map, {}, scan, 0), CheckFailure);
}

TEST_CASE("where poses err, a scan that is a little off leaves the walls far away as they are") {
    // A corridor; the second scan is taken to be two cells beside where it was taken.
    std::vector<std::string> rows(21, '#' + std::string(158, '.') + '#');
    rows.front() = rows.back() = std::string(160, '#');
    const Grid<std::uint8_t> walls = text_map(rows);
    const WallField field(walls);
    const SensorSpec spec = sensor_of(361, 360, 8);
    const Pose pose{2.05, 1.05, 0}, off{2.05, 1.25, 0};
    const Scan scan = take_scan(walls, field, spec, pose);
    const double near = MappingOptions{}.safe_share * 80;
    for (const int error : {0, 2}) {
        CAPTURE(error);
        MappingOptions options;
        options.error_cells = error;
        ScanMapper mapper(spec, walls.lattice(), options);
        KnownMap once(walls.lattice(), {}, true), twice(walls.lattice(), {}, true);
        for (KnownMap* map : {&once, &twice}) mapper.insert(*map, pose, scan, 1);
        mapper.insert(twice, off, scan, 2);
        int gone = 0, come = 0;
        for (int y = -3; y < 24; ++y)
            for (int x = 0; x < 160; ++x) {
                const Cell c{x, y};
                if (distance(walls.lattice().centre(c), off.position()) < 0.1 * (near + 2)) continue;
                gone += once.is_occupied(c) && !twice.is_occupied(c);
                come += once.is_free(c) && twice.is_occupied(c);
            }
        if (error > 0)
            CHECK((gone == 0 && come == 0));
        else
            CHECK((gone > 20 && come > 20));
    }
}

TEST_CASE("where poses err, walls that are gone are still taken off the map, and new ones are drawn") {
    std::vector<std::string> rows(41, '#' + std::string(78, '.') + '#');
    rows.front() = rows.back() = std::string(80, '#');
    std::vector<std::string> with_box = rows;
    for (std::size_t y = 15; y < 20; ++y) with_box[y].replace(50, 5, "#####");
    const Grid<std::uint8_t> open = text_map(rows), closed = text_map(with_box);
    const SensorSpec spec = sensor_of(721, 360, 10);
    const Pose pose{1.05, 2.05, 0};
    const auto scan_of = [&](const Grid<std::uint8_t>& walls) {
        return take_scan(walls, WallField(walls), spec, pose);
    };
    MappingOptions options;
    options.error_cells = 2;
    ScanMapper mapper(spec, open.lattice(), options);
    KnownMap map(open.lattice(), {}, true);
    const auto in_box = [&] {
        int cells = 0;
        for (int y = 20; y < 27; ++y)
            for (int x = 49; x < 56; ++x) cells += map.is_occupied({x, y});
        return cells;
    };
    mapper.insert(map, pose, scan_of(open), 1);
    CHECK(in_box() == 0);
    mapper.insert(map, pose, scan_of(closed), 2);
    CHECK(in_box() >= 5);
    mapper.insert(map, pose, scan_of(open), 3);
    CHECK(in_box() == 0);
}

}  // namespace test_mapping
