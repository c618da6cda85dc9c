// The manifold: what the graph knows, which loops close, which are taken back, and the map that follows.
#include <cmath>

#include "base/parallel.hpp"
#include "helpers.hpp"
#include "slam/manifold/manifold_slam.hpp"
#include "slam/wide_search.hpp"
#include "slam_world.hpp"

using namespace outrider;

namespace test_manifold {
namespace {

Matrix3 diagonal(double x, double y, double yaw) { return {x, 0, 0, 0, y, 0, 0, 0, yaw}; }

/// Patches a metre apart along x, with the same relation between neighbours.
PatchGraph chain(int count, const Matrix3& covariance) {
    PatchGraph graph;
    for (int k = 0; k < count; ++k) {
        graph.add({}, {}, {static_cast<double>(k), 0, 0}, k, false);
        if (k > 0) graph.relate(k - 1, k, {1, 0, 0}, covariance);
    }
    return graph;
}

struct RingRun {
    std::vector<Pose> poses;
    SlamCounters counters;
    double last_error_m = 0, worst_m = 0;
};

/// Three times round the ring; odometry says that turns are larger than they are, and shifts to the left.
RingRun drive_ring(bool closures, SlamMatcher matcher = SlamMatcher::field, MatchedWith with = MatchedWith::local) {
    SlamOptions options;
    options.method = SlamMethod::manifold;
    options.closures = closures;
    options.matcher = matcher;
    options.matched_with = with;
    const std::vector<Pose> truth = round_the_ring(3);
    ManifoldSlam slam(options, truth[0]);
    slam.update({}, {}, ring().scan(truth[0], 0.01, 0, 6));
    for (std::size_t i = 1; i < truth.size(); ++i) {
        Pose said = compose(inverse(truth[i - 1]), truth[i]);
        said.yaw *= 1.08;
        said.x *= 1.03;
        slam.update({said, {}}, {}, ring().scan(truth[i], 0.01, i, 6));
    }
    RingRun run{slam.path(), slam.counters(), 0, 0};
    for (std::size_t i = 0; i < truth.size() && run.poses.size() == truth.size(); ++i)
        run.worst_m = std::max(run.worst_m, off(run.poses[i], truth[i]));
    run.last_error_m = off(slam.pose(), truth.back());
    CHECK(off(slam.pose(), run.poses.back()) < 1e-9);
    CHECK(slam.map().seen_cells() > 5000);
    return run;
}

/// With few particles, where there are any.
SlamOptions small(SlamMethod method) {
    SlamOptions options;
    options.method = method;
    options.particles = 5;
    options.shared_particles = 100;
    return options;
}

}  // namespace

TEST_CASE("covariances turn and add up as their matrices do") {
    const Matrix3 c{4, 1, 0.5, 1, 3, -0.2, 0.5, -0.2, 0.7};
    const double yaw = 0.6;
    const auto [s, k] = sin_cos(yaw);
    const double rotation[3][3] = {{k, -s, 0}, {s, k, 0}, {0, 0, 1}};
    const auto similar = [](const double(&j)[3][3], const Matrix3& m) {
        Matrix3 out{};
        for (std::size_t r = 0; r < 3; ++r)
            for (std::size_t col = 0; col < 3; ++col)
                for (std::size_t a = 0; a < 3; ++a)
                    for (std::size_t b = 0; b < 3; ++b) out[3 * r + col] += j[r][a] * m[3 * a + b] * j[col][b];
        return out;
    };
    const Matrix3 expected = similar(rotation, c), found = turned(c, yaw);
    const Point lever{2, -5};
    const double carry[3][3] = {{1, 0, -lever.y}, {0, 1, lever.x}, {0, 0, 1}};
    const Matrix3 moved = similar(carry, c), sum = carried(c, lever, diagonal(1, 2, 3));
    for (std::size_t i = 0; i < 9; ++i) {
        CHECK(found[i] == doctest::Approx(expected[i]));
        CHECK(sum[i] == doctest::Approx(moved[i] + diagonal(1, 2, 3)[i]));
    }
    CHECK(position_sigma(turned(diagonal(4, 1, 1), 1.1)) == doctest::Approx(2));
}

TEST_CASE("what a graph knows of a patch grows with the way, and a shorter way is known better") {
    PatchGraph graph = chain(30, diagonal(0.01, 0.01, 1e-8));
    std::vector<Reached> seen = graph.reach(29, 100);
    CHECK(seen[29].relations == 0);
    CHECK(seen[0].relations == 29);
    CHECK(seen[0].covariance[0] == doctest::Approx(29 * 0.01));
    graph.relate(0, 28, {28, 0, 0}, diagonal(0.0001, 0.0001, 1e-9));
    seen = graph.reach(29, 100);
    CHECK(seen[0].relations == 2);
    CHECK(seen[0].covariance[0] == doctest::Approx(0.0101).epsilon(1e-3));
    CHECK(seen[14].covariance[0] > seen[3].covariance[0]);
    graph.forget({29});
    CHECK(graph.reach(29, 100)[0].relations == 29);
    CHECK(graph.reach(29, 0.3)[19].relations == -1);  // ten relations: 0.32 m
    CHECK(graph.reach(29, 0.3)[21].relations == 8);
    // An uncertain heading moves what is far away sideways: 0.02 rad at each of three, 1 + 2 + 3 m behind them.
    PatchGraph bent = chain(4, diagonal(1e-8, 1e-8, 0.0004));
    CHECK(bent.reach(0, 100)[3].covariance[4] == doctest::Approx(0.0004 * (4 + 1)).epsilon(1e-3));
}

TEST_CASE("sections are patches in a row, up to some way, and begin anew where the robot is lost") {
    PatchGraph graph;
    for (int k = 0; k < 100; ++k) graph.add({}, {}, {}, 0.5 * k, k == 50);
    CHECK(graph.sections() == 6);
    CHECK(graph.patch(49).section != graph.patch(50).section);
    for (int s = 0; s < graph.sections(); ++s) CHECK(graph.patch(graph.first_of_section(s)).section == s);
}

TEST_CASE("two closures agree when the way between them is the same by both places") {
    const PatchGraph graph = chain(40, diagonal(0.0001, 0.0001, 1e-6));
    const Matrix3 known = diagonal(0.0025, 0.0025, 0.0001);
    const Closure a{2, 30, {0.5, 0, 0}, known, false}, b{6, 34, {0.5, 0.02, 0}, known, false};
    CHECK(agree(graph, a, b));
    CHECK(agree(graph, b, a));
    CHECK_FALSE(agree(graph, a, {6, 34, {1.5, 0, 0}, known, false}));
    CHECK_FALSE(agree(graph, a, {6, 34, {0.5, 0, 0.3}, known, false}));
}

TEST_CASE("a corridor that looks the same everywhere has a rival, a hall has none") {
    CountedMap bare({}), hall_map({});
    std::vector<Point> memory;
    const auto draw = [&](CountedMap& map, const std::vector<Point>& ends, const Pose& at) {
        std::vector<Point> there;
        for (const Point p : ends) there.push_back(transform(at, p));
        map.insert(at.position(), there);
    };
    WallPlan corridor;
    corridor.chain({{0, 0}, {30, 0}});
    corridor.chain({{0, 2}, {30, 2}});
    for (int x = 4; x < 26; ++x) draw(bare, corridor.scan({x + 0.0, 1, 0}, 0, 1, 6, 360), {x + 0.0, 1, 0});
    for (int x = 2; x < 11; ++x) draw(hall_map, hall().scan({x + 0.0, 5, 0}, 0, 1, 20, 360), {x + 0.0, 5, 0});
    WideSearchOptions wide;
    wide.reach_m = 4;
    wide.turn_rad = 0.2;
    wide.rival_m = 1.5;
    const auto along = search_wide(bare, corridor.scan({15, 1, 0}, 0, 1, 6, 360), {15, 1, 0}, wide);
    REQUIRE(along);
    CHECK(along->rival > 0.95);
    const auto inside = search_wide(hall_map, hall().scan({7, 4, 0}, 0, 1, 20, 360), {7.5, 4.5, 0}, wide);
    REQUIRE(inside);
    CHECK(off(inside->pose, {7, 4, 0}) < 0.1);
    CHECK(inside->rival < 0.6);
    wide.rival_m = 0;
    CHECK(search_wide(hall_map, hall().scan({7, 4, 0}, 0, 1, 20, 360), {7.5, 4.5, 0}, wide)->rival == 0);
}

TEST_CASE("a bare room has a rival that is turned by half, a hall has none") {
    WallPlan room;
    room.chain({{0, 0}, {9, 0}, {9, 6}, {0, 6}, {0, 0}});
    WideSearchOptions wide;
    wide.reach_m = 5;
    wide.turn_rad = pi;
    wide.rival_m = 1.5;
    struct Case {
        WallPlan plan;
        bool turned;
        double least, most;
    };
    for (const Case& c : {Case{room, false, 0, 0.8}, Case{room, true, 0.97, 1.03}, Case{hall(), true, 0, 0.87}}) {
        CAPTURE(c.turned);
        CountedMap map({});
        const Pose seen{4, 4, 0}, at{3, 2, 0.4};
        std::vector<Point> there;
        for (const Point p : c.plan.scan(seen, 0, 1, 20, 360)) there.push_back(transform(seen, p));
        map.insert(seen.position(), there);
        wide.turned_rivals = c.turned;
        wide.most_rival = c.least > 0 ? c.least : c.most;
        const auto found = search_wide(map, c.plan.scan(at, 0, 1, 20, 360), {4.5, 3, 0}, wide);
        REQUIRE(found);
        CHECK(found->rival >= c.least);
        CHECK(found->rival <= c.most);
    }
}

TEST_CASE("many scans drawn at once make the map that they make one by one") {
    CountedMap one({}), all({});
    const auto see = [](std::size_t k) {
        return Pose{2 + 0.05 * static_cast<double>(k), 4 + 2 * std::sin(0.1 * static_cast<double>(k)), 0.2};
    };
    for (std::size_t k = 0; k < 80; ++k) {
        std::vector<Point> there;
        for (const Point p : hall().scan(see(k), 0.03, k)) there.push_back(transform(see(k), p));
        one.insert(see(k).position(), there);
        all.insert_unsettled(see(k).position(), there);
    }
    all.settle();
    const auto [low, high] = one.extent();
    CHECK(all.extent() == one.extent());
    CHECK(all.occupied_cells() == one.occupied_cells());
    int occupied = 0;
    for (int y = low.y; y < high.y; ++y)
        for (int x = low.x; x < high.x; ++x) {
            REQUIRE(all.seen({x, y}) == one.seen({x, y}));
            REQUIRE(all.hits({x, y}) == one.hits({x, y}));
            REQUIRE(all.squared_distance_at({x, y}) == one.squared_distance_at({x, y}));
            occupied += one.occupied({x, y});
        }
    CHECK(occupied > 300);
}

TEST_CASE("a ring closes, and where it does not close the way ends elsewhere") {
    const RingRun open = drive_ring(false), closed = drive_ring(true);
    CHECK(open.counters.closures_accepted == 0);
    CHECK(open.counters.relations + 1 == open.counters.patches);
    CHECK(closed.counters.closures_accepted > 0);
    CHECK(closed.counters.relations + 1 ==
          closed.counters.patches + closed.counters.closures_accepted - closed.counters.closures_undone);
    CHECK(closed.worst_m < 0.6);
    CHECK(closed.last_error_m < 0.25);
    CHECK(closed.counters.lost == 0);
}

TEST_CASE("matchers of points carry the manifold round the ring, too") {
    for (const SlamMatcher matcher : {SlamMatcher::wsm, SlamMatcher::multi}) {
        const RingRun run = drive_ring(true, matcher);
        CHECK(run.counters.rejected < 10);
        CHECK(run.worst_m < 1.5);
    }
}

TEST_CASE("points of the last scan, of the last three or of all carry the manifold round the ring") {
    std::vector<std::vector<Pose>> paths;
    for (const MatchedWith with : {MatchedWith::patch, MatchedWith::local, MatchedWith::quad}) {
        CAPTURE(matched_with_names[static_cast<std::size_t>(with)]);
        const RingRun run = drive_ring(true, SlamMatcher::wsm, with);
        CHECK(run.counters.rejected < 10);
        CHECK(run.worst_m < 1.5);
        CHECK(std::find(paths.begin(), paths.end(), run.poses) == paths.end());  // they are not the same points
        paths.push_back(run.poses);
    }
}

TEST_CASE("the manifold has the same bits with any number of threads") {
    const RingRun one = drive_ring(true);
    for (const int threads : {2, 3, 8}) {
        const ThreadLimit limit(threads);
        CHECK(drive_ring(true).poses == one.poses);
    }
}

TEST_CASE("a closure that the graph contradicts is taken back") {
    // Up and down the hall, four times: loops close by themselves.
    const WallPlan world = hall();
    PatchGraph graph;
    LoopCloser closer{CountedMapOptions{}};
    double path = 0;
    bool closed = false;
    constexpr int count = 120, row = 30, moved_from = 100;
    for (int k = 0; k < count; ++k) {
        const bool up = k / row % 2 == 0;
        const double x = 1.5 + 0.25 * (up ? k % row : row - 1 - k % row);
        const Pose at{x, 4.5, up ? 0 : pi};
        if (k > 0) path += 0.25;
        graph.add(world.scan(at, 0.01, static_cast<std::uint64_t>(k), 20, 300), {}, at, path, false);
        if (k > 0) graph.relate(k - 1, k, compose(inverse(graph.pose(k - 1)), at), diagonal(4e-5, 4e-5, 4e-6));
        if (k > row && k % 4 == 0) closed |= closer.look(graph, graph.reach(k, 12));
    }
    REQUIRE(closed);
    const std::size_t right = closer.standing().size();
    CHECK(right == static_cast<std::size_t>(closer.counters().accepted));
    CHECK_FALSE(closer.take_back(graph));
    // The last patches moved by 0.8 m: now the closures to them contradict.
    PatchGraph shifted;
    for (int k = 0; k < count; ++k) {
        const Pose p = graph.pose(k);
        shifted.add({}, {}, {p.x, p.y + (k >= moved_from ? 0.8 : 0), p.yaw}, 0.25 * k, false);
    }
    for (const PoseGraphEdge& e : graph.relations())
        shifted.relate(e.from, e.to, e.measured, diagonal(1e-3, 1e-3, 1e-4));
    CHECK(closer.take_back(shifted));
    CHECK(closer.counters().undone > 0);
    CHECK(closer.standing().size() + static_cast<std::size_t>(closer.counters().undone) == right);
    CHECK(shifted.relations().size() == count - 1 + closer.standing().size());
    for (const int number : closer.standing()) CHECK(shifted.squared_error(number) < 16);
}

TEST_CASE("odometry that stands still while the robot moves loses nobody") {
    for (const SlamMethod method :
         {SlamMethod::scan_match, SlamMethod::particle, SlamMethod::particle_shared, SlamMethod::manifold}) {
        CAPTURE(slam_method_names[static_cast<std::size_t>(method)]);
        const SlamOptions options = small(method);
        Pose at{2, 5, 0};
        const auto slam = make_slam(options, at, 1);
        const auto drive = [&](const Pose& step, bool told) {
            at = compose(at, step);
            slam->update({told ? step : Pose{}, {}}, {}, hall().scan(at, 0.01, 1, 20, 270));
        };
        slam->update({}, {}, hall().scan(at, 0.01, 1, 20, 270));
        for (int k = 0; k < 12; ++k) drive({0.2, 0, 0}, true);
        for (int k = 0; k < 8; ++k) drive({0.15, 0, 0.05}, false);
        CHECK(off(slam->pose(), at) < 0.15);
        for (int k = 0; k < 8; ++k) drive({0.2, 0, 0}, true);
        CHECK(off(slam->pose(), at) < 0.1);
        CHECK_FALSE(slam->lost());
    }
}

TEST_CASE("a robot that sees another world is lost, and found when it is back") {
    for (const SlamMethod method :
         {SlamMethod::scan_match, SlamMethod::particle, SlamMethod::particle_shared, SlamMethod::manifold}) {
        CAPTURE(slam_method_names[static_cast<std::size_t>(method)]);
        SlamOptions options = small(method);
        options.closures = false;
        const Pose start{3, 5, 0};
        const auto slam = make_slam(options, start, 1);
        WallPlan other;  // close around it, where the hall is empty
        other.chain({{2, 4.4}, {9, 4.1}, {9, 5.9}, {2, 5.6}, {2, 4.4}});
        Pose at = start;
        const auto drive = [&](const WallPlan& world, double step) {
            at = compose(at, {step, 0, 0});
            slam->update({{step, 0, 0}, {}}, {}, world.scan(at, 0.01, 1, 20, 300));
        };
        slam->update({}, {}, hall().scan(at, 0.01, 1, 20, 300));
        for (int k = 0; k < 16; ++k) drive(hall(), 0.25);
        CHECK_FALSE(slam->lost());
        CHECK(slam->counters().lost == 0);
        for (int k = 0; k < 6; ++k) drive(other, 0.12);
        CHECK(slam->lost());
        CHECK(slam->counters().lost == 1);
        for (int k = 0; k < 6; ++k) drive(hall(), -0.12);
        for (int k = 0; k < 4; ++k) drive(hall(), -0.25);
        CHECK_FALSE(slam->lost());
        if (method != SlamMethod::scan_match) continue;
        CHECK(off(slam->pose(), at) < 0.1);
        // What it drew meanwhile is taken back: between the walls of the hall there is nothing.
        int walls = 0;
        for (double x = 5; x < 9; x += 0.05)
            for (double y = 3.9; y < 6.1; y += 0.05)
                walls += slam->map().occupied(slam->map().lattice().cell_of({x, y}));
        CHECK(walls == 0);
    }
}

}  // namespace test_manifold
