// Distance field, matcher, wide search and the methods of SLAM, against brute force, finite differences and answers
// that are known.
#include <cmath>

#include "base/parallel.hpp"
#include "helpers.hpp"
#include "outrider/ray.hpp"
#include "slam/particle_slam.hpp"
#include "slam/wide_search.hpp"
#include "slam_world.hpp"

using namespace outrider;

namespace test_slam {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

std::vector<Point> placed(const Pose& pose, const std::vector<Point>& ends) {
    std::vector<Point> out;
    for (const Point p : ends) out.push_back(transform(pose, p));
    return out;
}

CountedMap map_of(const WallPlan& world, const std::vector<Pose>& poses) {
    CountedMap map({});
    for (const Pose& p : poses) map.insert(p.position(), placed(p, world.scan(p)));
    return map;
}
const std::vector<Pose> look_around{{2, 2, 0}, {2, 2, 2}, {2, 2, 4}, {8, 4, 0}, {8, 4, 3}, {5, 6, 1}, {5, 6, 4}};

/// Cells whose distance is not that to the nearest occupied cell, by looking at all of them.
int count_wrong(const CountedMap& map, int horizon) {
    const auto [low, high] = map.extent();
    std::vector<Cell> walls;
    for (int y = low.y; y < high.y; ++y)
        for (int x = low.x; x < high.x; ++x)
            if (map.occupied({x, y})) walls.push_back({x, y});
    int wrong = 0;
    for (int y = low.y; y < high.y; ++y)
        for (int x = low.x; x < high.x; ++x) {
            std::int64_t best = horizon * horizon + 1;
            for (const Cell w : walls) best = std::min(best, squared_distance({x, y}, w));
            wrong += map.squared_distance_at({x, y}) != best;
        }
    return wrong;
}

SlamOptions online() {
    SlamOptions options;
    options.method = SlamMethod::scan_match;
    return options;
}

}  // namespace

TEST_CASE("the distance field stays exact while walls come and go") {
    for (std::uint64_t seed = 1; seed <= 2; ++seed) {
        CAPTURE(seed);
        Rng rng(seed, 0, Purpose::placement, 0);
        CountedMapOptions options;
        options.memory = 20;
        CountedMap map(options);
        for (int scan = 0; scan < 30; ++scan) {
            const Point origin{rng.uniform(-2, 2), rng.uniform(-2, 2)};
            std::vector<Point> hits;
            for (int k = 0; k < 40; ++k) hits.push_back({rng.uniform(-3, 3), rng.uniform(-3, 3)});
            map.insert(origin, hits);
            if (scan % 6 == 5) CHECK(count_wrong(map, 10) == 0);
        }
        CHECK(map.occupied_cells() > 50);
    }
}

TEST_CASE("a cell is occupied while a quarter of the scans that saw it hit it, and forgets what was long ago") {
    CountedMap map({});
    const std::vector<Point> wall{{1.025, 0.025}}, beyond{{2.025, 0.025}};
    const Cell cell = map.lattice().cell_of(wall[0]);
    CHECK(map.seen(cell) == 0);
    map.insert({0.025, 0.025}, wall);
    CHECK(map.occupied(cell));
    for (int i = 0; i < 2; ++i) map.insert({0.025, 0.025}, beyond);
    CHECK(map.occupied(cell));  // 1 of 3
    map.insert({0.025, 0.025}, beyond);
    CHECK_FALSE(map.occupied(cell));  // 1 of 4
    CHECK(map.squared_distance_at(cell) == 101);
    for (int i = 0; i < 1000; ++i) map.insert({0.025, 0.025}, beyond);
    CHECK(map.seen(cell) < 128);
    for (int i = 0; i < 60; ++i) map.insert({0.025, 0.025}, wall);
    CHECK(map.occupied(cell));  // after a thousand scans that saw it free
    for (const int memory : {2, 3, 4}) {
        CountedMapOptions options;
        options.memory = memory;
        CountedMap forgetful(options);
        forgetful.insert({0.025, 0.025}, wall);
        for (int i = 0; i < 10; ++i) forgetful.insert({0.025, 0.025}, beyond);
        CHECK_FALSE(forgetful.occupied(cell));
    }
}

TEST_CASE("a fork shares what it has in common, and neither of the two sees what the other draws") {
    CountedMap map = map_of(hall(), look_around);
    CountedMap copy = map.fork();
    const Cell cell = map.lattice().cell_of({14.025, 4.025});  // beyond the wall
    copy.insert({13, 4}, std::vector<Point>{{14.025, 4.025}});
    CHECK(copy.occupied(cell));
    CHECK_FALSE(map.occupied(cell));
    map.insert({13, 4}, std::vector<Point>{{14.025, 4.025}, {14.125, 4.025}});
    CHECK_FALSE(copy.occupied({cell.x + 2, cell.y}));
    CHECK(count_wrong(map, 10) == 0);
    CHECK(count_wrong(copy, 10) == 0);
}

