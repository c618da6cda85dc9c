// The methods of SLAM against each other: filters on one map, filters of filters, localisation in a given map, and what
// every method has to survive.
#include <cmath>
#include <cstdlib>

#include "base/parallel.hpp"
#include "helpers.hpp"
#include "sensor_log/slam_log.hpp"
#include "slam/hyper_slam.hpp"
#include "slam/localise_slam.hpp"
#include "slam_world.hpp"

using namespace outrider;

namespace test_slam_methods {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

SlamOptions with(SlamMethod method) {
    SlamOptions options;
    options.method = method;
    options.particles = 12;
    options.shared_particles = 300;
    options.filters = 6;
    return options;
}

const Grid<std::uint8_t>& hall_map() {
    static const Grid<std::uint8_t> map = drawn(hall(), {2, 2});
    return map;
}

std::unique_ptr<Slam> make(const SlamOptions& options, const Pose& start, std::uint64_t seed = 1) {
    return make_slam(options, start, seed, &hall_map());
}

template <class Check>
void for_each_method(Check&& check) {
    for (std::size_t m = 1; m < slam_method_names.size(); ++m) {
        CAPTURE(slam_method_names[m]);
        check(with(static_cast<SlamMethod>(m)));
    }
}

double turned(const Pose& a, const Pose& b) { return std::abs(wrap_angle(a.yaw - b.yaw)); }

/// The way round the ring with odometry that takes turns to be 30 % larger than they are; the mean error of the poses.
double error_in_ring(SlamMethod method, std::uint64_t seed) {
    SlamOptions options;
    options.method = method;
    options.odometry_turn = 0.2;
    const std::vector<Pose> truth = round_the_ring(1, 1);
    const auto slam = make_slam(options, truth[0], seed);
    slam->update({}, {}, ring().scan(truth[0], 0.01, 0, 8, 90));
    std::vector<Pose> poses{slam->pose()};
    for (std::size_t i = 1; i < truth.size(); ++i) {
        Pose said = compose(inverse(truth[i - 1]), truth[i]);
        said.yaw = wrap_angle(1.3 * said.yaw);
        slam->update({said, {}}, {}, ring().scan(truth[i], 0.01, i, 8, 90));
        poses.push_back(slam->pose());
    }
    if (const auto path = slam->path(); path.size() == poses.size()) poses = path;
    double sum = 0;
    for (std::size_t i = 0; i < truth.size(); ++i) sum += off(poses[i], truth[i]);
    return sum / static_cast<double>(truth.size());
}

}  // namespace

TEST_CASE("every method keeps a robot on its way though its odometry drifts") {
    for_each_method([](const SlamOptions& options) {
        const auto slam = make(options, {6.5, 1.5, 0});
        Pose truth{6.5, 1.5, 0};
        slam->update({}, {}, hall().scan(truth));
        Rng rng(3, 0, Purpose::odometry, 0);
        double sum = 0;
        for (int k = 0; k < 120; ++k) {
            const Pose motion{0.15, 0, 0.0667};
            truth = compose(truth, motion);
            const Pose said{motion.x * 1.05 + 0.01 * rng.normal(), 0.01 * rng.normal(),
                            motion.yaw * 1.1 + 0.01 * rng.normal()};
            slam->update({said, {}}, {}, hall().scan(truth, 0.01, static_cast<std::uint64_t>(k)));
            sum += off(slam->pose(), truth);
        }
        CHECK(sum / 120 < 0.1);
        CHECK(slam->counters().rejected == 0);
    });
}

TEST_CASE("between two updates each scan is followed in the map, and corrects odometry") {
    for (const SlamMethod method : {SlamMethod::scan_match, SlamMethod::particle, SlamMethod::particle_shared}) {
        CAPTURE(slam_method_names[static_cast<std::size_t>(method)]);
        SlamOptions options = with(method);
        options.update_m = 2;
        options.update_deg = 60;
        const auto slam = make(options, {6.5, 1.5, 0});
        slam->update({}, {}, hall().scan({6.5, 1.5, 0}));
        Pose truth{6.5, 1.5, 0}, reckoned = truth;
        double sum = 0, sum_reckoned = 0;
        for (int k = 0; k < 60; ++k) {
            truth = compose(truth, {0.15, 0, 0.0667});
            reckoned = compose(reckoned, {0.16, 0.01, 0.08});
            slam->update({{0.16, 0.01, 0.08}, {}}, {}, hall().scan(truth, 0.01, static_cast<std::uint64_t>(k)));
            sum += off(slam->pose(), truth);
            if (k < 13) sum_reckoned += off(reckoned, truth);
        }
        CHECK(slam->counters().updates < 10);
        CHECK(sum / 60 < 0.05);
        CHECK(sum_reckoned / 13 > 0.1);  // of the way to the first update alone
    }
}

