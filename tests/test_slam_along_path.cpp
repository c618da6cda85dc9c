// Scans along the way of a step, matching them on surfaces, and what the maps are good for.
#include <cmath>
#include <set>

#include "helpers.hpp"
#include "metrics/map_paths.hpp"
#include "simulator/along_path.hpp"
#include "slam/surface_match.hpp"

using namespace outrider;

namespace test_slam_along_path {
namespace {

/// Hits on both walls of a corridor along x, 2 m wide, from x = 0 on, with noise, as seen from a place in its middle.
std::vector<Point> corridor_ends(const Pose& at, std::uint64_t seed) {
    std::vector<Point> ends;
    Rng rng(seed, 0, Purpose::range, 0);
    for (int i = 0; i < 181; ++i) {
        const double beam = radians(i - 90.0), angle = at.yaw + beam;
        const auto [s, c] = sin_cos(angle);
        if (std::abs(s) < 1e-6) continue;
        const double range = ((s > 0 ? 1.013 : -0.987) - at.y) / s + 0.01 * rng.normal();
        if (range > 20) continue;
        const auto [bs, bc] = sin_cos(beam);
        ends.push_back({range * bc, range * bs});
    }
    return ends;
}

CountedMap corridor_map() {
    CountedMap map({});
    for (int k = 0; k < 12; ++k) {
        const Pose at{2 + 0.5 * k, 0, 0};
        std::vector<Point> world;
        for (const Point p : corridor_ends(at, static_cast<std::uint64_t>(k))) world.push_back(transform(at, p));
        map.insert(at.position(), world);
    }
    return map;
}

}  // namespace

TEST_CASE("poses along a way: turns in place at the corners, parts of one length, the end as it is") {
    const std::vector<Point> corners{{1, 0}, {1, 1}};
    const Pose to{1, 1, 0};
    const auto poses = poses_along({0, 0, 0}, corners, to, {0.5, radians(45)});
    // 2 + 2 + 2 + 2 parts: a metre, a quarter turn, a metre, a quarter turn back.
    REQUIRE(poses.size() == 8);
    CHECK(poses.back() == to);
    CHECK(poses[0].x == doctest::Approx(0.5));
    CHECK(poses[2].x == doctest::Approx(1));
    CHECK(poses[2].yaw == doctest::Approx(radians(45)));
    CHECK(poses[4].y == doctest::Approx(0.5));
    CHECK(poses[4].yaw == doctest::Approx(radians(90)));
    CHECK(poses[6].yaw == doctest::Approx(radians(45)));
}

TEST_CASE(
    "poses along a way: the end alone when nothing moves, when the way is short, and when nothing was asked for") {
    const Pose to{0.2, 0, 0};
    const std::vector<Point> corners{{0.2, 0}};
    CHECK(poses_along({}, corners, to, {0.5, 1}).size() == 1);
    CHECK(poses_along({}, corners, to, {}).size() == 1);
    CHECK(poses_along(to, {}, to, {0.5, 1}) == std::vector<Pose>{to});
    CHECK(poses_along({}, corners, to, {1e-9, 1e-9}).size() <= 256);
}

TEST_CASE("a surface is found finer than the cells of the map") {
    const CountedMap map = corridor_map();
    const auto surface = map.surface_near({4, 1.0});
    REQUIRE(surface.kind == CountedMap::Surface::Kind::line);
    CHECK(std::abs(surface.normal.y) > 0.99);
    CHECK(surface.at.y == doctest::Approx(1.013).epsilon(0.006));
    CHECK(map.surface_near({4, 0}).kind == CountedMap::Surface::Kind::none);
}

TEST_CASE("on surfaces a match is good to millimetres across a corridor, and leaves the way along it to odometry") {
    const CountedMap map = corridor_map();
    for (const double along : {-0.1, 0.1}) {
        CAPTURE(along);
        const Pose truth{7.9, 0.05, 0.02};
        ExpectedPose expected{{truth.x + along, truth.y + 0.04, truth.yaw - 0.015}, {}, true};
        expected.information = {400, 0, 0, 0, 400, 0, 0, 0, 2500};
        const SurfaceMatch match = match_surfaces(map, corridor_ends(truth, 99), expected.pose, expected, {});
        CHECK(std::abs(match.pose.y - truth.y) < 0.005);
        CHECK(std::abs(match.pose.yaw - truth.yaw) < 0.002);
        CHECK(std::abs(match.pose.x - expected.pose.x) < 0.03);
    }
}

TEST_CASE("robots that match scans take some along the way; where poses are known a step has one") {
    for (const bool matches : {false, true}) {
        Scenario s = text_scenario({"############", "#B........1#", "############"},
                                   matches ? "[slam]\nmethod = 'scan_match'\nscan_m = 0.02\n" : "");
        Notes notes;
        auto driver = make_driver(s);
        std::vector<Percept> percepts(2);
        REQUIRE(driver->sense(percepts));
        CHECK(percepts[1].scans.size() == 1);
        std::vector<Decision> decisions(2);
        decisions[1].command = {{{-0.2, 0}}, {}, 1, 1};
        driver->act(decisions);
        REQUIRE(driver->sense(percepts));
        const auto& scans = percepts[1].scans;
        CHECK((scans.size() > 10) == matches);
        CHECK(scans.back().now_from_then == Pose{});
        for (std::size_t i = 1; i < scans.size(); ++i) CHECK(scans[i].age_s < scans[i - 1].age_s);
        if (matches) CHECK(scans[scans.size() - 2].now_from_then.x == doctest::Approx(-0.02).epsilon(0.2));
    }
}

TEST_CASE("ways planned on a true map succeed; through a door that is closed in one of the two there are none") {
    const auto room = [](const std::string& door) {
        std::vector<std::string> rows(31, "#" + std::string(39, '.') + "#" + std::string(39, '.') + "#");
        rows.front() = rows.back() = std::string(81, '#');
        for (std::size_t y = 10; y < 13; ++y) rows[y] = "#" + std::string(39, '.') + door + std::string(39, '.') + "#";
        return text_map(rows);
    };
    const Grid<std::uint8_t> open = room("."), closed = room("#");
    const auto world = [](const Grid<std::uint8_t>& walls) { return World(walls, {}, 1); };
    const Cell body{5, 15};
    const PathShares same = compare_paths(known_all(open), world(open), body, 5);
    CHECK(same.succeed == 1);
    CHECK(same.found == 1);
    const PathShares shut = compare_paths(known_all(closed), world(open), body, 5);
    CHECK(shut.succeed == 1);
    CHECK(shut.found < 0.8);
    CHECK(shut.found > 0.2);
    const PathShares dreamt = compare_paths(known_all(open), world(closed), body, 5);
    CHECK(dreamt.succeed < 0.8);
    CHECK(dreamt.found == 1);
    CHECK(compare_paths(KnownMap(open.lattice()), world(open), body, 5).found == 0);
}

TEST_CASE("every scan of a step has noise of its own") {
    const Scenario s = text_scenario({"############", "#B........1#", "############"},
                                     "[slam]\nmethod = 'scan_match'\nscan_m = 0.02\n[noise]\nrange_m = 0.01\n");
    auto driver = make_driver(s);
    std::vector<Percept> percepts(2);
    REQUIRE(driver->sense(percepts));
    std::vector<Decision> decisions(2);
    decisions[1].command = {{{-0.2, 0}}, {}, 1, 1};
    driver->act(decisions);
    REQUIRE(driver->sense(percepts));
    // The wall beside the robot is as far off in all of them.
    std::set<std::uint16_t> beside;
    for (const Scan& scan : percepts[1].scans) beside.insert(scan.ranges.front());
    CHECK(beside.size() > percepts[1].scans.size() / 2);
}

}  // namespace test_slam_along_path
