// SLAM: one scan of 180 beams in a hall.
#include <benchmark/benchmark.h>

#include <cmath>

#include "outrider/rng.hpp"
#include "slam/localise_slam.hpp"
#include "slam/map_quality.hpp"
#include "slam/particle_slam.hpp"
#include "slam/wide_search.hpp"

using namespace outrider;

namespace {

/// Ends of beams in a hall of 20 m x 12 m with four pillars, in the frame of the body.
std::vector<Point> scan(const Pose& at) {
    std::vector<Point> ends;
    for (int i = 0; i < 180; ++i) {
        const auto [s, c] = sin_cos(at.yaw + radians(i - 90.0));
        double r = 30;
        if (c > 0) r = std::min(r, (20 - at.x) / c);
        if (c < 0) r = std::min(r, -at.x / c);
        if (s > 0) r = std::min(r, (12 - at.y) / s);
        if (s < 0) r = std::min(r, -at.y / s);
        for (const Point p : {Point{5, 4}, {5, 8}, {15, 4}, {15, 8}}) {
            const double along = (p.x - at.x) * c + (p.y - at.y) * s, off = (p.y - at.y) * c - (p.x - at.x) * s;
            if (along > 0 && std::abs(off) < 0.3) r = std::min(r, along - std::sqrt(0.09 - off * off));
        }
        const auto [sb, cb] = sin_cos(radians(i - 90.0));
        ends.push_back({r * cb, r * sb});
    }
    return ends;
}

SlamOptions options(SlamMethod method) {
    SlamOptions o;
    o.method = method;
    return o;
}

/// A map with what was seen from a circle.
CountedMap hall() {
    CountedMap map({});
    std::vector<Point> world;
    for (int i = 0; i < 60; ++i) {
        const auto [s, c] = sin_cos(0.1 * i);
        const Pose at{10 + 3 * c, 6 + 3 * s, 0.1 * i};
        draw_scan(map, at, {}, scan(at), world);
    }
    return map;
}

void slam_match(benchmark::State& state) {
    const CountedMap map = hall();
    const std::vector<Point> ends = scan({11, 7, 0.3});
    for (auto _ : state) benchmark::DoNotOptimize(match_scan(map, ends, {11.05, 6.96, 0.33}, {}, {}));
}
BENCHMARK(slam_match)->Unit(benchmark::kMicrosecond);

void slam_insert(benchmark::State& state) {
    CountedMap map = hall();
    const Pose at{11, 7, 0.3};
    const std::vector<Point> ends = scan(at);
    std::vector<Point> world;
    for (auto _ : state) draw_scan(map, at, {}, ends, world);
}
BENCHMARK(slam_insert)->Unit(benchmark::kMicrosecond);

void slam_wide_search(benchmark::State& state) {
    const CountedMap map = hall();
    const std::vector<Point> ends = scan({11, 7, 0.3});
    for (auto _ : state) benchmark::DoNotOptimize(search_wide(map, ends, {11.5, 6.5, 0.6}, {}));
}
BENCHMARK(slam_wide_search)->Unit(benchmark::kMicrosecond);

/// Thirty copies of a map, each of which then draws one scan.
void slam_resample(benchmark::State& state) {
    CountedMap map = hall();
    const Pose at{11, 7, 0.3};
    const std::vector<Point> ends = scan(at);
    std::vector<Point> world;
    for (auto _ : state) {
        std::vector<CountedMap> copies;
        for (int i = 0; i < 30; ++i) copies.push_back(map.fork());
        for (CountedMap& m : copies) draw_scan(m, at, {}, ends, world);
    }
}
BENCHMARK(slam_resample)->Unit(benchmark::kMicrosecond);

/// Contrast and order of a map, as hyper compares them.
void slam_map_quality(benchmark::State& state) {
    const CountedMap map = hall();
    for (auto _ : state) benchmark::DoNotOptimize(map_quality(map));
}
BENCHMARK(slam_map_quality)->Unit(benchmark::kMicrosecond);

/// Where in a given map a scan was taken, of all places.
void slam_search_everywhere(benchmark::State& state) {
    const CountedMap map = hall();
    const std::vector<Point> ends = scan({11, 7, 0.3});
    for (auto _ : state) benchmark::DoNotOptimize(search_everywhere(map, ends));
}
BENCHMARK(slam_search_everywhere)->Unit(benchmark::kMillisecond);

void slam_update(benchmark::State& state) {
    const auto slam = make_slam(options(static_cast<SlamMethod>(state.range(0))), {13, 6, 0}, 1);
    Pose at{13, 6, 0};
    for (auto _ : state) {
        state.PauseTiming();
        const Pose motion{0.15, 0, 0.05};
        at = compose(at, motion);
        const std::vector<Point> ends = scan(at);
        state.ResumeTiming();
        slam->update({motion, {}}, {}, ends);
    }
}
BENCHMARK(slam_update)->DenseRange(1, 4)->Unit(benchmark::kMicrosecond);

}  // namespace