TEST_CASE("between two updates the filter of filters and localisation go by odometry alone") {
    for (const SlamMethod method : {SlamMethod::hyper, SlamMethod::localise}) {
        SlamOptions options = with(method);
        options.update_m = 2;
        options.update_deg = 60;
        const auto slam = make(options, {6.5, 1.5, 0});
        for (int k = 0; k < 2; ++k) slam->update({k * 2.1, 0, 0}, {}, hall().scan({6.5 + 2.1 * k, 1.5, 0}));
        const Pose before = slam->pose(), motion{0.3, 0, 0.1};
        slam->update({motion, {}}, {}, hall().scan({8.9, 1.7, 0.1}));
        slam->update({motion, {}}, {}, hall().scan({9.2, 1.7, 0.2}));
        if (options.method != SlamMethod::hyper)  // which corrects odometry
            CHECK(off(slam->pose(), compose(before, compose(motion, motion))) < 1e-9);
        CHECK(slam->counters().updates == 2);
    }
}

TEST_CASE("whatever scans and odometry say, every method goes on, and comes back when they make sense again") {
    for_each_method([](const SlamOptions& options) {
        auto slam = make(options, {2, 2, 0});
        const std::vector<Point> none,
            bad{{not_a_number, 1}, {1e12, 1}, {not_a_number, not_a_number}, {0, 0}, {-1e300, 2}, {1, 1},
                {2, not_a_number}, {0, 0}},
            at_once(40, Point{0, 0});
        slam->update({}, {}, none);
        slam->update({not_a_number, 0, 0}, {}, none);
        for (int k = 0; k < 4; ++k) slam->update({0, 0, 1.5}, {}, hall().scan({2, 2, 1.5 + 1.5 * k}));
        CHECK(off(slam->pose(), {2, 2, 0}) < 0.1);
        for (const auto& scan : {none, bad, at_once}) slam->update({0.2, 0, 0}, {}, scan);
        slam->update({1e9, 0, 0}, {}, hall().scan({3, 2, 0}));
        slam->update({0, 0, not_a_number}, {}, none);
        slam->update({-0.6, 0, 0}, {}, none);
        for (int k = 0; k < 4; ++k) slam->update({0, 0, 1.5}, {}, hall().scan({2, 2, 7.5 + 1.5 * k}));
        CHECK(off(slam->pose(), {2, 2, 0}) < 0.15);
        CHECK(slam->counters().impossible == 3);
        CHECK(std::isfinite(slam->pose().x));
    });
}

TEST_CASE("scans in which no beam hits anything leave every method with its odometry") {
    for_each_method([](const SlamOptions& options) {
        const auto slam = make(options, {2, 2, 0});
        for (int k = 0; k < 20; ++k) slam->update({0.5, 0, 0.1}, {}, {});
        Pose reckoned{2, 2, 0};
        for (int k = 0; k < 20; ++k) reckoned = compose(reckoned, {0.5, 0, 0.1});
        CHECK(off(slam->pose(), reckoned) < 1e-9);
        CHECK(slam->counters().updates == 0);
    });
}