TEST_CASE("a scan of numbers that are none, and of ends at no place, changes nothing") {
    CountedMap map({});
    map.insert({0, 0}, std::vector<Point>{{not_a_number, 1}, {1, not_a_number}, {1e9, 0}, {0, -1e300}});
    map.insert({0, 0}, {});
    CHECK(map.extent() == std::pair<Cell, Cell>{{0, 0}, {0, 0}});
}

TEST_CASE("the gradient of the matcher is that of its cost by finite differences") {
    const CountedMap map = map_of(hall(), look_around);
    const std::vector<Point> ends = hall().scan({7, 4, 0.4});
    const Pose pose{7.03, 3.96, 0.43};
    for (const double loss : {0.3, 0.07}) {
        const NormalEquations at = linearise(map, ends, pose, loss);
        const auto cost = [&](double x, double y, double yaw) {
            return linearise(map, ends, {pose.x + x, pose.y + y, pose.yaw + yaw}, loss).cost;
        };
        const double h = 1e-6;
        CHECK(at.b[0] == doctest::Approx((cost(h, 0, 0) - cost(-h, 0, 0)) / (2 * h)).epsilon(1e-4));
        CHECK(at.b[1] == doctest::Approx((cost(0, h, 0) - cost(0, -h, 0)) / (2 * h)).epsilon(1e-4));
        CHECK(at.b[2] == doctest::Approx((cost(0, 0, h) - cost(0, 0, -h)) / (2 * h)).epsilon(1e-4));
    }
}

TEST_CASE("a moved scan is matched to where it was taken, anywhere in the world") {
    for (const Point shift : {Point{0, 0}, Point{4000, -2500}}) {
        WallPlan world = hall();
        std::vector<Pose> poses = look_around;
        for (auto& [a, b] : world.walls) a = a + shift, b = b + shift;
        for (Pose& p : poses) p = {p.x + shift.x, p.y + shift.y, p.yaw};
        const CountedMap map = map_of(world, poses);
        Rng rng(7, 0, Purpose::placement, 0);
        for (int k = 0; k < 20; ++k) {
            const Pose truth{shift.x + rng.uniform(4, 9), shift.y + rng.uniform(4.5, 7), rng.uniform(-3, 3)};
            const Pose start{truth.x + rng.uniform(-0.2, 0.2), truth.y + rng.uniform(-0.2, 0.2),
                             truth.yaw + rng.uniform(-0.1, 0.1)};
            const Match match = match_scan(map, world.scan(truth, 0.01, static_cast<std::uint64_t>(k)), start, {}, {});
            // The walls stand on the edges of cells: the map has them up to half a cell off.
            CHECK(off(match.pose, truth) < 0.04);
            CHECK(std::abs(wrap_angle(match.pose.yaw - truth.yaw)) < 0.01);
            CHECK(match.inliers > 0.9);
            CHECK(match.converged);
        }
    }
}

TEST_CASE("along a corridor the covariance is large where walls say nothing, and odometry decides there") {
    WallPlan corridor;
    corridor.walls = {{{-100, -1}, {100, -1}}, {{-100, 1}, {100, 1}}};
    std::vector<Pose> poses;  // many, so that the walls have no gaps that could be told apart
    for (int i = 0; i < 60; ++i) poses.push_back({0.31 * i - 5, 0, 0});
    const CountedMap map = map_of(corridor, poses);
    ExpectedPose expected{{0.4, 0.1, 0.02}, {400, 0, 0, 0, 400, 0, 0, 0, 400}};
    const Match match = match_scan(map, corridor.scan({0.4, 0, 0}), expected.pose, expected, {});
    CHECK(std::abs(match.pose.y) < 0.03);
    CHECK(match.pose.x == doctest::Approx(0.4).epsilon(0.1));
    CHECK(match.covariance[0] > 10 * match.covariance[4]);
}

