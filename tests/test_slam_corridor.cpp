// Where walls say nothing along the way: the hits of the last scan must not hold the robot back.
#include <cmath>

#include "helpers.hpp"
#include "slam/scan_normals.hpp"
#include "slam/slam.hpp"
#include "slam_world.hpp"

using namespace outrider;

namespace test_slam_corridor {

TEST_CASE("down a corridor a robot goes as far as its odometry says, however far its scanner sees") {
    WallPlan corridor;
    corridor.chain({{-30, -1}, {70, -1}, {70, 1}, {-30, 1}, {-30, -1}});
    for (const SlamMethod method : {SlamMethod::scan_match, SlamMethod::particle})
        for (const double farthest : {4.0, 5.6, 20.0, 80.0}) {
            CAPTURE(farthest);
            SlamOptions options;
            options.method = method;
            options.particles = 5;
            const auto slam = make_slam(options, {}, 1);
            Pose truth;
            for (int k = 0; k < 300; ++k) {
                slam->update({k == 0 ? Pose{} : Pose{0.1, 0, 0}, {}}, {},
                             corridor.scan(truth, 0.01, static_cast<std::uint64_t>(k), farthest));
                truth.x += 0.1;
            }
            CHECK(slam->pose().x == doctest::Approx(29.9).epsilon(0.02));
            CHECK(std::abs(slam->pose().y) < 0.05);
        }
}

TEST_CASE("without odometry scans alone say how far a robot went between them") {
    SlamOptions options;
    options.method = SlamMethod::scan_match;
    options.seed = SlamSeed::none;
    const auto slam = make_slam(options, {1, 1.5, 0}, 1);
    for (int k = 0; k <= 45; ++k)
        slam->update({}, {}, hall().scan({1 + 0.2 * k, 1.5, 0}, 0.01, static_cast<std::uint64_t>(k)));
    CHECK(slam->pose().x == doctest::Approx(10).epsilon(0.01));
    CHECK(std::abs(slam->pose().y - 1.5) < 0.05);
}

TEST_CASE("normals of a scan follow its walls to where no beam sees them any more, and not round a corner") {
    // A wall along y = 1 that is lost out of sight after x = 4, and from x = -2 a wall across.
    std::vector<Point> ends{{5, -1}, {4, 1},  {3, 1},    {2, 1},  {1, 1},  {0, 1},
                            {-1, 1}, {-2, 1}, {-2, 0.5}, {-2, 0}, {-8, -2}};
    const auto across = [](Point n) { return std::abs(n.y) > 0.99; };
    const std::vector<Point> plain = scan_normals(ends);
    CHECK(plain[1] == Point{});
    CHECK(across(plain[2]));
    CHECK(plain[7] == Point{});
    CHECK(std::abs(plain[8].x) > 0.99);
    const MatchedEnds matched = matched_ends(ends);
    REQUIRE(matched.points.size() == 9);  // two stand alone
    CHECK(matched.points[0] == Point{4, 1});
    CHECK(across(matched.normals[0]));
    CHECK(matched.normals[6] == Point{});  // the corner
    // Where most ends stand alone, all are taken as they are.
    ends = {{5, 0}, {0, 5}, {-5, 0}, {0, -5}, {0.5, -5}};
    CHECK(matched_ends(ends).points == ends);
    CHECK(matched_ends({}).points.empty());
}

}  // namespace test_slam_corridor