TEST_CASE("a robot that was carried a short way is found again by every method, and anywhere by localisation") {
    for_each_method([](const SlamOptions& options) {
        const auto carried_to = [&](const Pose& there, std::uint64_t seed = 1) {
            const auto slam = make(options, {4.5, 6, 0}, seed);
            for (int k = 0; k <= 8; ++k) slam->update({0, 0, k ? 0.8 : 0}, {}, hall().scan({4.5, 6, 0.8 * k}));
            Pose truth = there;
            for (int k = 0; k <= 12; ++k) {  // the first time odometry does not know
                if (k) truth = compose(truth, {0, 0, 0.5});
                slam->update({0, 0, k ? 0.5 : 0.2}, {}, hall().scan(truth));
            }
            CHECK(std::isfinite(slam->pose().x));
            return std::pair(off(slam->pose(), truth), turned(slam->pose(), truth));
        };
        // Of the seeds of hyper one in eight takes the first scan for something else.
        const std::uint64_t seeds = options.method == SlamMethod::hyper ? 5 : 1;
        std::uint64_t found = 0;
        for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
            const auto near = carried_to({5.1, 5.7, 1}, seed);
            found += near.first < 0.2 && near.second < 0.05;
        }
        CHECK(found >= std::max<std::uint64_t>(1, seeds - 1));
        const auto far = carried_to({9, 2, -2.5});
        if (options.method != SlamMethod::localise) return;  // the others may take it for another hall
        CHECK(far.first < 0.1);
        CHECK(far.second < 0.03);
    });
}

TEST_CASE("stamps that stand still or run backward, and readings that are no distance, are survived by every method") {
    std::string text;
    const double bad[] = {-1, 0, 1e9, 81.83};
    for (int i = 0; i < 40; ++i) {
        const Pose at{2 + 0.1 * i, 2, 0.05 * i};
        text += "FLASER 180";
        for (int k = 0; k < 180; ++k) {
            const double r =
                k % 20 == i % 20 ? bad[k / 20 % 4] : hall().range(at.position(), at.yaw + radians(k - 89.5));
            text += k == 7 && i % 3 == 0 ? " nan" : fmt::format(" {:.3f}", std::min(r, 81.83));
        }
        const int stamp = i % 10 == 5 ? i - 5 : i % 10 == 7 ? i - 1 : i;
        text += fmt::format(" {} {} {} {} {} {} {} h {}\n", at.x, at.y, at.yaw, at.x, at.y, at.yaw, stamp, stamp);
    }
    const SensorLog log = parse_carmen(text, "e.log");
    CHECK(log.backward > 0);
    for_each_method([&](const SlamOptions& options) {
        const SlamRun run = run_slam(log, options, 1, {&hall_map(), {2, 2, 0}});
        // Each pose with how sure the method was; as text it is read back.
        REQUIRE(run.doubts.size() == run.trajectory.size());
        CHECK(run.doubts.back().covariance == run.slam->covariance());
        CHECK(run.doubts.back().fit > 0.8);
        CHECK(run.doubts.back().fit <= 1);
        for (const PoseDoubt& d : run.doubts) {
            CHECK(d.covariance[0] >= 0);
            CHECK(d.covariance[0] * d.covariance[4] >= d.covariance[1] * d.covariance[1] - 1e-12);
        }
        const TemporaryFolder written;
        write_text(written / "t.txt", trajectory_text(run));
        const std::vector<TimedPose> again = read_trajectory(written / "t.txt");
        REQUIRE(again.size() == run.trajectory.size());
        CHECK(again.back().pose.x == doctest::Approx(run.trajectory.back().pose.x));
        REQUIRE(run.trajectory.size() == log.entries.size());
        CHECK(off(run.trajectory.back().pose, {5.9, 2, 0}) < 0.15);
    });
}

TEST_CASE("every method gives the same poses at any thread count, and two of them in turn do not disturb each other") {
    for_each_method([](const SlamOptions& options) {
        const auto drive = [&](int threads, bool two) {
            const ThreadLimit limit(threads);
            const auto slam = make(options, {6.5, 1.5, 0}, 3);
            const auto other = make(options, {2, 2, 0}, 4);
            Pose truth{6.5, 1.5, 0};
            std::vector<double> out;
            Rng rng(3, 0, Purpose::odometry, 0);
            for (int k = 0; k < 15; ++k) {  // once round, far enough for hyper to compare its maps
                const Pose motion{0.4, 0, 0.178};
                truth = compose(truth, motion);
                if (two) other->update({0.01, 0, 0.3}, {}, hall().scan({2 + 0.01 * k, 2, 0.3 * k}));
                slam->update({0.4 + 0.02 * rng.normal(), 0.01 * rng.normal(), 0.178 + 0.02 * rng.normal()}, {},
                             hall().scan(truth, 0.01, static_cast<std::uint64_t>(k)));
                out.insert(out.end(), {slam->pose().x, slam->pose().y, slam->pose().yaw});
            }
            CHECK(off(slam->pose(), truth) < 0.2);
            if (const auto path = slam->path(); !path.empty()) CHECK(path.size() == slam->counters().updates);
            return out;
        };
        const std::vector<double> once = drive(1, false);
        for (const int threads : {2, 3, 8}) CHECK(drive(threads, false) == once);
        CHECK(drive(2, true) == once);
    });
}

