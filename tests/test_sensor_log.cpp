// Logs of real robots: what they say, and what does not make sense in them.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "base/sqlite.hpp"
#include "helpers.hpp"
#include "outrider/error.hpp"
#include "ros_bag.hpp"
#include "sensor_log/ros_messages.hpp"
#include "sensor_log/slam_log.hpp"
#include "slam/known_cells.hpp"

using namespace outrider;

namespace test_sensor_log {
TEST_CASE("a log of CARMEN gives scans and odometry as they were written") {
    const SensorLog log = parse_carmen(
        "# comment\n"
        "PARAM robot_frontlaser_offset 0.25\n"
        "ODOM 1 2 0.5 0 0 0 10.0 host 0.1\r\n"
        "FLASER 3 1.5 2.5 3.5 9 9 9 1.5 2 0.5 10.2 host 0.2\n"
        "ROBOTLASER1 0 -1.57 3.14 1.57 20 0.01 0 3 4 5 6 1 77 1 2 0.1 1 2 0 0 0 0 0 0 10.4 host 0.4\n"
        "RAWLASER2 0 -0.5 1 0.5 30 0.01 0 3 7 8 9 0 10.5 host 0.5\n"
        "ODOM 3 2 0.7 0 0 0 10.6 host 0.6\n",
        "a.log");
    REQUIRE(log.scans.size() == 3);
    REQUIRE(log.entries.size() == 5);
    CHECK(log.odd == 0);
    CHECK(log.ignored == 1);
    CHECK(log.scans[0].ranges == std::vector<float>{1.5f, 2.5f, 3.5f});
    CHECK(log.scans[0].mount == Pose{0.25, 0, 0});
    CHECK(log.scans[0].first_angle == doctest::Approx(-pi / 2));
    CHECK(log.scans[0].step_angle == doctest::Approx(pi / 2));
    CHECK(log.scans[1].ranges == std::vector<float>{4, 5, 6});
    CHECK(log.scans[1].mount.yaw == doctest::Approx(0.1));
    CHECK(log.scans[1].max_range_m == 20);
    // No odometry of its own: halfway between the records of 10.4 and 10.6.
    CHECK(log.entries[3].odometry.x == doctest::Approx(2));
    CHECK(log.entries[3].scan == 2);
}

TEST_CASE("an export of this program says how its beams lie") {
    const SensorLog log = parse_carmen(
        "# range finder: 3 beams from -2.0944 rad by 1.5 rad, up to 20 m\nFLASER 3 1 2 20 0 0 0 1 0 0 1 h 1\n", "x");
    CHECK(log.scans[0].first_angle == doctest::Approx(-2.0944));
    CHECK(log.scans[0].step_angle == doctest::Approx(1.5));
    CHECK(log.scans[0].max_range_m == 20);
    CHECK(log.entries[0].odometry.x == 1);
}

TEST_CASE("odd lines are counted, the first of them is named, and the rest is read") {
    const SensorLog log = parse_carmen(
        "FLASER 2 1 2 0 0 0 0 0 0 1 h 1\nODOM 1 2\nFLASER 400000000 1\nFLASER 2 1 x 0 0 0 0 0 0 2 h 2\n"
        "ODOM nan 0 0 0 0 0 3 h 3\nFLASER -3\nROBOTLASER1 0 0 0\nWHAT 1 2\nODOM 0 0 0 0 0 0 0.5 h 1\n",
        "b.log");
    CHECK(log.scans.size() == 1);
    CHECK(log.odd == 6);
    CHECK(log.first_odd.starts_with("b.log:2: expected"));
    CHECK(log.ignored == 1);
    CHECK(log.backward == 1);
}

TEST_CASE("a log without a scan is an error that says what was expected") {
    for (const char* text : {"", "ODOM 0 0 0 0 0 0 1 h 1\n", "\x01\x02 what is this", "scan,nan\n"})
        CHECK_THROWS_WITH_AS(parse_carmen(text, "c.log"), doctest::Contains("c.log: no scan in it"), Error);
    CHECK_THROWS_AS(read_sensor_log("/nowhere/log"), Error);
}

TEST_CASE("a CSV gives scans whose odometry is interpolated") {
    const TemporaryFolder folder;
    write_text(folder / "log.csv",
               "# mine\nodom,0,0,0,3\nscan,0.5,-1,0.5,8,1,2,nan,9\nodom,1,2,0,-3\nscan,5,-1,0.5,8,-1,2\nodd,1\n");
    const SensorLog log = read_sensor_log(folder / "log.csv");
    REQUIRE(log.scans.size() == 2);
    CHECK(log.odd == 1);
    CHECK(log.entries[1].odometry.x == doctest::Approx(1));
    CHECK(std::abs(log.entries[1].odometry.yaw) > 3);  // through pi, not through 0
    CHECK(log.entries[3].odometry.x == 2);             // after the last record: as it was there
    std::vector<Point> ends;
    beam_ends(log.scans[0], ends);
    CHECK(ends.size() == 2);  // nan, and nothing within 8 m
    beam_ends(log.scans[1], ends);
    CHECK(ends.size() == 1);
}

TEST_CASE("of a CSV with several instruments the one that is asked for says how the body moved") {
    const std::string text =
        "gps,0.5,3,4,0.5\nodom,1,0,0,0\nins,1,0,0,0.5\ngps,1,10,20,0.3\nscan,1,-1,0.5,8,1,2,3,4\nodom,2,1,0,0\n"
        "ins,2,10,0,0.7\ngps,2,30,20,0.4\nscan,2,-1,0.5,8,1,2,3,4\n";
    const auto last = [&](SlamSeed seed) {
        const SensorLog log = parse_sensor_csv(text, "log", seed);
        CHECK(log.scans.size() == 2);
        return log.entries.back().odometry;
    };
    CHECK(last(SlamSeed::odometry) == Pose{1, 0, 0});
    CHECK(last(SlamSeed::ins) == Pose{10, 0, 0.7});
    // 10 m east of the first position, 0.3 m and 2 % of the way uncertain; satellites say 20 m, 0.4 m uncertain.
    const double gain = (0.09 + 0.04) / (0.09 + 0.04 + 0.16);
    const Pose aided = last(SlamSeed::gps_ins);
    CHECK(aided.x == doctest::Approx(20 + 10 * gain));
    CHECK(aided.y == doctest::Approx(20));
    CHECK(aided.yaw == doctest::Approx(0.7));
    const SensorLog log = parse_sensor_csv(text, "log", SlamSeed::gps_ins);
    CHECK(log.odd == 1);  // the first position, of which the heading is not known
    CHECK(log.first_odd.find("log:1") != std::string::npos);

    const std::string bare = "odom,1,0,0,0\nscan,1,-1,0.5,8,1,2,3,4\n";
    CHECK_THROWS_WITH_AS(parse_sensor_csv(bare, "log", SlamSeed::ins),
                         "log: slam.seed = ins: expected ins lines, found none", Error);
    CHECK_THROWS_WITH_AS(parse_sensor_csv(bare, "log", SlamSeed::gps_ins),
                         "log: slam.seed = gps_ins: expected ins and gps lines, found none", Error);
}

TEST_CASE("beams without echo clear what they crossed, and change no pose") {
    // A robot drives 2 m along the middle of a hall whose walls it does not see: 10 m of range.
    const float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
    const auto hall = [&](float none, int wall = 0) {
        RosBag bag("bag");
        for (int sec = 0; sec < 20; ++sec) {
            bag.take("/odom", "nav_msgs/msg/Odometry", odometry_message(sec, 0.1 * sec, 0), 1);
            std::vector<float> ranges(60, none);
            for (int i = 0; i < wall; ++i) ranges[static_cast<std::size_t>(i)] = 9 + 0.01f * static_cast<float>(i);
            bag.take("/scan", "sensor_msgs/msg/LaserScan", scan_message(sec, ranges), 2);
        }
        return bag.finish();
    };
    SlamOptions options;
    options.method = SlamMethod::scan_match;
    const auto map_of_run = [&](const SensorLog& log) {
        const SlamRun run = run_slam(log, options, 1);
        CHECK(run.trajectory.back().pose.x == doctest::Approx(1.9).epsilon(0.05));
        return known_cells(run.slam->map(), run.swept_map());
    };
    const auto free_cells = [](const Grid<std::uint8_t>& map) {
        return std::count(map.cells().begin(), map.cells().end(), 0);
    };
    const Grid<std::uint8_t> clear = map_of_run(hall(inf));
    CHECK(free_cells(clear) > 20'000);  // of 0.0025 m2
    CHECK(map_of_run(hall(10)) == clear);
    CHECK(map_of_run(hall(12)) == clear);
    // Not a number, closer than the least range, and 0, of which nobody knows what it means here.
    for (const float none : {nan, 0.05f, 0.0f}) CHECK(free_cells(map_of_run(hall(none))) == 0);
    // A driver that reports 0 beside walls that are as far as it sees.
    const SensorLog zeros = hall(0, 20);
    CHECK(zeros.notes.front().starts_with("readings of 0 are taken to mean that nothing was seen, in 20 scans"));
    CHECK(map_of_run(zeros) == map_of_run(hall(inf, 20)));
    // The range is as long as glass is likelier than a free view, or unknown.
    SensorLog far = hall(inf);
    for (const double range : {50.0, 0.0}) {
        for (RecordedScan& scan : far.scans) {
            scan.max_range_m = range;
            scan.ranges.assign(60, 60);
            if (range == 0) scan.ranges.assign(60, inf);
        }
        CHECK(!run_slam(far, options, 1).swept);
    }
}

TEST_CASE("a wall through which beams without echo go again and again is gone") {
    const Point wall{2.025, 0.025};
    for (const int later : {0, 2, 4}) {
        CountedMap map{CountedMapOptions{}}, swept{CountedMapOptions{}};
        map.insert({0.025, 0.025}, std::array{wall});
        swept.insert_free({0.025, 0.025}, std::array{Point{4.025, 0.025}}, std::array{wall});  // its own hit stays
        CHECK(swept.seen(swept.lattice().cell_of(wall)) == 0);
        CHECK(swept.seen(swept.lattice().cell_of({3.025, 0.025})) == 1);
        CHECK(swept.seen(swept.lattice().cell_of({1.025, 0.025})) == 0);  // seen by the other beam
        for (int i = 0; i < later; ++i) swept.insert_free({0.025, 0.025}, std::array{Point{4.025, 0.025}}, {});
        const Grid<std::uint8_t> cells = known_cells(map, &swept);
        CHECK(cells[swept.lattice().cell_of(wall)] == (later < 4 ? 1 : 0));
        CHECK(cells[swept.lattice().cell_of({3.025, 0.025})] == 0);
    }
    const CountedMap empty{CountedMapOptions{}};
    CHECK(known_cells(empty, &empty).cells().size() == 1);
}

TEST_CASE("what a scanner reports when it sees nothing is found out, and said by nobody else") {
    std::string text;
    for (int i = 0; i < 20; ++i) text += fmt::format("FLASER 4 1 {} 3 51.1{} 0 0 0 0 0 0 {} h 0\n", 2 + i, i % 10, i);
    CHECK(parse_carmen(text, "d").scans[0].max_range_m == doctest::Approx(50).epsilon(0.01));
    CHECK(parse_carmen("FLASER 2 1 7 0 0 0 0 0 0 1 h 1\n", "d").scans[0].max_range_m == 0);
}

TEST_CASE("readings that crowd around the top say nothing, whether the log names a range or not") {
    // Walls from 1 to 7.6 m, and no answer: a little less or more than the range of 8 m, or anything up to 8.5 m.
    for (const double declared : {0.0, 8.0})
        for (const bool wide : {false, true}) {
            CAPTURE(declared);
            CAPTURE(wide);
            std::string text;
            Rng rng(1, 0, Purpose::range, 0);
            for (int i = 0; i < 100; ++i) {
                const double none = wide ? rng.uniform(8, 8.5) : 8 + 0.02 * rng.normal();
                text += fmt::format("odom,{0},0,0,0\nscan,{0},0,0.1,{1},{2:.3f},{3:.3f}\n", i, declared,
                                    rng.uniform(1, 7.6), none);
            }
            const double range = parse_sensor_csv(text, "e.csv").scans[50].max_range_m;
            CHECK(range <= (wide ? 8.001 : 7.95));
            CHECK(range > 7.3);
        }
    // Walls alone, evenly up to the range: it stays as it is.
    std::string text;
    for (int i = 0; i < 1000; ++i) text += fmt::format("scan,{},0,0.1,8,{:.3f}\n", i, 0.008 * i);
    CHECK(parse_sensor_csv(text, "e.csv").scans[0].max_range_m == 8);
}

TEST_CASE("relations compare poses whose stamps are unique, and know a better trajectory from a worse one") {
    std::vector<TimedPose> truth, noisy;
    std::vector<Relation> relations;
    Rng rng(1, 0, Purpose::placement, 0);
    for (int i = 0; i < 100; ++i) {
        const Pose p{i * 0.1, i % 7 * 0.1, 0.05 * i - 2};
        truth.push_back({i * 1.0, p});
        noisy.push_back({i * 1.0 + 0.004, {p.x + 0.05 * rng.normal(), p.y, p.yaw}});
        if (i >= 5) relations.push_back({i - 5.0, i * 1.0, compose(inverse(truth[truth.size() - 6].pose), p)});
    }
    truth.push_back({50.001, {}});  // whose stamps are not unique any more
    const RelationErrors a = relation_errors(truth, relations), b = relation_errors(noisy, relations);
    CHECK(a.metres.size() == 93);
    CHECK(b.metres.size() == 95);
    CHECK(mean_and_deviation(a.metres).mean < 1e-9);
    CHECK(mean_and_deviation(b.metres).mean > 0.03);
    const std::vector<double> zero(b.metres.size(), 0);
    const PairedDifference d = paired_bootstrap(b.metres, zero);
    CHECK(d.low > 0);
    CHECK(d.low < d.mean);
    CHECK(d.mean < d.high);
    CHECK(paired_bootstrap(zero, zero).high == 0);
}

}  // namespace test_sensor_log
