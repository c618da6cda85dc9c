// From paths to velocities: a body that keeps the velocities of each step must follow the path.
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "live/steering.hpp"
#include "outrider/rng.hpp"

namespace outrider::test_steering {
namespace {

constexpr SteeringLimits limits{.step_s = 0.2, .turn_radps = 1.5, .off_path_m = 0.025};

Pose moved(const Pose& pose, const Velocity& v, double seconds) {
    const double turn = v.turn_radps * seconds, driven = v.forward_mps * seconds;
    const double half = turn / 2, chord = half == 0 ? driven : driven * std::sin(half) / half;
    return compose(pose, {chord * std::cos(half), chord * std::sin(half), wrap_angle(turn)});
}

double distance_to(Point p, Point a, Point b) {
    const Point d = b - a;
    const double length2 = d.x * d.x + d.y * d.y;
    const double t = length2 > 0 ? std::clamp(((p.x - a.x) * d.x + (p.y - a.y) * d.y) / length2, 0.0, 1.0) : 0;
    return distance(p, {a.x + t * d.x, a.y + t * d.y});
}

struct Drive {
    int steps = 0;
    double off_path_m = 0;  ///< the most
    Pose end;
};

/// Follows the corners, as the core of a robot does: each step gets what is left of them, from the body.
Drive follow(const std::vector<Point>& corners, double speed_mps, std::optional<double> heading = {}) {
    Drive out;
    std::size_t next = 1;
    Pose pose{corners[0].x, corners[0].y, 0};
    for (; out.steps < 2000; ++out.steps) {
        while (next < corners.size() &&
               distance(pose.position(), corners[next]) < (next + 1 < corners.size() ? 0.04 : 0.02))
            ++next;
        Command command{.path_body = {}, .final_heading = {}, .speed_mps = speed_mps};
        for (std::size_t i = next; i < corners.size(); ++i) command.path_body.push_back(into_body(pose, corners[i]));
        if (heading) command.final_heading = wrap_angle(*heading - pose.yaw);
        const Velocity v = steer(command, limits);
        if (v == Velocity{}) break;
        CHECK(std::abs(v.turn_radps) <= limits.turn_radps * (1 + 1e-12));
        CHECK(v.forward_mps >= 0);
        CHECK(v.forward_mps <= speed_mps * (1 + 1e-12));
        for (int part = 1; part <= 10; ++part) {
            const Point at = moved(pose, v, limits.step_s * part / 10).position();
            double nearest = 1e9;
            for (std::size_t i = 1; i < corners.size(); ++i)
                nearest = std::min(nearest, distance_to(at, corners[i - 1], corners[i]));
            out.off_path_m = std::max(out.off_path_m, nearest);
        }
        pose = moved(pose, v, limits.step_s);
    }
    out.end = pose;
    return out;
}

TEST_CASE("a body that keeps its velocities for a step follows straight lines, corners and zigzags") {
    const std::vector<std::vector<Point>> paths{
        {{0, 0}, {3, 0}},
        {{0, 0}, {-2, 0}},
        {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 0}},
        {{0, 0}, {0.1, 0.1}, {0.2, 0.1}, {0.3, 0.2}, {0.4, 0.2}, {0.4, 0.3}},
    };
    for (const auto& path : paths)
        for (const double speed : {0.2, 1.0}) {
            const Drive drive = follow(path, speed);
            CAPTURE(path.size());
            CAPTURE(speed);
            CHECK(distance(drive.end.position(), path.back()) < 0.021);
            CHECK(drive.off_path_m < 0.06);
            CHECK(drive.steps < 400);
        }
}

TEST_CASE("random paths are followed to their end") {
    Rng rng(7, 0, Purpose::strategy, 0);
    for (int trial = 0; trial < 200; ++trial) {
        std::vector<Point> path{{0, 0}};
        double driven = 0;
        for (int i = 0; i < 8; ++i) {
            path.push_back({path.back().x + rng.uniform() - 0.3, path.back().y + rng.uniform() - 0.5});
            driven += distance(path[path.size() - 2], path.back());
        }
        const Drive drive = follow(path, 0.5);
        CHECK(distance(drive.end.position(), path.back()) < 0.021);
        CHECK(drive.off_path_m < 0.06);
        // Each corner may cost a turn of half a circle, and a step to end it.
        CHECK(drive.steps < driven / 0.5 / limits.step_s + 9 * (std::numbers::pi / 1.5 / limits.step_s + 3));
    }
}

TEST_CASE("a straight line takes no longer than its length says") { CHECK(follow({{0, 0}, {3, 0}}, 1.0).steps <= 16); }

TEST_CASE("at the end it turns to the final heading, the shorter way round, and stays") {
    const Drive drive = follow({{0, 0}, {0.5, 0}}, 1.0, -2.5);
    CHECK(drive.end.yaw == doctest::Approx(-2.5));
    CHECK(steer({}, limits) == Velocity{});
    Command back{.path_body = {}, .final_heading = 3.0};
    CHECK(steer(back, limits).turn_radps == doctest::Approx(1.5));
    back.final_heading = -3.0;
    CHECK(steer(back, limits).turn_radps == doctest::Approx(-1.5));
    CHECK(steer(back, limits).forward_mps == 0);
}

}  // namespace
}  // namespace outrider::test_steering