TEST_CASE("wheels say nothing of sideways motion, and without any odometry scans alone find the way") {
    SlamOptions options = with(SlamMethod::scan_match);
    options.seed = SlamSeed::encoder;
    auto slam = make(options, {2, 2, 0});
    slam->update({1, 0.3, 0.2}, {}, {});
    CHECK(slam->pose() == Pose{3, 2, 0.2});

    for_each_method([](SlamOptions o) {
        o.seed = SlamSeed::none;
        const auto blind = make(o, {6.5, 1.5, 0});
        Pose truth{6.5, 1.5, 0};
        for (int k = 0; k < 60; ++k) {
            blind->update({k * 1.0, 0, 0}, {}, hall().scan(truth, 0.01, static_cast<std::uint64_t>(k)));
            CHECK(off(blind->pose(), truth) < 0.2);
            truth = compose(truth, {0.15, 0, 0.0667});
        }
    });
}

TEST_CASE("contrast and order of a map are those of a full Sobel filter over all of its cells") {
    CountedMap map({});
    for (const Pose& p : round_the_ring(1, 4)) {
        std::vector<Point> ends;
        for (const Point e : ring().scan(p, 0.03, 1, 8)) ends.push_back(transform(p, e));
        map.insert(p.position(), ends);
    }
    const auto [low, high] = map.extent();
    const auto share = [&](int x, int y) {
        const int seen = map.seen({x, y});
        return seen > 0 ? map.hits({x, y}) / static_cast<double>(seen) : 0;
    };
    double cells = 0, squares = 0, largest = 0;
    std::vector<Point> gradients;
    for (int y = low.y - 1; y <= high.y; ++y)
        for (int x = low.x - 1; x <= high.x; ++x) {
            if (map.seen({x, y}) > 0) {
                ++cells;
                squares += (2 * share(x, y) - 1) * (2 * share(x, y) - 1);
            }
            Point g{};
            for (int d = -1; d <= 1; ++d) {
                g.x += (2 - std::abs(d)) * (share(x + 1, y + d) - share(x - 1, y + d));
                g.y += (2 - std::abs(d)) * (share(x + d, y + 1) - share(x + d, y - 1));
            }
            gradients.push_back(g);
            largest = std::max(largest, norm(g));
        }
    std::vector<double> bins(90, 0.0);
    double total = 0, entropy = 0;
    for (const Point g : gradients) {
        if (norm(g) <= 0.25 * largest) continue;
        const double angle = std::fmod(degrees(std::atan2(g.y, g.x)) + 360, 90);
        bins[static_cast<std::size_t>(angle)] += norm(g);
        total += norm(g);
    }
    for (const double b : bins)
        if (b > 0) entropy -= b / total * std::log(b / total);
    const MapQuality quality = map_quality(map);
    CHECK(quality.contrast == doctest::Approx(squares / cells).epsilon(1e-6));
    CHECK(quality.order == doctest::Approx(1 - entropy / std::log(90)).epsilon(0.01));
    CHECK(map_quality(CountedMap({})).value() == 0);
}

TEST_CASE("a map that was drawn askew has less contrast and less order than a right one") {
    const auto draw = [](double turn_m) {
        CountedMap map({});
        for (int round = 0; round < 2; ++round)
            for (const Pose& p : round_the_ring(1, 4)) {
                const Pose believed{p.x, p.y, p.yaw + turn_m * p.x + 0.05 * round * (turn_m > 0)};
                std::vector<Point> ends;
                for (const Point e : ring().scan(p, 0.01, 1, 8)) ends.push_back(transform(believed, e));
                map.insert(p.position(), ends);
            }
        return map_quality(map);
    };
    CHECK(draw(0).contrast > draw(0.02).contrast + 0.01);
    CHECK(draw(0).order > draw(0.02).order + 0.05);
}

