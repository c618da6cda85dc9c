// Pose graphs of a robot that drives round a square, for tests.
#pragma once

#include <algorithm>
#include <vector>

#include "helpers.hpp"
#include "slam/pose_graph/g2o.hpp"

namespace pose_graph_helpers {

using namespace outrider;

inline constexpr Matrix3 precise{400, 20, 0, 20, 300, 10, 0, 10, 5000};

/// A robot that drives round a square several times, and sees on each round after the first where it was before.
struct Square {
    PoseGraph graph;
    std::vector<Pose> truth;
};

inline Square drive(int rounds, double noise, std::uint64_t seed) {
    Square out;
    Rng rng(seed, 0, Purpose::placement, 0);
    constexpr int around = 40;
    for (int i = 0; i < rounds * around; ++i) {
        const int side = i % around / 10, along = i % 10;
        const Point corners[]{{0, 0}, {10, 0}, {10, 10}, {0, 10}};
        const auto [s, c] = sin_cos(side * pi / 2);
        out.truth.push_back({corners[side].x + along * c, corners[side].y + along * s, wrap_angle(side * pi / 2)});
    }
    const auto measure = [&](int from, int to) {
        Pose seen =
            compose(inverse(out.truth[static_cast<std::size_t>(from)]), out.truth[static_cast<std::size_t>(to)]);
        seen.x += noise * rng.normal();
        seen.y += noise * rng.normal();
        seen.yaw = wrap_angle(seen.yaw + noise / 4 * rng.normal());
        out.graph.edges.push_back({from, to, seen, precise});
    };
    for (int i = 1; i < rounds * around; ++i) measure(i - 1, i);
    for (int i = around; i < rounds * around; i += 3) measure(i, i - around);
    out.graph.nodes = out.truth;
    return out;
}

inline double farthest(const std::vector<Pose>& a, const std::vector<Pose>& b) {
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, distance(a[i].position(), b[i].position()));
    return most;
}

}  // namespace pose_graph_helpers
