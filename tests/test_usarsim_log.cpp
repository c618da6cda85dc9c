// Text logs of USARSim, written here by the grammar of its protocol.
#include <cmath>

#include "helpers.hpp"
#include "outrider/error.hpp"
#include "sensor_log/slam_log.hpp"
#include "slam_world.hpp"
#include "wire/usarsim_line.hpp"

using namespace outrider;

namespace test_usarsim_log {
namespace {

std::string three(double x, double y, double z) { return fmt::format("{:.6f},{:.6f},{:.6f}", x, y, z); }

/// SEN line of a scanner; `stamp` is empty or "{Time t} ".
std::string scan_line(const std::string& stamp, const std::vector<double>& ranges, const std::string& name = "Scanner1",
                      const std::string& angles = "{Resolution 0.0174533} {FOV 3.1415927}") {
    return fmt::format("SEN {}{{Type RangeScanner}} {{Name {}}} {} {{Range {}}}", stamp, name, angles,
                       ranges_text(ranges, ",").substr(1));
}

std::string odometry_line(const std::string& stamp, const Pose& p) {
    return fmt::format("SEN {}{{Type Odometry}} {{Name Odometry}} {{Pose {}}}", stamp, three(p.x, -p.y, -p.yaw));
}

std::string located_line(const std::string& stamp, const std::string& type, const Pose& p) {
    return fmt::format("SEN {}{{Type {}}} {{Name {}}} {{Location {}}} {{Orientation {}}}", stamp, type, type,
                       three(p.x, -p.y, -0.3), three(0.01, 0, -p.yaw));
}

enum class Times { stamps, status, none };

/// A session of one robot: scans come between the odometry of their time and the next.
std::string usarsim_log(const std::vector<DrivenScan>& scans, Times times, const std::string& end,
                        const std::string& poses = "Odometry") {
    std::string log = "# a made-up session" + end + "NFO {Gametype BotDeathMatch} {Level room} {TimeLimit 0}" + end +
                      "CONF {Type RangeScanner} {Name Scanner1} {MaxRange 80.0}" + end +
                      "GEO {Type RangeScanner} {Name Scanner1 Location 0.0,0.0,-0.2 Orientation 0.0,0.0,0.0 Mount "
                      "HARD}" +
                      end;
    for (const DrivenScan& scan : scans) {
        const std::string stamp = times == Times::stamps ? fmt::format("{{Time {:.4f}}} ", 100 + scan.time_s) : "";
        log += "STA " + (times == Times::none ? "" : fmt::format("{{Time {:.4f}}} ", 100 + scan.time_s)) +
               "{LightToggle False} {Battery 1200}" + end;
        log += (poses == "Odometry" ? odometry_line(stamp, scan.odometry) : located_line(stamp, poses, scan.odometry)) +
               end;
        log += "SEN " + stamp + "{Type Sonar} {Name F1 Range 4.4690} {Name F2 Range 1.9387}" + end;
        log += "SEN " + stamp + "{Type Encoder} {Name ECLeft Tick 12}" + end;
        log += scan_line(stamp, scan.ranges) + end + "MISSTA {Time 100.0} {Name CameraPanTilt} {Link 1}" + end;
    }
    return log;
}

std::vector<TimedPose> found(const SensorLog& log) {
    SlamOptions options;
    options.method = SlamMethod::scan_match;
    std::vector<TimedPose> out;
    for (const TimedPose& p : run_slam(log, options, 1).trajectory)
        if (out.empty() || p.time_s > out.back().time_s)
            out.push_back(p);
        else
            out.back() = p;  // after the scan of the same time
    return out;
}

}  // namespace

TEST_CASE("a line of USARSim is a type and segments in braces") {
    const UsarsimLine line = parse_usarsim_line("SEN {Time 45.14} {Type Sonar}{name F1 Range 4.4690}  {Empty} ");
    CHECK(line.type == "SEN");
    REQUIRE(line.segments.size() == 4);
    CHECK(line.find("time") == "45.14");
    CHECK(line.find("Name") == "F1 Range 4.4690");
    CHECK(line.word("Name") == "F1");
    CHECK(line.find("Empty") == "");
    CHECK(!line.find("Range"));
    for (const char* bad : {"SEN {Time 1", "SEN {Time {1}}", "SEN {Time 1} x {A b}", "SEN }", "STA Time 1"}) {
        CAPTURE(bad);
        CHECK_THROWS_AS(parse_usarsim_line(bad), Error);
    }
    CHECK_THROWS_WITH_AS(parse_usarsim_line("SEN {Range " + std::string(2 << 20, '1') + "}"),
                         doctest::Contains("bytes"), Error);
    CHECK(usarsim_text("RES", {{"Type", "INIT"}, {"Reason", "no {r9}\r\nhere"}}) ==
          "RES {Type INIT} {Reason no  r9   here}\r\n");
    CHECK(looks_like_usarsim("STA{Time 1}"));
    CHECK(!looks_like_usarsim("SENT {x}"));
    CHECK(!looks_like_usarsim("NFO"));
}

TEST_CASE("of a log of USARSim SLAM finds the way that was driven, as from the same log of CARMEN") {
    const std::vector<Pose> truth = through_the_hall();
    const auto scans = drive(hall(), truth, 1.05, {2, -3, 0.5});
    const auto carmen = found(parse_carmen(carmen_log(scans), "c"));
    REQUIRE(carmen.size() == truth.size());
    for (const Times times : {Times::stamps, Times::status, Times::none})
        for (const char* end : {"\n", "\r\n"})
            for (const char* poses : {"Odometry", "INS", "GroundTruth"}) {
                CAPTURE(static_cast<int>(times));
                CAPTURE(poses);
                if (times != Times::stamps && std::string(poses) != "Odometry") continue;
                const TemporaryFolder folder;
                write_text(folder / "log.txt", usarsim_log(scans, times, end, poses));
                CHECK(is_sensor_log(folder / "log.txt"));
                const SensorLog log = read_sensor_log(folder / "log.txt");
                CHECK(log.odd == 0);
                CHECK(log.backward == 0);
                CHECK(log.kinds.at("RangeScanner") == truth.size());
                CHECK(log.kinds.at(poses) == truth.size());
                CHECK(log.ignored == 3 + 4 * truth.size());  // NFO, CONF, GEO; STA, Sonar, Encoder, MISSTA
                REQUIRE(!log.notes.empty());
                CHECK(log.notes[0].starts_with(fmt::format("odometry is that of {}", poses)));
                CHECK(log.notes.size() == (times == Times::none ? 2 : 1));
                CHECK(log.entries[0].odometry.y == doctest::Approx(-3));
                CHECK(log.entries[0].odometry.yaw == doctest::Approx(0.5));
                const auto path = found(log);
                REQUIRE(path.size() == truth.size());
                double worst_truth = 0, worst_carmen = 0;
                for (std::size_t i = 0; i < truth.size(); ++i) {
                    worst_truth = std::max(worst_truth, off(path[i].pose, compose(inverse(truth[0]), truth[i])));
                    worst_carmen = std::max(worst_carmen, off(path[i].pose, carmen[i].pose));
                }
                CHECK(worst_truth < 0.1);
                CHECK(worst_carmen < 0.02);
            }
}

TEST_CASE("y to the right and clockwise yaw become y to the left and counter-clockwise yaw") {
    const SensorLog log = parse_usarsim(
        "SEN {Time 1} {Type Odometry} {Name Odometry} {Pose 1.0,2.0,0.5}\n"
        "SEN {Time 2} {Type RangeScanner} {Name S} {Resolution 1.57} {FOV 3.14} {Range 1,2,3}\n"
        "SEN {Time 3} {Type Odometry} {Name Odometry} {Pose 3.0,4.0,-6.0}\n"
        "GEO {Type RangeScanner} {Name Other Location 9,9,9 Orientation 0,0,0 Mount HARD} "
        "{Name S Location 0.2,0.1,-0.3 Orientation 0,0,0.4 Mount HARD}\n",
        "a");
    REQUIRE(log.entries.size() == 3);
    CHECK(log.entries[0].odometry == Pose{1, -2, -0.5});
    CHECK(log.entries[1].odometry.x == doctest::Approx(2));  // halfway
    CHECK(log.entries[1].odometry.y == doctest::Approx(-3));
    CHECK(log.entries[2].odometry.yaw == doctest::Approx(6 - 2 * pi));
    CHECK(log.scans[0].mount.x == doctest::Approx(0.2));
    CHECK(log.scans[0].mount.y == doctest::Approx(-0.1));
    CHECK(log.scans[0].mount.yaw == doctest::Approx(-0.4));
    CHECK(log.scans[0].first_angle == doctest::Approx(-1.57));  // the first beam is the right one
    CHECK(log.scans[0].ranges == std::vector<float>{1, 2, 3});
}

TEST_CASE("a scanner of USARSim that hangs upside down looks from left to right") {
    const std::string scan = "SEN {Time 2} {Type RangeScanner} {Name S} {Resolution 1} {FOV 2} {Range 1,2,3}\n";
    for (const char* turn : {"3.1416,0,0", "0,3.1416,3.1416"}) {
        const SensorLog log = parse_usarsim(
            scan + fmt::format("GEO {{Type RangeScanner}} {{Name S}} {{Location 0,0,0}} {{Orientation {}}}\n", turn),
            "a");
        CHECK(log.scans[0].ranges == std::vector<float>{3, 2, 1});
        CHECK(log.scans[0].first_angle == doctest::Approx(-1));
        CHECK(std::abs(log.scans[0].mount.yaw) < 1e-3);
    }
}

TEST_CASE("how beams lie follows from the field of view where the resolution is only rounded") {
    const auto step = [](int beams, const char* angles) {
        const SensorLog log =
            parse_usarsim(scan_line("", std::vector<double>(static_cast<std::size_t>(beams), 2), "S", angles), "a");
        return log.scans.at(0).step_angle;
    };
    CHECK(step(181, "{Resolution 0.0174} {FOV 3.1415}") == doctest::Approx(3.1415 / 180));
    CHECK(step(361, "{Resolution 0.0087} {FOV 3.1415}") == doctest::Approx(3.1415 / 360));
    CHECK(step(180, "{Resolution 0.0174533} {FOV 3.1415927}") == doctest::Approx(0.0174533));
    CHECK(step(181, "{FOV 3.1415}") == doctest::Approx(3.1415 / 180));
    CHECK(step(181, "{Resolution 0.0174}") == doctest::Approx(0.0174));
    CHECK(step(1, "{Resolution 0.0174} {FOV 3.1415}") >= 0);
    for (const char* bad : {"", "{Resolution nan} {FOV 1}", "{Resolution 0.1} {FOV 1e9}", "{Resolution -1} {FOV 3}"}) {
        CAPTURE(bad);
        CHECK_THROWS_WITH_AS(step(181, bad), doctest::Contains("1 odd lines, first a:1: expected"), Error);
    }
}

TEST_CASE("odd lines of USARSim are counted, the first of them is named, and the rest is read") {
    const std::string good = scan_line("{Time 1} ", {1, 2, 3}, "S") + "\n";
    const SensorLog log = parse_usarsim(
        good + "  # a comment\n\n" +
            "SEN {Time 2} {Type RangeScanner} {Name S} {Resolution 0.1} {FOV 0.2} {Range 1,x,3}\n" +
            "SEN {Time nan} {Type Odometry} {Name O} {Pose 1,2,3}\nSEN {Time 2} {Type Odometry} {Name O} {Pose "
            "1,inf,3}\n"
            "SEN {Time 2} {Type Odometry} {Name O} {Pose 1,2}\nSEN {Time 2} {Type Odometry {Name O} {Pose 1,2,3}\n"
            "SEN {Time 2} {Name O} {Pose 1,2,3}\nHELLO {a b}\nSTA {Time x}\nDRIVE {Left 1} {Right 1}\n"
            "SEN {Time 0.5} {Type Odometry} {Name O} {Pose 1,2,3}\n" +
            good.substr(0, good.size() / 2),
        "u.txt");
    CHECK(log.scans.size() == 1);
    CHECK(log.odd == 9);
    CHECK(log.first_odd == "u.txt:4: expected a range, found 'x'");
    CHECK(log.ignored == 1);
    CHECK(log.backward == 1);
    CHECK(log.entries.size() == 2);
    CHECK_THROWS_WITH_AS(parse_usarsim("STA {Time 1}\n", "u.txt"), doctest::Contains("u.txt: no scan in it"), Error);
    const std::string many(400'000, ',');
    CHECK(parse_usarsim(good + "SEN {Type RangeScanner} {Name S} {FOV 1} {Range 1" + many + "}\n", "u").odd == 1);
}

TEST_CASE("of several scanners that with the most readings is read, or the one that is asked for") {
    const std::string text = scan_line("{Time 1} ", {1, 2, 3}, "Small") + "\n" +
                             scan_line("{Time 1} ", {1, 2}, "Tiny") + "\n" +
                             scan_line("{Time 2} ", {1, 2, 3, 4, 5, 6, 7}, "Large") + "\n" +
                             scan_line("{Time 2} ", {4, 5, 6}, "Small") + "\n";
    const SensorLog log = parse_usarsim(text, "a");
    REQUIRE(log.scans.size() == 1);
    CHECK(log.scans[0].ranges.size() == 7);
    CHECK(log.ignored == 3);
    REQUIRE(log.notes.size() == 3);
    CHECK(log.notes[0] == "scans are those of Large; left out are those of Small, Tiny");
    CHECK(log.notes[1] == "no GEO line says where Large sits: it is taken to sit at the centre");
    CHECK(log.notes[2].starts_with("no odometry"));
    CHECK(parse_usarsim(text, "a", SlamSeed::odometry, "", "Small").scans.size() == 2);
    CHECK_THROWS_WITH_AS(parse_usarsim(text, "a", SlamSeed::odometry, "", "Huge"),
                         "a: --scanner Huge: no readings of it; there are those of Large, Small, Tiny", Error);
}

TEST_CASE("poses are those of the best sensor, or of the inertial system where that is asked for") {
    const std::string scan = scan_line("{Time 1} ", {1, 2, 3}) + "\n",
                      truth = located_line("{Time 1} ", "GroundTruth", {7, 8, 0}),
                      ins = located_line("{Time 1} ", "INS", {5, 6, 0}),
                      odometry = odometry_line("{Time 1} ", {1, 2, 0});
    const auto x_of = [&](const std::string& text, SlamSeed seed = SlamSeed::odometry) {
        return parse_usarsim(text, "a", seed).entries.back().odometry.x;
    };
    CHECK(x_of(truth + "\n" + ins + "\n" + odometry + "\n" + scan) == 1);
    CHECK(x_of(truth + "\n" + ins + "\n" + scan) == 5);
    CHECK(x_of(truth + "\n" + scan) == 7);
    CHECK(x_of(ins + "\n" + odometry + "\n" + scan, SlamSeed::ins) == 5);
    CHECK_THROWS_WITH_AS(x_of(odometry + "\n" + scan, SlamSeed::ins), doctest::Contains("found none"), Error);
    const SensorLog log = parse_usarsim(truth + "\n" + ins + "\n" + scan, "a");
    CHECK(log.notes[1] == "odometry is that of INS; left out is GroundTruth");
    CHECK(log.ignored == 1);
    const TemporaryFolder folder;
    write_text(folder / "u", ins + "\n" + scan);
    CHECK(read_sensor_log(folder / "u", SlamSeed::ins).entries.size() == 2);
    CHECK_THROWS_WITH_AS(read_sensor_log(folder / "u", SlamSeed::gps_ins), doctest::Contains("gps_ins"), Error);
}

TEST_CASE("of a log of several robots one is chosen by name") {
    const auto of = [](const std::string& robot, int n) {
        return scan_line("{Time 1} {Robot " + robot + "} ", std::vector<double>(static_cast<std::size_t>(n), 2)) +
               "\n" + odometry_line("{Time 1} {Robot " + robot + "} ", {1.0 * n, 0, 0}) + "\n";
    };
    const std::string text = of("R1", 3) + of("R2", 5);
    CHECK_THROWS_WITH_AS(parse_usarsim(text, "a"),
                         "a: scans of several robots: R1, R2; outrider slam --robot NAME takes one", Error);
    const SensorLog log = parse_usarsim(text, "a", SlamSeed::odometry, "R2");
    CHECK(log.scans.at(0).ranges.size() == 5);
    CHECK(log.entries[0].odometry.x == 5);
    CHECK(log.ignored == 2);
    CHECK_THROWS_WITH_AS(parse_usarsim(text, "a", SlamSeed::odometry, "R3"),
                         "a: no scans of R3; there are those of R1, R2", Error);

    const std::string unnamed = scan_line("{Time 1} ", {1, 2, 3}) + "\n",
                      one = "INIT {ClassName USARBot.P3AT} {Name R1} {Location 0,0,0}\n",
                      two = "INIT {ClassName USARBot.P3AT} {Name R2} {Location 0,0,0}\n";
    CHECK(parse_usarsim(one + unnamed, "a", SlamSeed::odometry, "R1").scans.size() == 1);
    CHECK_THROWS_WITH_AS(parse_usarsim(one + unnamed, "a", SlamSeed::odometry, "R2"),
                         doctest::Contains("do not say whose"), Error);
    CHECK_THROWS_WITH_AS(parse_usarsim(one + two + unnamed, "a"), doctest::Contains("several robots (R1, R2)"), Error);
}

TEST_CASE("options for logs of several robots or scanners are refused where there is one") {
    const TemporaryFolder folder;
    write_text(folder / "c", "FLASER 2 1 2 0 0 0 0 0 0 1 h 1\n");
    CHECK_THROWS_WITH_AS(read_sensor_log(folder / "c", SlamSeed::odometry, "R1"), doctest::Contains("--robot R1"),
                         Error);
    CHECK_THROWS_WITH_AS(read_sensor_log(folder / "c", SlamSeed::odometry, "", "S"), doctest::Contains("--scanner S"),
                         Error);
}

}  // namespace test_usarsim_log