TEST_CASE("a filter of filters repairs the map of a loop on which the single filter breaks") {
    const std::uint64_t seeds = std::getenv("OUTRIDER_LONG") ? 3 : 1;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        CAPTURE(seed);
        CHECK(error_in_ring(SlamMethod::particle_shared, seed) > 4);
        CHECK(error_in_ring(SlamMethod::hyper, seed) < 1.5);
    }
}

TEST_CASE("a robot that knows its start is localised in a map to a few centimetres, and does not change it") {
    const auto slam = make(with(SlamMethod::localise), {6.5, 1.5, 0});
    const std::size_t walls = slam->map().occupied_cells();
    Pose truth{6.5, 1.5, 0};
    for (int k = 0; k < 60; ++k) {
        slam->update({0.15, 0.01, 0.07}, {}, hall().scan(truth, 0.01, static_cast<std::uint64_t>(k)));
        CHECK(off(slam->pose(), truth) < (k ? 0.06 : 0.2));
        CHECK(turned(slam->pose(), truth) < (k ? 0.02 : 0.08));
        truth = compose(truth, {0.15, 0, 0.0667});
    }
    CHECK(slam->map().occupied_cells() == walls);
    CHECK_THROWS_WITH_AS(make_slam(with(SlamMethod::localise), {}, 1), doctest::Contains("expected a map"), Error);
}

TEST_CASE("a robot that knows nothing of its start finds itself in the map, wherever it is") {
    SlamOptions options = with(SlamMethod::localise);
    options.start = SlamStart::unknown;
    for (const Pose& start : {Pose{8, 4, 1}, Pose{1.5, 6, -2}, Pose{10, 2, 3}, Pose{5, 6.5, 0.1}}) {
        const auto slam = make(options, {});
        Pose truth = start;
        for (int k = 0; k < 6; ++k) {
            slam->update({0.1, 0, 0.4}, {}, hall().scan(truth, 0.01, static_cast<std::uint64_t>(k)));
            if (k < 5) truth = compose(truth, {0.1, 0, 0.4});
        }
        CAPTURE(start.x);
        CHECK(off(slam->pose(), truth) < 0.08);
        CHECK(turned(slam->pose(), truth) < 0.02);
    }
}

TEST_CASE("rooms that look alike are kept apart until the robot sees what tells them") {
    // Two equal rooms on a corridor, with a niche beside the door of the second one only.
    WallPlan world;
    world.chain(
        {{0, 0}, {14, 0}, {14, 2}, {12, 2}, {12, 6}, {8, 6}, {8, 2}, {6, 2}, {6, 6}, {2, 6}, {2, 2}, {0, 2}, {0, 0}});
    world.chain({{2, 2}, {3.5, 2}});
    world.chain({{4.5, 2}, {6, 2}});
    world.chain({{8, 2}, {9.5, 2}});
    world.chain({{10.5, 2}, {12, 2}});
    const Grid<std::uint8_t> map = drawn(world, {1, 1});
    SlamOptions options = with(SlamMethod::localise);
    options.start = SlamStart::unknown;
    LocaliseSlam slam(options, {}, map);
    Pose truth{10, 4.5, -pi / 2};
    slam.update({}, {}, world.scan(truth, 0.01));
    const double before = slam.certainty();
    CHECK(slam.guesses().size() >= 2);
    CHECK(before < 0.9);
    for (int k = 0; k < 7; ++k) {  // out of the door, and along the corridor
        truth = compose(truth, {0.5, 0, 0});
        slam.update({0.5, 0, 0}, {}, world.scan(truth, 0.01));
    }
    for (int k = 0; k < 4; ++k) {
        truth = compose(truth, {0, 0, pi / 4});
        slam.update({0, 0, pi / 4}, {}, world.scan(truth, 0.01));
    }
    CHECK(slam.certainty() > 0.99);
    CHECK(off(slam.pose(), truth) < 0.1);
}

}  // namespace test_slam_methods
