// Matching point by point: the tree that finds the nearest point, and each matcher against a known motion.
#include <cmath>

#include "helpers.hpp"
#include "slam/manifold/point_matcher.hpp"
#include "slam_world.hpp"

using namespace outrider;

namespace test_point_matcher {
namespace {

constexpr SlamMatcher matchers[] = {SlamMatcher::icp, SlamMatcher::mbicp, SlamMatcher::idc, SlamMatcher::wsm,
                                    SlamMatcher::multi};

PointCloud cloud_of(const std::vector<Point>& ends) {
    PointCloud cloud;
    cloud.add(ends, {}, {});
    return cloud;
}

}  // namespace

TEST_CASE("the nearest point of a tree is that of a search through all points") {
    Rng rng(7, 0, Purpose::range, 0);
    const auto draw = [&](double side) { return Point{side * (rng.uniform() - 0.5), side * (rng.uniform() - 0.5)}; };
    PointTree tree;
    std::vector<Point> points;
    CHECK(tree.nearest({0, 0}, 1e9) == -1);
    for (int k = 0; k < 600; ++k) {
        const Point p = k % 50 == 49 ? points.back() : draw(k % 7 == 0 ? 400 : 12);  // some twice, some far away
        points.push_back(p);
        tree.add(p);
        const Point at = draw(k % 3 == 0 ? 500 : 15);
        const double reach = k % 5 == 0 ? 0.3 : 50;
        int best = -1;
        double least = reach * reach;
        for (std::size_t i = 0; i < points.size(); ++i) {
            const Point d = points[i] - at;
            if (d.x * d.x + d.y * d.y < least) {
                least = d.x * d.x + d.y * d.y;
                best = static_cast<int>(i);
            }
        }
        REQUIRE(tree.nearest(at, reach) == best);
    }
}

TEST_CASE("a tree by a distance of one's own: a share of the usual one bounds it") {
    Rng rng(8, 0, Purpose::range, 0);
    std::vector<Point> points;
    for (int k = 0; k < 300; ++k) points.push_back({10 * rng.uniform(), 10 * rng.uniform()});
    const PointTree tree{points};
    for (int k = 0; k < 100; ++k) {
        const Point at{10 * rng.uniform(), 10 * rng.uniform()};
        const auto flat = [&](Point p) { return (p.x - at.x) * (p.x - at.x) + 0.04 * (p.y - at.y) * (p.y - at.y); };
        int best = -1;
        double least = 4;
        for (std::size_t i = 0; i < points.size(); ++i)
            if (flat(points[i]) < least) {
                least = flat(points[i]);
                best = static_cast<int>(i);
            }
        REQUIRE(tree.nearest(at, 4, 0.04, flat) == best);
    }
}

TEST_CASE("every matcher of points finds a known motion") {
    const Pose first{4, 4.5, 0.3};
    const PointCloud cloud = cloud_of(hall().scan(first, 0.005, 1, 30, 270));
    for (const SlamMatcher matcher : matchers) {
        CAPTURE(slam_matcher_names[static_cast<std::size_t>(matcher)]);
        for (const Pose moved : {Pose{0.15, 0.05, 0.04}, Pose{-0.2, 0.1, -0.1}, Pose{}}) {
            const Pose second = compose(first, moved);
            const PointMatch match =
                match_points(cloud, cloud_of(hall().scan(second, 0.005, 2, 30, 270)), {}, matcher, 0.5);
            CHECK(match.converged);
            CHECK(believable(match));
            CHECK(match.iterations < 60);
            CHECK(match.paired > 0.5);
            const bool weighted = matcher == SlamMatcher::wsm || matcher == SlamMatcher::multi;
            CHECK(off(match.pose, moved) < (weighted ? 0.015 : 0.06));
            CHECK(std::abs(match.pose.yaw - moved.yaw) < (weighted ? 0.005 : 0.02));
        }
    }
}

TEST_CASE("the same motion is found wherever the frame of the map is") {
    const Pose first{4, 4.5, 0.3}, moved{0.15, 0.05, 0.04};
    const auto ends = hall().scan(first, 0.005, 1, 30, 270),
               later = hall().scan(compose(first, moved), 0.005, 2, 30, 270);
    for (const SlamMatcher matcher : matchers) {
        CAPTURE(slam_matcher_names[static_cast<std::size_t>(matcher)]);
        const PointMatch here = match_points(cloud_of(ends), cloud_of(later), {}, matcher, 0.5);
        const Pose frame{300, -200, 2.5};
        PointCloud far;
        far.add(ends, {}, frame);
        const PointMatch there = match_points(far, cloud_of(later), frame, matcher, 0.5);
        const Pose seen = compose(inverse(frame), there.pose);
        CHECK(off(seen, here.pose) < 1e-3);
        CHECK(std::abs(wrap_angle(seen.yaw - here.pose.yaw)) < 1e-3);
    }
}

TEST_CASE("along a bare corridor a match of points is not to be believed") {
    std::vector<Point> walls;
    for (int k = 0; k < 60; ++k) walls.push_back({k * 0.1 - 3, 1});
    for (int k = 0; k < 60; ++k) walls.push_back({3 - k * 0.1, -1});
    const PointMatch wsm = match_points(cloud_of(walls), cloud_of(walls), {0.1, 0.02, 0}, SlamMatcher::wsm, 0.5);
    CHECK(std::abs(wsm.pose.y) < 0.01);
    CHECK(wsm.covariance[0] > 20 * wsm.covariance[4]);  // it says which way it does not know
}

TEST_CASE("nothing to match: the seed, and it says so") {
    for (const SlamMatcher matcher : matchers) {
        const PointCloud some = cloud_of(hall().scan({4, 4, 0})), none;
        const Pose seed{1, 2, 0.5};
        for (const auto* cloud : {&some, &none}) {
            const PointMatch match = match_points(*cloud, cloud == &some ? none : some, seed, matcher, 0.5);
            CHECK(match.pose == seed);
            CHECK_FALSE(match.converged);
            CHECK_FALSE(believable(match));
        }
        const PointMatch far = match_points(some, some, {500, 500, 0}, matcher, 0.5);
        CHECK(far.pairs == 0);
        CHECK_FALSE(believable(far));
    }
}

}  // namespace test_point_matcher
