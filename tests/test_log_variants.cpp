// Logs as other people's robots and programs write them.
#include <cmath>
#include <limits>

#include "helpers.hpp"
#include "outrider/error.hpp"
#include "packed_text.hpp"
#include "robot/registry.hpp"
#include "sensor_log/sensor_log_driver.hpp"
#include "sensor_log/slam_log.hpp"

using namespace outrider;

namespace test_log_variants {
namespace {

/// fields of a RAWLASER or ROBOTLASER of three beams, up to what follows the readings.
std::string laser(const std::string& kind) { return kind + " 0 -1.57 3.14 1.57 20 0.01 0 3 4 5 6 0 "; }

}  // namespace

TEST_CASE("RAWLASER scans are seen from where the parameters put the scanner, the second one from the rear") {
    const SensorLog log = parse_carmen(
        "PARAM robot_frontlaser_offset 0.25\nPARAM robot_frontlaser_side_offset -0.1\n"
        "PARAM robot_rearlaser_offset -0.3\nODOM 1 2 0 0 0 0 10 h 0\n" +
            laser("RAWLASER1") + "10 h 0\n" + laser("RAWLASER2") + "10 h 0\n",
        "a.log");
    REQUIRE(log.scans.size() == 2);
    CHECK(log.scans[0].mount == Pose{0.25, -0.1, 0});
    CHECK(log.scans[1].mount == Pose{-0.3, 0, pi});
}

TEST_CASE("scans that a log has as RAWLASER and as ROBOTLASER are read once") {
    const std::string robot = laser("ROBOTLASER1") + "1.3 2 0 1 2 0 0 0 0 0 0 10 h 0\n";
    const SensorLog log = parse_carmen(
        laser("RAWLASER1") + "10 h 0\n" + robot + laser("RAWLASER1") + "10.1 h 0\n" + laser("RAWLASER2") + "10.1 h 0\n",
        "a.log");
    CHECK(log.kinds.at("ROBOTLASER1") == 1);
    CHECK(log.kinds.count("RAWLASER1") == 0);
    CHECK(log.kinds.at("RAWLASER2") == 1);
    CHECK(log.ignored == 2);
}

TEST_CASE("a ROBOTLASER whose poses are rounded is one scanner") {
    std::string text;
    for (int i = 0; i < 50; ++i) {
        const Pose body{0.1 * i, 0.03 * i, 0.1 * i - 2}, at = compose(body, {0.3, 0.1, 0});
        text += laser("ROBOTLASER1") + fmt::format("{:.3f} {:.3f} {:.3f} {:.3f} {:.3f} {:.3f} 0 0 0 0 0 {} h 0\n", at.x,
                                                   at.y, at.yaw, body.x, body.y, body.yaw, i);
    }
    const SensorLog log = parse_carmen(text, "a.log");
    CHECK(SensorLogDriver(log).briefing(0.1).sensors.size() == 1);
    CHECK(log.scans[7].mount.x == doctest::Approx(0.3).epsilon(0.01));
}

TEST_CASE("a number that goes on with something else is an odd line, not the beginning of it") {
    const SensorLog log = parse_carmen(
        "FLASER 2 1,5 2,5 0 0 0 0 0 0 1 h 1\nFLASER 2 1.5.2 2 0 0 0 0 0 0 1 h 1\nFLASER 2 1 2 0 0 0 0 0 0 1 h 1\n",
        "a");
    CHECK(log.scans.size() == 1);
    CHECK(log.odd == 2);
    CHECK(log.first_odd == "a:1: expected a range, found '1,5'");
    CHECK(parse_sensor_csv("scan , 1 , 0 , 0.1 , 8 , 1.5 , 2\nscan,1,0,0.1,8,+1.5 ,2\n", "b").scans.size() == 1);
}

TEST_CASE("a scan whose beams have no direction is an odd line") {
    const SensorLog log = parse_sensor_csv(
        "scan,1,-1e39,0.1,8,1.5,2\nscan,1,0,nan,8,1.5,2\nscan,1,inf,0.1,8,1,2\nscan,1,0,0.1,8,1.5,2\n", "a");
    CHECK(log.scans.size() == 1);
    CHECK(log.odd == 3);
    CHECK(log.first_odd == "a:1: expected an angle in radians, found -1e+39");
}

TEST_CASE("a scanner that is nowhere on its robot, or a robot beyond all maps, is an odd line") {
    for (const char* offset : {"nan", "1e300", "-101"}) {
        CAPTURE(offset);
        const SensorLog log = parse_carmen(fmt::format("PARAM robot_frontlaser_offset {}\n", offset) +
                                               "FLASER 2 1 2 0 0 0 0 0 0 1 h 1\nODOM 1 2 0 0 0 0 10 h 0\n" +
                                               laser("RAWLASER1") + "10 h 0\n" + laser("RAWLASER2") + "10 h 0\n",
                                           "a");
        CHECK(log.scans.size() == 1);
        CHECK(log.odd == 2);
        CHECK(log.first_odd == "a scanner that is nowhere near its robot");
    }
    const SensorLog far = parse_carmen(
        "FLASER 2 1 2 0 0 0 1e300 0 0 1 h 1\nODOM 0 -1e8 0 0 0 0 10 h 0\nFLASER 2 1 2 0 0 0 5e6 0 0 1 h 1\n" +
            laser("ROBOTLASER1") + "1e300 2 0 1 2 0 0 0 0 0 0 10 h 0\n",
        "a");
    CHECK(far.scans.size() == 1);
    CHECK(far.odd == 3);
}

TEST_CASE("a CSV may begin with the mark of UTF-8 or the names of its columns") {
    const TemporaryFolder folder;
    const std::string lines = "odom,0,0,0,0\r\nscan,0,-1,0.5,8,1,2,3\r\n";
    write_text(folder / "mark.csv", "\xEF\xBB\xBF" + lines);
    CHECK(read_sensor_log(folder / "mark.csv").odd == 0);
    CHECK(read_sensor_log(folder / "mark.csv").entries.size() == 2);
    write_text(folder / "head.csv", "kind,time\r\n" + lines);
    const SensorLog log = read_sensor_log(folder / "head.csv");
    CHECK(log.scans.size() == 1);
    CHECK(log.first_odd.find("head.csv:1: expected odom, scan") != std::string::npos);
}

TEST_CASE("a text compressed by gzip is read like the text, as far as it is whole") {
    const TemporaryFolder folder;
    std::string carmen, csv;
    for (int i = 0; i < 4000; ++i) {
        carmen += fmt::format("FLASER 3 1.5 2.{} 3.5 0 0 0 {} 0 0 {} h 1\n", i * 7919 % 1000, 0.001 * i, i);
        csv += fmt::format("odom,{0},{0},0,0\nscan,{0},-1,0.5,8,1,2.{1}\n", i, i * 7919 % 1000);
    }
    for (const std::string& text : {carmen, csv}) {
        write_text(folder / "plain", text);
        const SensorLog plain = read_sensor_log(folder / "plain");
        // In one part, in two, as some tools write them, and with zeros behind.
        for (const std::string& packed : {gzip(text), gzip(text.substr(0, 70'000)) + gzip(text.substr(70'000)),
                                          gzip(text) + std::string(20, '\0')}) {
            write_text(folder / "log.gz", packed);
            CHECK(is_sensor_log(folder / "log.gz"));
            CHECK(sensor_log_kind(folder / "log.gz") == sensor_log_kind(folder / "plain"));
            const SensorLog log = read_sensor_log(folder / "log.gz");
            REQUIRE(log.scans.size() == plain.scans.size());
            CHECK(log.scans.back().ranges == plain.scans.back().ranges);
            CHECK(log.entries.back().odometry == plain.entries.back().odometry);
            CHECK(log.notes == plain.notes);
        }
        write_text(folder / "log.gz", gzip(text).substr(0, 15'000));
        const SensorLog cut = read_sensor_log(folder / "log.gz");
        CHECK(cut.scans.size() > 500);
        CHECK(cut.scans.size() < 4000);
        CHECK(cut.notes.back().starts_with("what is compressed is damaged or cut off"));
    }
    for (const char* bag : {"SQLite format 3", "#ROSBAG V2.0\n"}) {
        write_text(folder / "log.gz", gzip(bag));
        CHECK_THROWS_WITH_AS(read_sensor_log(folder / "log.gz"), doctest::Contains("a bag compressed by gzip"), Error);
    }
    write_text(folder / "log.gz", gzip(std::string(100 << 20, ' ')));
    CHECK_THROWS_WITH_AS(read_sensor_log(folder / "log.gz"), doctest::Contains("it unpacks to more than"), Error);
}

TEST_CASE("a log of GMapping gives its scans, with the scanner that GMapping takes it for") {
    std::string text =
        "ODOM 1 2 0.5 9.5\nODO_UPDATE 1 1 2 0.5 0 9.5\nLASER_READING 3 1.5 2.5 3.5 1 2 0.5 10.25\n"
        "SM_UPDATE 1 1 2 0.5 -3\nNEFF 30 10\nODOM 3 2 0.5 11\nLASER_READING 682";
    for (int i = 0; i < 682; ++i) text += " 2";
    const SensorLog log = parse_carmen(text + " 3 2 0.5 11.5\nODOM 4 2\n", "a.gfs");
    REQUIRE(log.scans.size() == 2);
    REQUIRE(log.entries.size() == 4);
    CHECK(log.odd == 1);
    CHECK(log.entries[0].time_s == 9.5);
    CHECK(log.entries[1].time_s == 10.25);
    CHECK(log.entries[1].odometry == Pose{1, 2, 0.5});
    CHECK(log.scans[0].first_angle == doctest::Approx(-pi / 2));
    CHECK(log.scans[1].first_angle == doctest::Approx(-2 * pi / 3));
    CHECK(log.scans[1].step_angle == doctest::Approx(2 * pi / 1024));
    // A line of CARMEN that is cut off is still odd.
    CHECK(parse_carmen("FLASER 1 1 0 0 0 0 0 0 1 h 1\nODOM 1 2 0.5 9.5\n", "a").odd == 1);
}

TEST_CASE("a file of another kind is refused with what to do about it") {
    const TemporaryFolder folder;
    for (const auto& [begin, what] : std::vector<std::pair<std::string, const char*>>{{"\x1f\x8b\x08", "gunzip"},
                                                                                      {"\x28\xb5\x2f\xfd", "unzstd"},
                                                                                      {"#ROSBAG V2.0\n", "ROS 1"},
                                                                                      {"\xff\xfe#", "UTF-16"}}) {
        write_text(folder / "log", begin + "x");
        CHECK_THROWS_WITH_AS(read_sensor_log(folder / "log"), doctest::Contains(what), Error);
    }
    CHECK_THROWS_WITH_AS(read_sensor_log(folder.path()), doctest::Contains("it is a folder"), Error);
}

TEST_CASE("a scanner without a limit, and readings without a number, are taken by strategies as by the matcher") {
    for (const char* limit : {"inf", "3.4e38", "0", "-1"}) {
        CAPTURE(limit);
        const SensorLog log = parse_sensor_csv(fmt::format("odom,0,0,0,0\nscan,0,-1,0.5,{},1,2.5,nan\n", limit), "a");
        CHECK(log.scans[0].max_range_m == 0);
        SensorLogDriver driver(log);
        CHECK(driver.briefing(0.1).sensors[0].range_unit_m < 0.01);
        std::vector<Percept> percepts(1);
        REQUIRE(driver.sense(percepts));
        CHECK(percepts[0].scans[0].ranges[2] == Scan::no_information);
    }
    // Nothing as far as it sees, whether a program writes that range or infinity.
    const SensorLog log = parse_sensor_csv("odom,0,0,0,0\nscan,0,-1,0.5,8,1,inf,8,-inf\n", "a");
    SensorLogDriver driver(log);
    std::vector<Percept> percepts(1);
    REQUIRE(driver.sense(percepts));
    const std::vector<std::uint16_t>& ranges = percepts[0].scans[0].ranges;
    CHECK(std::vector<std::uint16_t>(ranges.begin() + 1, ranges.end()) ==
          std::vector<std::uint16_t>{Scan::nothing, Scan::nothing, Scan::no_information});
}

TEST_CASE("a log says when it has no odometry for its scans") {
    const SensorLog none = parse_sensor_csv("scan,0,-1,0.5,8,1,2\nscan,1,-1,0.5,8,1,2\n", "a");
    REQUIRE(none.notes.size() == 1);
    CHECK(none.notes[0].starts_with("no odometry"));
    const SensorLog other_clock =
        parse_sensor_csv("odom,1000,1,0,0\nodom,1001,2,0,0\nscan,5,-1,0.5,8,1,2\nscan,1001.5,-1,0.5,8,1,2\n", "b");
    REQUIRE(other_clock.notes.size() == 1);
    CHECK(other_clock.notes[0].starts_with("1 of 2 scans"));
    CHECK(parse_sensor_csv("odom,0,1,0,0\nscan,0.5,-1,0.5,8,1,2\nodom,1,2,0,0\n", "c").notes.empty());
}

TEST_CASE("a trajectory of more columns than asked for is refused: they mean something else") {
    const TemporaryFolder folder;
    write_text(folder / "tum", "# time x y z qx qy qz qw\n1 2 3 0 0 0 0.5 0.86\n");
    CHECK_THROWS_WITH_AS(read_trajectory(folder / "tum"), doctest::Contains("tum:2: "), Error);
    write_text(folder / "windows", "1 2 3 0.5\r\n\r\n2 2 3 0.5 \r\n");
    CHECK(read_trajectory(folder / "windows").size() == 2);
}

TEST_CASE("of two scanners that look at the same time both draw the map") {
    const auto line = [](const char* kind, double range, double more, int t) {
        std::string text = fmt::format("{} 180", kind);
        for (int i = 0; i < 180; ++i) text += fmt::format(" {:.3f}", range + more * i);
        return text + fmt::format(" 0 0 0 {0} 0 0 {1} h {1}\n", 0.02 * t, t);
    };
    std::string text;
    for (int t = 0; t < 3; ++t)
        text += line("FLASER", 2.025, 0, t) + line("RLASER", 1.525, 0.01, t) + line("FLASER", 2.025, 0, t);
    SlamOptions options;
    options.method = SlamMethod::scan_match;
    const SlamRun run = run_slam(parse_carmen(text, "a"), options, 1);
    CHECK(run.slam->counters().updates == 2);  // the way is too short for another one of either
    const CountedMap& map = run.slam->map();
    CHECK(map.hits(map.lattice().cell_of({2.025, 0.01})) > 0);
    CHECK(map.hits(map.lattice().cell_of({-2.425, -0.01})) > 0);
    // Under a strategy, too.
    const SensorLog log = parse_carmen(text, "a");
    SensorLogDriver driver(log);
    RobotOptions robot;
    robot.slam = options;
    std::vector<Robot> team;
    team.emplace_back(driver.briefing(0.1), robot, make_strategy("stay", "test"), 1);
    Run strategies{driver, team, {}, {}};
    while (step(strategies) != EndReason::log_ended) {
    }
    const KnownMap& known = team[0].belief().map();
    for (const double x : {1.5, -1.5}) CHECK(known.is_free(known.lattice().cell_of({x, 0})));
}

}  // namespace test_log_variants
