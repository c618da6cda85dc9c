// Worlds of straight walls in metres, and what a scanner sees in them.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "grid/grid.hpp"
#include "outrider/geometry.hpp"
#include "outrider/rng.hpp"

namespace outrider {

struct WallPlan {
    std::vector<std::pair<Point, Point>> walls;

    void chain(const std::vector<Point>& points) {
        for (std::size_t i = 0; i + 1 < points.size(); ++i) walls.emplace_back(points[i], points[i + 1]);
    }
    /// To the first wall; infinity: none.
    double range(Point from, double angle) const {
        const auto [s, c] = sin_cos(angle);
        double best = std::numeric_limits<double>::infinity();
        for (const auto& [a, b] : walls) {
            const Point d = b - a, o = a - from;
            const double det = c * -d.y + s * d.x;
            if (std::abs(det) < 1e-12) continue;
            const double t = (o.x * -d.y + o.y * d.x) / det, u = (c * o.y - s * o.x) / det;
            if (t > 0 && u >= 0 && u <= 1) best = std::min(best, t);
        }
        return best;
    }
    /// Ends of 180 beams ahead in the frame of the body.
    std::vector<Point> scan(const Pose& at, double noise_m = 0, std::uint64_t seed = 1, double farthest_m = 30,
                            double fov_deg = 180) const {
        std::vector<Point> ends;
        Rng rng(seed, 0, Purpose::range, 0);
        for (int i = 0; i < 180; ++i) {
            const double angle = radians(fov_deg * (i / 180.0 - 0.5)),
                         r = range(at.position(), at.yaw + angle) + noise_m * rng.normal();
            if (!std::isfinite(r) || r > farthest_m) continue;
            const auto [s, c] = sin_cos(angle);
            ends.push_back({r * c, r * s});
        }
        return ends;
    }
};

/// A hall with a niche, a pillar and a slanting wall: no two places look alike.
inline WallPlan hall() {
    WallPlan w;
    w.chain({{0, 0}, {12, 0}, {12, 5}, {10, 8}, {6, 8}, {6, 9}, {5, 9}, {5, 8}, {0, 8}, {0, 0}});
    w.chain({{3, 3}, {3.6, 3}, {3.6, 3.8}, {3, 3.8}, {3, 3}});
    return w;
}

/// A corridor of 2 m round a block of 12 m x 8 m.
inline WallPlan ring() {
    WallPlan w;
    w.chain({{0, 0}, {16, 0}, {16, 12}, {0, 12}, {0, 0}});
    w.chain({{2, 2}, {14, 2}, {14, 10}, {2, 10}, {2, 2}});
    return w;
}

/// Poses along the middle of the ring, `rounds` times round: half a metre at a time, corners in so many turns.
inline std::vector<Pose> round_the_ring(int rounds, int turns = 4) {
    std::vector<Pose> out{{1, 1, 0}};
    for (int side = 0; side < 4 * rounds; ++side) {
        const int moves = side % 2 ? 20 : 28;
        for (int k = 0; k < moves; ++k) out.push_back(compose(out.back(), {0.5, 0, 0}));
        for (int k = 0; k < turns; ++k) out.push_back(compose(out.back(), {0, 0, pi / 2 / turns}));
    }
    return out;
}

/// The walls on cells of 5 cm: 1 wall, 0 what can be reached from `inside`, 2 anything else.
inline Grid<std::uint8_t> drawn(const WallPlan& world, Point inside) {
    const Lattice lattice{0.05};
    Point high{};
    for (const auto& [a, b] : world.walls) high = {std::max({high.x, a.x, b.x}), std::max({high.y, a.y, b.y})};
    const Cell last = lattice.cell_of(high);
    Grid<std::uint8_t> out(last.x + 6, last.y + 6, 2, lattice, {-2, -2});
    for (const auto& [a, b] : world.walls) {
        const int parts = static_cast<int>(distance(a, b) / 0.01) + 1;
        for (int i = 0; i <= parts; ++i) out[lattice.cell_of(a + (b - a) * (static_cast<double>(i) / parts))] = 1;
    }
    std::vector<Cell> open{lattice.cell_of(inside)};
    while (!open.empty()) {
        const Cell c = open.back();
        open.pop_back();
        if (!out.contains(c) || out[c] != 2) continue;
        out[c] = 0;
        for (const Cell step : {Cell{1, 0}, Cell{-1, 0}, Cell{0, 1}, Cell{0, -1}}) open.push_back(c + step);
    }
    return out;
}

/// What a robot recorded in one place.
struct DrivenScan {
    double time_s = 0;
    Pose odometry;
    std::vector<double> ranges;  ///< from right to left
};

/// Beams of a scanner at the centre of its robot, in degrees.
struct DrivenBeams {
    int count = 180;
    double first_deg = -90, step_deg = 1;
};

/// A scan in each of these places, a second apart. Odometry begins at `odometry` and turns `turn` times as far as the
/// robot does.
inline std::vector<DrivenScan> drive(const WallPlan& world, const std::vector<Pose>& truth, double turn,
                                     Pose odometry = {}, const DrivenBeams& beams = {}) {
    std::vector<DrivenScan> out;
    for (std::size_t i = 0; i < truth.size(); ++i) {
        if (i > 0) {
            Pose said = compose(inverse(truth[i - 1]), truth[i]);
            said.yaw *= turn;
            odometry = compose(odometry, said);
        }
        DrivenScan scan{static_cast<double>(i), odometry, {}};
        for (int k = 0; k < beams.count; ++k)
            scan.ranges.push_back(std::min(
                81.0, world.range(truth[i].position(), truth[i].yaw + radians(k * beams.step_deg + beams.first_deg))));
        out.push_back(std::move(scan));
    }
    return out;
}

/// Readings with so many decimals, each after `between`.
inline std::string ranges_text(const std::vector<double>& ranges, const char* between = " ", int decimals = 2) {
    std::string text;
    for (const double r : ranges) text += fmt::format("{}{:.{}f}", between, r, decimals);
    return text;
}

/// A log of CARMEN, a scan of half a circle in each of these places, as drive() says.
inline std::string carmen_log(const std::vector<DrivenScan>& scans) {
    std::string log;
    for (const DrivenScan& scan : scans) {
        const std::string at =
            fmt::format(" {:.6f} {:.6f} {:.6f}", scan.odometry.x, scan.odometry.y, scan.odometry.yaw);
        log += fmt::format("FLASER 180{}{}{} {:.1f} host {:.1f}\n", ranges_text(scan.ranges), at, at, scan.time_s,
                           scan.time_s);
    }
    return log;
}
inline std::string carmen_log(const WallPlan& world, const std::vector<Pose>& truth, double turn, Pose odometry = {}) {
    return carmen_log(drive(world, truth, turn, odometry));
}

/// Round a part of the hall, with turns on the spot.
inline std::vector<Pose> through_the_hall() {
    std::vector<Pose> out{{1.5, 1.5, 0}};
    for (const int moves : {28, 8, 16}) {
        for (int k = 0; k < moves; ++k) out.push_back(compose(out.back(), {0.25, 0, 0}));
        for (int k = 0; k < 8; ++k) out.push_back(compose(out.back(), {0, 0, pi / 16}));
    }
    return out;
}

inline double off(const Pose& a, const Pose& b) { return distance(a.position(), b.position()); }

}  // namespace outrider
