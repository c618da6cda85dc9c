// The core against its yardsticks: scans, map update, frontiers, merging. tools/bench runs it and prints the ratios.
#include <optional>

#include <benchmark/benchmark.h>

#include "bench/yardsticks.hpp"
#include "outrider/detail/nav_map.hpp"
#include "outrider/rng.hpp"
#include "scenario/scenario.hpp"
#include "sensing/ray_caster.hpp"
#include "slam/mapping.hpp"

using namespace outrider;
using namespace outrider::bench;

namespace {

constexpr int pose_count = 64;

SensorSpec sensor(double range_m) {
    SensorOptions options;
    options.range_m = range_m;
    return options.spec();
}

struct Site {
    Bytes walls = map_for_scans();
    WallField field{walls};
    std::vector<Pose> poses;
    Site() {
        Rng rng(1, 0, Purpose::placement, 0);
        while (poses.size() < pose_count) {
            const Point p{rng.uniform(0, walls.width() * 0.1), rng.uniform(0, walls.height() * 0.1)};
            if (field.distance(walls.lattice().cell_of(p)) > 3) poses.push_back({p.x, p.y, rng.uniform(-3, 3)});
        }
    }
};
const Site& site() {
    static const Site s;
    return s;
}

/// Directions of every pose's beams, so that only casting is measured.
std::vector<std::vector<Point>> fans(const SensorSpec& spec) {
    const ScanGeometry geometry(spec);
    std::vector<std::vector<Point>> out;
    for (const Pose& pose : site().poses) geometry.directions(pose.yaw, out.emplace_back());
    return out;
}

Point origin_of(const Pose& pose) { return site().walls.lattice().to_cells(pose.position()); }

std::uint16_t units(double t) {
    return std::isfinite(t) ? static_cast<std::uint16_t>(std::max(1.0, std::floor(t * 100 + 0.5))) : Scan::nothing;
}

std::vector<Scan> scans(const SensorSpec& spec) {
    std::vector<Scan> out;
    const auto directions = fans(spec);
    for (std::size_t i = 0; i < directions.size(); ++i) {
        std::vector<double> lengths(directions[i].size());
        cast_rays(site().field, origin_of(site().poses[i]), directions[i], spec.max_range_m * 10, lengths);
        Scan& scan = out.emplace_back();
        for (const double t : lengths) scan.ranges.push_back(units(t));
    }
    return out;
}

void scan_yardstick(benchmark::State& state) {
    const double range = static_cast<double>(state.range(0));
    const auto directions = fans(sensor(range / 10));
    std::size_t i = 0;
    for (auto _ : state) {
        double sum = 0;
        for (const Point& d : directions[i]) sum += amanatides_woo(site().walls, origin_of(site().poses[i]), d, range);
        benchmark::DoNotOptimize(sum);
        i = (i + 1) % pose_count;
    }
}

void scan_with(benchmark::State& state, RayPath path) {
    if (!has_path(path)) {
        state.SkipWithError("not on this CPU");
        return;
    }
    const double range = static_cast<double>(state.range(0));
    const auto directions = fans(sensor(range / 10));
    std::vector<double> lengths(181);
    // First: equal to the yardstick on every beam, in units of the range.
    std::int64_t beams = 0, unequal = 0;
    for (std::size_t k = 0; k < pose_count; ++k) {
        cast_rays(site().field, origin_of(site().poses[k]), directions[k], range, lengths, path);
        for (std::size_t b = 0; b < lengths.size(); ++b, ++beams)
            unequal += units(lengths[b]) !=
                       units(amanatides_woo(site().walls, origin_of(site().poses[k]), directions[k][b], range));
    }
    state.counters["beams"] = static_cast<double>(beams);
    state.counters["unequal"] = static_cast<double>(unequal);
    std::size_t i = 0;
    for (auto _ : state) {
        cast_rays(site().field, origin_of(site().poses[i]), directions[i], range, lengths, path);
        benchmark::DoNotOptimize(lengths.data());
        i = (i + 1) % pose_count;
    }
}

/// Drawing scans into a map that knows nothing, so that everything is new.
void map_update(benchmark::State& state, MapUpdate update) {
    const SensorSpec spec = sensor(static_cast<double>(state.range(0)) / 10);
    const std::vector<Scan> taken = scans(spec);
    MappingOptions options;
    options.update = update;
    ScanMapper mapper(spec, site().walls.lattice(), options);
    std::size_t i = 0, cells = 0;
    std::uint32_t step = 0;  // scans of one step would be kept beside each other
    KnownMap map(site().walls.lattice());
    for (auto _ : state) {
        if (i == 0) map = KnownMap(site().walls.lattice());
        mapper.insert(map, site().poses[i], taken[i], step++);
        i = (i + 1) % pose_count;
    }
    // Cells that the beams touched: what a per-beam update has to mark.
    for (std::size_t k = 0; k < pose_count; ++k) {
        std::vector<Point> directions;
        ScanGeometry(spec).directions(site().poses[k].yaw, directions);
        for (std::size_t b = 0; b < directions.size(); ++b)
            walk_ray(Ray(origin_of(site().poses[k]), directions[b]), static_cast<double>(state.range(0)),
                     [&](Cell c, double) {
                         ++cells;
                         return site().walls.get(c, 1) == 0;
                     });
    }
    state.counters["per_cell"] =
        benchmark::Counter(static_cast<double>(cells) / pose_count,
                           benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

/// A map of 2000 x 2000 cells, four fifths of it known.
KnownMap large_map(std::uint64_t seed) {
    KnownMap map(Lattice{0.1});
    Rng rng(seed, 0, Purpose::placement, 0);
    TileTable<CellTile> tiles;
    for (int y = 0; y < 2000; ++y)
        for (int x = 0; x < 2000; ++x)
            if ((x / 50 + y / 50 * 7) % 5 != 0)
                tiles.at(tile_of({x, y})).set({x, y}, rng.below(40) == 0 ? CellState::occupied : CellState::free);
    tiles.for_each([&](TileCoord t, const CellTile& tile) { map.observe(t, tile, 0); });
    return map;
}

Bytes as_bytes(const KnownMap& map) {
    Bytes cells(2000, 2000);
    for (std::size_t i = 0; i < cells.cells().size(); ++i) {
        const CellState s = map.state(cells.cell(i));
        cells.cells()[i] = s == CellState::unknown ? 0 : s == CellState::free ? 1 : 2;
    }
    return cells;
}

void frontier_yardstick(benchmark::State& state) {
    const Bytes cells = as_bytes(large_map(1));
    std::vector<std::uint8_t> out;
    for (auto _ : state) benchmark::DoNotOptimize(scan_frontiers(cells, out));
}

void frontier_whole(benchmark::State& state) {
    const KnownMap map = large_map(1);
    for (auto _ : state) {
        NavMap nav(FrontierKind::unknown, 0);
        nav.update(map, {60, 60});
        benchmark::DoNotOptimize(nav.version());
    }
}

/// Upkeep after the map update of one scan: rows computed against rows changed.
void frontier_upkeep(benchmark::State& state) {
    const SensorSpec spec = sensor(10);
    const std::vector<Scan> taken = scans(spec);
    ScanMapper mapper(spec, site().walls.lattice(), {});
    std::size_t i = 0;
    std::uint32_t step = 0;
    KnownMap map(site().walls.lattice());
    NavMap nav(FrontierKind::unknown, 0);
    std::uint64_t changed = 0, computed = 0;
    for (auto _ : state) {
        state.PauseTiming();
        if (i == 0) {
            changed += nav.counters().rows_changed;
            computed += nav.counters().rows_computed;
            map = KnownMap(site().walls.lattice());
            nav = NavMap(FrontierKind::unknown, 0);
        }
        mapper.insert(map, site().poses[i], taken[i], step++);
        const Cell at = site().walls.lattice().cell_of(site().poses[0].position());
        i = (i + 1) % pose_count;
        state.ResumeTiming();
        nav.update(map, at);
    }
    if (changed > 0)
        state.counters["rows_computed_per_changed"] = static_cast<double>(computed) / static_cast<double>(changed);
}

void merge_yardstick(benchmark::State& state) {
    Bytes mine = as_bytes(large_map(1));
    const Bytes theirs = as_bytes(large_map(2));
    for (auto _ : state) {
        merge_bytes(mine, theirs);
        benchmark::DoNotOptimize(mine.cells().data());
    }
}

/// Merging a map that differs in so many of its 1024 tiles.
void merge_tiles(benchmark::State& state) {
    const KnownMap base = large_map(1);
    KnownMap theirs = base;
    for (int k = 0; k < state.range(0); ++k) {
        CellTile wall;
        wall.set({3, 3}, CellState::safe_occupied);
        theirs.observe({k % 32, k / 32 % 32}, wall, 0);
    }
    const MapSnapshot snapshot = theirs.snapshot();
    std::uint64_t compared = 0, merges = 0;
    KnownMap mine = base;
    mine.snapshot();
    std::optional<KnownMap> copy;  // taken apart while the clock stands
    for (auto _ : state) {
        state.PauseTiming();
        copy.emplace(mine);
        const std::uint64_t before = copy->counters().tiles_compared;
        state.ResumeTiming();
        copy->merge(snapshot);
        state.PauseTiming();
        compared += copy->counters().tiles_compared - before;
        ++merges;
        state.ResumeTiming();
    }
    state.counters["tiles_compared"] = static_cast<double>(compared) / static_cast<double>(merges);
}

}  // namespace

BENCHMARK(scan_yardstick)->Arg(100)->Arg(200);
BENCHMARK_CAPTURE(scan_with, portable, RayPath::portable)->Arg(100)->Arg(200);
BENCHMARK_CAPTURE(scan_with, avx2, RayPath::avx2)->Arg(100)->Arg(200);
BENCHMARK_CAPTURE(scan_with, avx512, RayPath::avx512)->Arg(100)->Arg(200);
BENCHMARK_CAPTURE(map_update, per_beam, MapUpdate::per_beam)->Arg(100)->Arg(200);
BENCHMARK_CAPTURE(map_update, polygon, MapUpdate::polygon)->Arg(100)->Arg(200);
BENCHMARK(frontier_yardstick)->Unit(benchmark::kMicrosecond);
BENCHMARK(frontier_whole)->Unit(benchmark::kMicrosecond);
BENCHMARK(frontier_upkeep);
BENCHMARK(merge_yardstick)->Unit(benchmark::kMicrosecond);
BENCHMARK(merge_tiles)->Arg(0)->Arg(10)->Arg(100)->Arg(1000);

BENCHMARK_MAIN();
