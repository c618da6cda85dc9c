// Logs of rows of numbers, in a file of their own or a folder with one for each sensor.
#include <algorithm>
#include <cmath>
#include <filesystem>

#include "helpers.hpp"
#include "outrider/error.hpp"
#include "sensor_log/beam_order.hpp"
#include "sensor_log/row_file.hpp"
#include "sensor_log/slam_log.hpp"
#include "slam_world.hpp"

using namespace outrider;

namespace test_laser_rows {
namespace {

constexpr double step_deg = 360.0 / 1024;
const DrivenBeams hokuyo{683, -341 * step_deg, step_deg};

std::vector<double> reversed(std::vector<double> values) {
    std::reverse(values.begin(), values.end());
    return values;
}

std::string at_text(const Pose& p) { return fmt::format("{:.6f} {:.6f} {:.6f}", p.x, p.y, p.yaw); }

/// x y th and beams over 180 degrees, listed from left to right unless `right_first`.
std::string matlab_log(const std::vector<DrivenScan>& scans, const std::string& end, bool right_first = false) {
    std::string log = "% x y theta ranges" + end;
    for (const DrivenScan& s : scans)
        log += at_text(s.odometry) + ranges_text(right_first ? s.ranges : reversed(s.ranges), "\t") + end;
    return log;
}

/// The same scans as ROBOTLASER1 of CARMEN.
std::string robot_laser_log(const std::vector<DrivenScan>& scans) {
    std::string log;
    for (const DrivenScan& s : scans)
        log += fmt::format("ROBOTLASER1 0 {} {} {} 82 0.01 0 683{} 0 {} {} 0 0 0 0 0 {:.1f} h 0\n",
                           radians(hokuyo.first_deg), radians(682 * step_deg), radians(step_deg), ranges_text(s.ranges),
                           at_text(s.odometry), at_text(s.odometry), s.time_s);
    return log;
}

enum class Units { seconds_metres, milliseconds_metres, milliseconds_millimetres };
constexpr double start_s = 1'192'018'128;

/// The files of a Nomad: a Hokuyo of 769 readings, of which 43 at each end say nothing; odometry twice as often.
void write_nomad(const TemporaryFolder& folder, const std::vector<DrivenScan>& scans, Units units,
                 const std::string& end, bool left_first = false, const std::string& odometry_name = "odometry.txt") {
    std::string laser = "# hokuyo" + end, odometry, sonar, images, both = "#time(ms) x(m) y(m) phi(rad) ..." + end;
    const auto stamp = [&](double t) {
        return units == Units::seconds_metres ? fmt::format("{:.3f}", start_s + t)
                                              : fmt::format("{:.0f}", 1000 * (start_s + t));
    };
    for (const DrivenScan& s : scans) {
        laser += stamp(s.time_s);
        for (int i = 0; i < 43; ++i) laser += " 0.013";
        for (const double r : left_first ? reversed(s.ranges) : s.ranges)
            laser +=
                units == Units::milliseconds_millimetres ? fmt::format(" {:.0f}", 1000 * r) : fmt::format(" {:.3f}", r);
        for (int i = 0; i < 43; ++i) laser += " 7";
        laser += end;
        std::string ranges;
        for (int i = 0; i < 16; ++i) ranges += " 2.5";
        odometry += stamp(s.time_s) + " " + at_text(s.odometry) + end;
        both += stamp(s.time_s) + " " + at_text(s.odometry) + " 0.2 0.0" + ranges + end;
        sonar += stamp(s.time_s) + ranges + end;
        images += fmt::format("{:.6f} images/image{:.0f}.jpg", start_s + s.time_s, s.time_s) + end;
    }
    write_text(folder / "a strange name", laser);
    write_text(folder / odometry_name, odometry_name == "OdometryAndSonar.txt" ? both : odometry);
    write_text(folder / "sonar.txt", sonar);
    write_text(folder / "imtimes.txt", images);
    write_text(folder / "picture.jpg", "no picture");
    std::filesystem::create_directories(folder / "images");
}

/// The estimate at each scan.
std::vector<Pose> found(const SensorLog& log) {
    SlamOptions options;
    options.method = SlamMethod::scan_match;
    const SlamRun run = run_slam(log, options, 1);
    std::vector<Pose> out;
    const std::size_t before = log.entries.size() - run.trajectory.size();  // the first scan
    for (std::size_t i = before; i < log.entries.size(); ++i)
        if (log.entries[i].scan >= 0) out.push_back(run.trajectory[i - before].pose);
    return out;
}

void expect_path(const SensorLog& log, const std::vector<Pose>& truth, const std::vector<Pose>& carmen) {
    const std::vector<Pose> path = found(log);
    REQUIRE(path.size() == truth.size());
    REQUIRE(carmen.size() == truth.size());
    double worst_truth = 0, worst_carmen = 0;
    for (std::size_t i = 0; i < truth.size(); ++i) {
        worst_truth = std::max(worst_truth, off(path[i], compose(inverse(truth[0]), truth[i])));
        worst_carmen = std::max(worst_carmen, off(path[i], carmen[i]));
    }
    CHECK(worst_truth < 0.1);
    CHECK(worst_carmen < 0.05);  // a cell of the map, on the first metre; later a millimetre
}

std::string row(double first, int numbers, double reading = 1.5) {
    std::string text = fmt::format("{:.3f}", first);
    for (int i = 1; i < numbers; ++i) text += fmt::format(" {:.3f}", reading);
    return text + '\n';
}

}  // namespace

TEST_CASE("rows of poses and half circles of readings give the way of the same log of CARMEN") {
    const std::vector<Pose> truth = through_the_hall();
    const auto scans = drive(hall(), truth, 1.05, {2, -3, 0.5});
    const std::vector<Pose> carmen = found(parse_carmen(carmen_log(scans), "c"));
    for (const char* end : {"\n", "\r\n"})
        for (const bool right_first : {false, true}) {
            CAPTURE(right_first);
            const TemporaryFolder folder;
            write_text(folder / "m.txt", matlab_log(scans, end, right_first));
            CHECK(is_sensor_log(folder / "m.txt"));
            const SensorLog log = read_sensor_log(folder / "m.txt");
            CHECK(log.odd == 0);
            CHECK(log.kinds.at("pose and scan") == truth.size());
            CHECK(log.scans[0].first_angle == doctest::Approx(-pi / 2));
            REQUIRE(log.notes.size() == 3);
            CHECK(log.notes[1] == "its rows have no times: a second is taken to lie between two");
            CHECK(log.notes[2].starts_with(right_first ? "beams go from right to left, since"
                                                       : "beams go from left to right, since"));
            expect_path(log, truth, carmen);
        }
}

TEST_CASE("a folder with a file for each sensor gives the way of the same log of CARMEN, whatever the units") {
    const std::vector<Pose> truth = through_the_hall();
    const auto scans = drive(hall(), truth, 1.05, {}, hokuyo);
    const std::vector<Pose> carmen = found(parse_carmen(robot_laser_log(scans), "c"));
    for (const Units units : {Units::seconds_metres, Units::milliseconds_metres, Units::milliseconds_millimetres})
        for (const bool left_first : {false, true}) {
            CAPTURE(static_cast<int>(units));
            CAPTURE(left_first);
            const TemporaryFolder folder;
            write_nomad(folder, scans, units, left_first ? "\r\n" : "\n", left_first,
                        left_first ? "OdometryAndSonar.txt" : "odometry.txt");
            CHECK(is_sensor_log(folder.path()));
            const SensorLog log = read_sensor_log(folder.path());
            CHECK(log.odd == 0);
            CHECK(log.backward == 0);
            CHECK(log.kinds.at("scan") == truth.size());
            CHECK(log.kinds.at("odometry") == truth.size());
            CHECK(log.ignored == 2 * truth.size());  // sonar and images
            CHECK(log.scans[0].ranges.size() == 683);
            CHECK(log.scans[0].step_angle == doctest::Approx(2 * pi / 1024));
            CHECK(log.entries[0].time_s == doctest::Approx(start_s));
            REQUIRE(log.notes.size() == 3);
            CHECK(log.notes[2].starts_with(left_first ? "beams go from left to right, since"
                                                      : "beams go from right to left, since"));
            expect_path(log, truth, carmen);
        }
}

TEST_CASE("rows are told apart by how many numbers they have") {
    const auto kind = [](const std::string& text) { return row_format(text, true).kind; };
    CHECK(kind("1 2 3 4\n2 2 3 4\n") == RowKind::odometry);
    CHECK(kind("# head\n1 2 3 4 5 6\n") == RowKind::odometry);
    CHECK(kind(row(1, 17)) == RowKind::sonar);
    CHECK(kind(row(1, 22)) == RowKind::odometry_and_sonar);
    CHECK(kind("1.5\n2.5\n") == RowKind::times);
    CHECK(kind("1.5 images/a.jpg\n2.5 images/b.jpg\n") == RowKind::times);
    CHECK(kind(row(1, 362)) == RowKind::laser);
    CHECK(kind(row(1, 364)) == RowKind::posed_laser);
    CHECK(kind(row(1, 151) + row(2, 151)) == RowKind::laser);          // grows, as times do
    CHECK(kind(row(1, 151) + row(0.5, 151)) == RowKind::posed_laser);  // does not
    CHECK(kind(row(1, 151, 9) + row(0.5, 151, 9)) == RowKind::laser);  // 9 is no angle
    for (const char* other :
         {"", "\n\n", "hello\n", "1 2\n", "1 2 3 x\n", "FLASER 2 1 2\n", "1 a b\n", "a b\n1 2 3 4\nc d\n"})
        CHECK(kind(other) == RowKind::other);
    CHECK(row_format("1 2 3 4\n1 2 3 4 5", false).kind == RowKind::odometry);  // the last one is cut off
    CHECK(row_format("1 2 3 4", false).kind == RowKind::other);
}

TEST_CASE("units of rows are found out") {
    std::string seconds, milliseconds, since_1970, micro, fast;
    for (int i = 0; i < 20; ++i) {
        seconds += fmt::format("{} {} 0 0\n", 0.1 * i, 0.05 * i);
        milliseconds += fmt::format("{} {} 0 0\n", 100 * i, 0.05 * i);
        since_1970 += fmt::format("{} {} 0 0\n", 1'192'018'128'000 + i, 0.0005 * i);
        micro += fmt::format("{} {} 0 0\n", 1'192'018'128'000'000 + i, 0);
        fast += fmt::format("{} {} 0 0\n", 0.1 * i, 50 * i);
    }
    CHECK(units_text(odometry_units(seconds)).empty());
    CHECK(units_text(odometry_units(milliseconds)) == "milliseconds");
    CHECK(units_text(odometry_units(since_1970)) == "milliseconds");
    CHECK(units_text(odometry_units(micro)) == "microseconds");
    CHECK(units_text(odometry_units(fast)) == "millimetres");
    CHECK(units_text(laser_units(row(1, 182, 1500), 182, 1)) == "millimetres");
    CHECK(units_text(laser_units(row(1, 182, 80), 182, 1)).empty());
    CHECK(units_text(laser_units("nonsense\n", 182, 1)).empty());
}

TEST_CASE("odd rows are counted, the first of them is named with its file, and the rest is read") {
    const TemporaryFolder folder;
    write_text(folder / "laser", row(1, 182) + row(2, 182) + "# comment\n" + row(3, 100) + row(4, 183) + row(3.5, 182) +
                                     row(2.5, 182) + "nan" + row(6, 182).substr(5) + row(7, 182));
    write_text(folder / "odometry.txt", "1 0 0 0\n2 1 0 0\n3 1 x 0\n4 1 nan 0\n5 2 0 0\ninf 2 0 0\n7 2 0 0\n6 2 0 0\n");
    const SensorLog log = read_sensor_log(folder.path());
    CHECK(log.scans.size() == 5);
    CHECK(log.entries.size() == 10);
    CHECK(log.odd == 6);
    CHECK(log.first_odd == folder / "odometry.txt" + ":3: expected a number, found 'x'");
    CHECK(log.backward == 2);
    CHECK(log.notes.back() == "beams go from right to left, as is usual: the log turns too little to tell");

    std::string text = matlab_log(drive(hall(), {{1, 1, 0}, {1.2, 1, 0}}, 1), "\n");
    text += "1 2 3\n" + text.substr(text.size() / 2);
    const SensorLog posed = parse_rows(text, "m");
    CHECK(posed.odd == 2);
    CHECK(posed.first_odd == "m:4: expected 183 numbers, found 3");
    CHECK(posed.notes.back() == "beams go from left to right, as is usual: the log turns too little to tell");
}

TEST_CASE("rows of CoreSLAM have the turns of two wheels before their readings") {
    // 1 m ahead, then a quarter of a turn to the left on the spot, while 683 readings are 2 m.
    const double tick = 0.077 * 2 * pi / 2000;
    const double ahead = std::floor(1 / tick), aside = std::floor(0.165 * pi / 2 / tick);
    const auto line = [](int i, double left, double right, int beams) {
        std::string text = fmt::format("{} 7 {} {}", 100'000 * i, left, right);
        for (int k = 4; k < 24; ++k) text += " 9";
        for (int k = 0; k < beams; ++k) text += k == 0 ? " 0" : " 2000";
        return text + " \n";
    };
    for (const int beams : {682, 683}) {
        CAPTURE(beams);
        const SensorLog log = parse_rows(line(0, 50, 60, beams) + line(1, 50 + ahead, 60 + ahead, beams) +
                                             line(2, 50 + ahead - aside, 60 + ahead + aside, beams),
                                         "exp.dat");
        REQUIRE(log.scans.size() == 3);
        CHECK(log.scans[0].ranges.size() == static_cast<std::size_t>(beams));
        CHECK(std::count(log.scans[0].ranges.begin(), log.scans[0].ranges.end(), 0.0f) == 1);
        CHECK(log.scans[0].step_angle == doctest::Approx(2 * pi / 1024));
        CHECK(log.scans[0].mount == Pose{0.145, 0, 0});
        CHECK(log.entries[1].time_s == doctest::Approx(0.1));
        CHECK(log.entries[1].odometry.x == doctest::Approx(1).epsilon(0.001));
        CHECK(log.entries[2].odometry.x == doctest::Approx(1).epsilon(0.001));
        CHECK(log.entries[2].odometry.yaw == doctest::Approx(pi / 2).epsilon(0.01));
        CHECK(log.notes[1].find("how far two wheels turned") != std::string::npos);
    }
    CHECK(parse_rows(line(0, 0, 0, 683) + line(1, 1e9, 0, 683) + line(2, 1e9, 0, 683), "exp.dat").odd == 1);
    // Another number of beams that no scanner has is doubted.
    std::string text;
    for (int i = 1; i < 5; ++i) text += row(i, 705);
    CHECK(parse_rows(text, "a", SlamSeed::none).notes[1].starts_with("doubtful: no scanner in use has 704 beams"));
}

TEST_CASE("a folder that lacks something says what") {
    const auto refusal = [](const TemporaryFolder& folder, std::string_view scanner = "") -> std::string {
        try {
            read_sensor_log(folder.path(), SlamSeed::odometry, "", scanner);
        } catch (const Error& e) {
            return e.what();
        }
        return "";
    };
    const TemporaryFolder empty, no_laser, no_odometry, bag;
    CHECK(refusal(empty).find("a folder with nothing in it") != std::string::npos);
    write_text(no_laser / "odometry.txt", "1 0 0 0\n");
    CHECK(refusal(no_laser).find("without the file of a laser") != std::string::npos);
    write_text(bag / "bag.db3", "SQLite format 3");
    CHECK(refusal(bag).find("bag.db3") != std::string::npos);
    write_text(no_odometry / "laser.txt", row(1, 182) + row(2, 182));
    CHECK(refusal(no_odometry).find("without a file of odometry") != std::string::npos);
    CHECK(read_sensor_log(no_odometry.path(), SlamSeed::none).scans.size() == 2);
    CHECK_THROWS_WITH_AS(read_sensor_log(no_odometry / "laser.txt"), doctest::Contains("no odometry"), Error);
    CHECK(read_sensor_log(no_odometry / "laser.txt", SlamSeed::none).scans.size() == 2);
    write_text(no_odometry / "odd", "1 2 3 4\n");
    CHECK_THROWS_WITH_AS(read_sensor_log(no_odometry / "odd"), doctest::Contains("expected rows of x, y, yaw"), Error);
    CHECK_THROWS_WITH_AS(read_sensor_log(no_odometry.path(), SlamSeed::ins), doctest::Contains("slam.seed = ins"),
                         Error);
    CHECK(refusal(no_odometry, "other").find("--scanner other: no such file of a laser; there is laser.txt") !=
          std::string::npos);
}

TEST_CASE("of several files of a kind the larger laser and odometry.txt are read, and the others are named") {
    const TemporaryFolder folder;
    write_text(folder / "back", row(1, 182) + row(2, 182));
    write_text(folder / "front", row(1, 182) + row(2, 182) + row(3, 182));
    write_text(folder / "a.txt", "1 9 0 0\n");
    write_text(folder / "OdometrySLAM.txt", "1 8 0 0\n");
    write_text(folder / "Odometry.txt", "1 7 0 0\n");
    const SensorLog log = read_sensor_log(folder.path());
    CHECK(log.scans.size() == 3);
    CHECK(log.entries[0].odometry.x == 7);
    CHECK(log.notes[2] == "left out are back, OdometrySLAM.txt, a.txt");
    CHECK(read_sensor_log(folder.path(), SlamSeed::odometry, "", "back").scans.size() == 2);
    std::filesystem::remove(folder / "Odometry.txt");
    CHECK(read_sensor_log(folder.path()).entries[0].odometry.x == 9);
}

TEST_CASE(
    "readings of a Hokuyo that are codes of errors say nothing, and other scanners cover what they are known for") {
    const SensorLog log = parse_rows(row(1, 684, 1.2) + row(2, 684, 0.01), "h", SlamSeed::none);
    CHECK(log.scans[0].ranges[7] == doctest::Approx(1.2));
    CHECK(log.scans[1].ranges[7] == 0);
    const SensorLog wide = parse_rows(row(1, 1082) + row(2, 1082), "w", SlamSeed::none);
    CHECK(degrees(wide.scans[0].first_angle) == doctest::Approx(-135));
    CHECK(degrees(wide.scans[0].step_angle) == doctest::Approx(0.25));
}

TEST_CASE("the order of beams is unknown where nothing turns, and where scans look the same in all directions") {
    SensorLog log;
    for (int i = 0; i < 20; ++i) {
        RecordedScan scan = half_circle(180);
        scan.ranges.assign(180, 2);
        log.scans.push_back(scan);
        log.entries.push_back({1.0 * i, {0, 0, wrap_angle(0.2 * i)}, i});
    }
    CHECK(beam_order(log) == BeamOrder::unknown);
    for (LogEntry& e : log.entries) e.odometry.yaw = 0;
    CHECK(beam_order(log) == BeamOrder::unknown);
    CHECK(beam_order({}) == BeamOrder::unknown);
}

}  // namespace test_laser_rows
