// outrider log export --mcap as a user meets it, checked by a reader that shares nothing with the program.
#include <filesystem>

#include "log/log_reader.hpp"
#include "program.hpp"
#include "sensor_log/slam_log.hpp"

using namespace outrider;
namespace fs = std::filesystem;

namespace test_cli_mcap {
namespace {

const std::string office = "run " OUTRIDER_SOURCE_DIR "/environments/small_office.toml --quiet ";

/// tools/check_mcap.py; true where it finds nothing wrong, and where it cannot run.
bool is_sound(const TemporaryFolder& folder, const std::string& arguments) {
    if (shell_in(folder, "command -v zstd || python3 -c 'import zstandard'").code != 0) {
        MESSAGE("neither zstd nor Python's zstandard is installed: the file is not checked");
        return true;
    }
    const ProgramResult r = shell_in(folder, "python3 " OUTRIDER_SOURCE_DIR "/tools/check_mcap.py " + arguments);
    INFO(r.err);
    CHECK(r.code == 0);
    return r.code == 0;
}

/// Positions that slam finds, in the frame of the first true pose; the largest error in metres.
double largest_error(const TemporaryFolder& folder, const std::string& trajectory, RobotId robot) {
    LogReader log(folder / "log");
    const LogSteps steps = log.steps();
    const Scenario scenario = log.scenario();
    std::vector<Pose> truth{scenario.start_poses()[static_cast<std::size_t>(robot)]};
    for (const auto& poses : steps.poses) truth.push_back(poses[static_cast<std::size_t>(robot)]);
    double largest = 0;
    std::size_t compared = 0;
    for (const TimedPose& p : read_trajectory(folder / trajectory)) {
        const double step = p.time_s / scenario.run.step_s;
        const auto k = static_cast<std::size_t>(std::lround(step));
        if (std::abs(step - std::round(step)) > 1e-6 || k >= truth.size()) continue;  // along the way
        const Pose found = compose(truth[0], p.pose);
        largest = std::max(largest, distance(found.position(), truth[k].position()));
        ++compared;
    }
    CHECK(compared > 60);
    return largest;
}

}  // namespace

TEST_CASE("a log is exported for Foxglove and for ROS, soundly, and with the values of the other exports") {
    const TemporaryFolder folder;
    REQUIRE(outrider_in(folder, office + "--steps 150 --log full --log-file full").code == 0);
    REQUIRE(outrider_in(folder, "log export full -o out --mcap out/run.mcap").code == 0);
    const ProgramResult ros = outrider_in(folder, "log export full --mcap ros.mcap --ros2");
    CHECK(ros.code == 0);
    CHECK(ros.out == "ros.mcap\n");
    CHECK(is_sound(folder, "out/run.mcap --export out"));
    CHECK(is_sound(folder, "ros.mcap --export out"));
    // A log of a lower level is run again: to the same bytes.
    REQUIRE(outrider_in(folder, office + "--steps 150 --log poses --log-file poses").code == 0);
    const ProgramResult again = outrider_in(folder, "log export poses --mcap again.mcap");
    CHECK(again.code == 0);
    CHECK(again.out.find("the same in all 150 steps") != std::string::npos);
    CHECK(read_text(folder / "again.mcap") == read_text(folder / "out/run.mcap"));
}

TEST_CASE("files for Foxglove and ROS are sound where robots are lost, blind, far from each other and oddly named") {
    const TemporaryFolder folder;
    const std::string environments = OUTRIDER_SOURCE_DIR "/environments/";
    write_text(folder / "odd.toml", "include = \"" + environments + "small_office.toml\"\n[map]\nfile = \"" +
                                        environments +
                                        "small_office.png\"\n[[base]]\n[[robot]]\nname = 'a, \"b\"'\n[[robot]]\nname = "
                                        "'a (b)'\n[[robot]]\nname = '\\u00e4'\n");
    for (const std::string& run :
         {std::string("odd.toml --strategy role_based"),
          environments + "small_office.toml --set start.frame=unknown --set slam.method=scan_match",
          environments + "sonar.toml", environments + "failures.toml --set failure.rate_per_hour=200"}) {
        CAPTURE(run);
        REQUIRE(outrider_in(folder, "run " + run + " --quiet --steps 25 --log full --log-file log --force").code == 0);
        REQUIRE(outrider_in(folder, "log export log -o out --force --mcap run.mcap").code == 0);
        REQUIRE(outrider_in(folder, "log export log --force --mcap ros.mcap --ros2").code == 0);
        const std::string off = run.find("unknown") == std::string::npos ? "" : " --cells-off 30";
        CHECK(is_sound(folder, "run.mcap --export out" + off));
        CHECK(is_sound(folder, "ros.mcap --export out" + off));
    }
}

TEST_CASE("slam finds the poses of a log in what was exported of it, in both codings") {
    const TemporaryFolder folder;
    REQUIRE(outrider_in(folder, office + "--steps 80 --log full --log-file log --set slam.method=scan_match").code ==
            0);
    for (const std::string coding : {"", " --ros2"}) {
        CAPTURE(coding);
        REQUIRE(outrider_in(folder, "log export log --force --mcap run.mcap" + coding).code == 0);
        const ProgramResult several = outrider_in(folder, "slam run.mcap");
        CHECK(several.code == 2);
        CHECK(several.err.find("scans of several robots: r1, r2; outrider slam --robot NAME takes one") !=
              std::string::npos);
        for (const RobotId robot : {1, 2}) {
            const ProgramResult r =
                outrider_in(folder, fmt::format("slam run.mcap --robot r{} --trajectory t.txt --force", robot));
            CHECK(r.code == 0);
            CHECK(r.out.find(" of other kinds are passed over") != std::string::npos);
            CHECK(r.out.find(fmt::format("odometry is that of /r{}/odom", robot)) != std::string::npos);
            CHECK(largest_error(folder, "t.txt", robot) < 0.1);
        }
    }
    // Odometry and scans are those of the log, to the bit: the start, and what was driven since.
    REQUIRE(outrider_in(folder, "log export log --force --mcap ros.mcap --ros2").code == 0);
    REQUIRE(outrider_in(folder, "log export log --force --mcap fox.mcap").code == 0);
    const SensorLog ros = read_sensor_log(folder / "ros.mcap", SlamSeed::odometry, "r2"),
                    fox = read_sensor_log(folder / "fox.mcap", SlamSeed::odometry, "r2");
    REQUIRE(ros.entries.size() == fox.entries.size());
    REQUIRE(ros.scans.size() == fox.scans.size());
    for (std::size_t k = 0; k < ros.entries.size(); ++k) {
        CHECK(ros.entries[k].time_s == fox.entries[k].time_s);
        CHECK(ros.entries[k].odometry == fox.entries[k].odometry);
        CHECK(ros.entries[k].scan == fox.entries[k].scan);
    }
    for (std::size_t k = 0; k < ros.scans.size(); ++k) {
        CHECK(ros.scans[k].mount == fox.scans[k].mount);
        CHECK(ros.scans[k].first_angle == doctest::Approx(fox.scans[k].first_angle));
        CHECK(ros.scans[k].ranges == fox.scans[k].ranges);
    }
}

TEST_CASE("what an export to MCAP cannot do is said before anything is written") {
    const TemporaryFolder folder;
    REQUIRE(outrider_in(folder, office + "--steps 20 --log full --log-file full").code == 0);
    write_text(folder / "there.mcap", "mine");
    for (const auto& [arguments, message] : std::vector<std::pair<std::string, std::string>>{
             {"export full --mcap there.mcap", "there.mcap: exists already; --force overwrites it"},
             {"export full --mcap full --force", "full"},
             {"export full", "nowhere to write to: give -o DIR, or --mcap FILE.mcap"},
             {"export full --ros2 -o x", "--ros2: expected --mcap FILE.mcap, too"},
             {"info full --mcap a.mcap", "--mcap: expected outrider log export LOG --mcap FILE.mcap"},
             {"export full --mcap a.mcap --ros1", "ros1"},
             {"export full --mcap", "mcap"},
             {"export nothing --mcap a.mcap", "nothing"},
             {"export there.mcap --mcap a.mcap", "there.mcap"}}) {
        CAPTURE(arguments);
        const ProgramResult r = outrider_in(folder, "log " + arguments);
        CHECK(r.code == 2);
        CHECK(r.err.find(message) != std::string::npos);
        CHECK_FALSE(fs::exists(folder / "a.mcap"));
        CHECK(partial_bytes(folder.path(), "a.mcap") == 0);
    }
    CHECK(read_text(folder / "there.mcap") == "mine");
    CHECK(outrider_in(folder, "log export full --mcap there.mcap --force").code == 0);
    CHECK(read_text(folder / "there.mcap").starts_with("\x89MCAP0\r\n"));
    // Damaged or cut off, a file says so, and what is there is read.
    const std::string whole = read_text(folder / "there.mcap");
    write_text(folder / "cut.mcap", whole.substr(0, whole.size() / 2));
    const ProgramResult cut = outrider_in(folder, "slam cut.mcap --robot r1");
    CHECK((cut.out + cut.err).find("it ends too early") != std::string::npos);
    std::string broken = whole;
    for (std::size_t i = 2000; i < 2200; ++i) broken[i] = '\x55';
    write_text(folder / "broken.mcap", broken);
    const ProgramResult damaged = outrider_in(folder, "slam broken.mcap --robot r1");
    CHECK((damaged.out + damaged.err).find("a chunk is damaged") != std::string::npos);
    CHECK(outrider_in(folder, "slam there.mcap --robot r9").err.find("no scans of r9; there are those of r1, r2") !=
          std::string::npos);
}

TEST_CASE("a part of a log that is damaged is left out of an export to MCAP, and said") {
    const TemporaryFolder folder;
    REQUIRE(outrider_in(folder, office + "--steps 150 --log full --log-file full").code == 0);
    Database(folder / "full", Database::Mode::create)
        .run("UPDATE waist SET blob = zeroblob(length(blob)) WHERE first > 64 AND last < 130");
    const ProgramResult r = outrider_in(folder, "log export full --mcap run.mcap");
    CHECK(r.code == 0);
    CHECK(r.err.find("note: left out, damaged: steps 65-128: its checksum is") != std::string::npos);
    CHECK(is_sound(folder, "run.mcap"));
    const SensorLog log = read_sensor_log(folder / "run.mcap", SlamSeed::odometry, "r1");
    CHECK(log.scans.size() > 60);
    CHECK(log.scans.size() < 100);
}

}  // namespace test_cli_mcap