TEST_CASE("the wide search finds a pose out of all headings and places, the same as trying them all") {
    const CountedMap map = map_of(hall(), look_around);
    WideSearchOptions options;
    options.turn_rad = pi;
    options.reach_m = 3;
    for (const Pose& truth : {Pose{8, 4, 1}, Pose{5, 6, -2}, Pose{2.5, 5, 3}}) {
        const Pose guess{truth.x + 1.9, truth.y - 1.3, truth.yaw + 2.5};
        const auto found = search_wide(map, hall().scan(truth), guess, options);
        REQUIRE(found);
        CHECK(off(found->pose, truth) < 0.15);
        CHECK(std::abs(wrap_angle(found->pose.yaw - truth.yaw)) < 0.03);
    }
    CHECK_FALSE(search_wide(map, {}, {5, 5, 0}, options));
    CHECK_FALSE(search_wide(CountedMap({}), hall().scan({8, 4, 1}), {5, 5, 0}, options));
}

TEST_CASE("scans keep a robot on its way though its odometry drifts") {
    auto slam = make_slam(online(), {6.5, 1.5, 0}, 1);
    Pose truth{6.5, 1.5, 0}, reckoned = truth;
    slam->update({}, {}, hall().scan(truth));
    Rng rng(3, 0, Purpose::odometry, 0);
    for (int k = 0; k < 300; ++k) {
        const Pose motion{0.06, 0, 0.0267 + (k % 100 < 50 ? 0.01 : -0.01)};
        const Pose said{motion.x * 1.05 + 0.004 * rng.normal(), 0.004 * rng.normal(),
                        motion.yaw * 1.1 + 0.004 * rng.normal()};
        truth = compose(truth, motion);
        reckoned = compose(reckoned, said);
        slam->update({said, {}}, {}, hall().scan(truth, 0.01, static_cast<std::uint64_t>(k)));
        CHECK(off(slam->pose(), truth) < 0.08);
    }
    CHECK(off(reckoned, truth) > 0.4);
    CHECK(slam->counters().rejected == 0);
}

TEST_CASE("odometry that fails in one place is made good by the wide search") {
    auto slam = make_slam(online(), {8, 4, 0}, 1);
    for (const double yaw : {0.0, 1.5, 3.0, 4.5}) {
        static_cast<void>(yaw);
        slam->update({0, 0, 1.5}, {}, hall().scan({8, 4, 1.5 + yaw}));
    }
    const Pose now = compose(Pose{8, 4, 6}, {0, 0, 0});
    slam->update({0.3, 0, 0.2}, {}, hall().scan({now.x, now.y, now.yaw + 1.5}));  // turned by 1.5, said 0.2
    CHECK(off(slam->pose(), now) < 0.1);
    CHECK(std::abs(wrap_angle(slam->pose().yaw - now.yaw - 1.5)) < 0.05);
    CHECK(slam->counters().recovered == 1);
}

TEST_CASE("the method that believes odometry keeps no map at all") { CHECK(make_slam({}, {}, 1) == nullptr); }

TEST_CASE("systematic resampling keeps each particle as often as its weight says, to the next whole number") {
    Rng rng(5, 0, Purpose::placement, 0);
    for (int round = 0; round < 50; ++round) {
        std::vector<double> weights;
        double sum = 0;
        for (int i = 0; i < 30; ++i) sum += weights.emplace_back(rng.uniform() < 0.3 ? 0 : rng.uniform());
        for (double& w : weights) w /= sum;
        const std::vector<int> copies = resample_systematic(weights, rng.uniform());
        int all = 0;
        for (std::size_t i = 0; i < 30; ++i) {
            all += copies[i];
            CHECK(copies[i] >= std::floor(30 * weights[i]) - (i == 29));
            CHECK(copies[i] <= std::ceil(30 * weights[i] + 1e-9));
        }
        CHECK(all == 30);
    }
    CHECK(resample_systematic(std::vector<double>{0, 1, 0}, 0.99) == std::vector<int>{0, 3, 0});
}

TEST_CASE("the ways of particles share their beginnings, and what leads nowhere is dropped") {
    PoseTree tree;
    std::vector<PoseTree::Node> last(4, tree.add(PoseTree::none, {0, 0, 0}));
    std::vector<std::vector<Pose>> paths(4, {{0, 0, 0}});
    Rng rng(1, 0, Purpose::placement, 0);
    for (int k = 1; k <= 2000; ++k) {
        const auto from = rng.below(4), to = rng.below(4);
        if (k % 10 == 0) {
            last[to] = last[from];
            paths[to] = paths[from];
        }
        for (std::size_t i = 0; i < 4; ++i) {
            const Pose pose{k * 1.0, static_cast<double>(i), 0};
            last[i] = tree.add(last[i], pose);
            paths[i].push_back(pose);
        }
        tree.compact(last);
    }
    for (std::size_t i = 0; i < 4; ++i) CHECK(tree.path(last[i]) == paths[i]);
    CHECK(tree.size() < 6000);
}

}  // namespace test_slam
