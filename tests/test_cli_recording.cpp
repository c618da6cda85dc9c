// Recordings of real robots as logs of runs: run --replay LOG --log-file, replay LOG --html.
#include <algorithm>
#include <cmath>
#include <filesystem>

#include "log/log_reader.hpp"
#include "log/replay.hpp"
#include "program.hpp"

using namespace outrider;

namespace test_cli_recording {

constexpr int scan_count = 60;
constexpr double step_m = 0.1, drift_rad = 0.01;

/// Where the robot truly is: along the middle of a room of 12 x 4 m, whose lower left corner is (-2, -2).
Pose true_pose(int k) { return {k * step_m, 0, 0}; }

/// Where its odometry says that it is: it turns left a little with every step.
Pose odometry(int k) {
    Pose pose;
    for (int i = 0; i < k; ++i) pose = compose(pose, Pose{step_m, 0, drift_rad});
    return pose;
}

double range(const Pose& pose, double angle) {
    const double x = std::cos(angle), y = std::sin(angle);
    double nearest = 1e9;
    for (const auto& [far, along] : {std::pair{10 - pose.x, x}, {-2 - pose.x, x}, {2 - pose.y, y}, {-2 - pose.y, y}})
        if (far * along > 1e-9) nearest = std::min(nearest, far / along);
    return nearest;
}

/// A log of CARMEN; the scanner looks all around.
std::string carmen_log() {
    std::string text = "# a robot in a room\n";
    for (int k = 0; k < scan_count; ++k) {
        const Pose o = odometry(k);
        text += fmt::format("ROBOTLASER1 0 {} 6.283185 0.034906585 20 0.01 0 180", -3.14159265);
        for (int i = 0; i < 180; ++i)
            text += fmt::format(" {:.3f}", range(true_pose(k), -3.14159265 + i * 0.034906585));
        text += fmt::format(" 0 {0} {1} {2} {0} {1} {2} 0 0 0 0 0 {3} host {3}\n", o.x, o.y, o.yaw, 100 + 0.2 * k);
    }
    return text;
}

TEST_CASE("a recording becomes a log with its map, its corrected track and its odometry") {
    const TemporaryFolder folder;
    write_text(folder / "room.carmen", carmen_log());
    const ProgramResult run =
        outrider_in(folder, "run --replay room.carmen --strategy nearest --log-file room.sqlite --csv steps.csv");
    CHECK(run.err == "");
    REQUIRE(run.code == 0);
    CHECK(run.out.find("digest") != std::string::npos);
    const std::string rows = read_text(folder / "steps.csv");
    CHECK(std::count(rows.begin(), rows.end(), '\n') == scan_count + 1);

    LogReader log(folder / "room.sqlite");
    const LogSteps steps = log.steps();
    REQUIRE(steps.steps.size() == scan_count);
    CHECK(log.meta().at("end_reason") == "log_ended");
    CHECK(log.meta().at("recording").find("room.carmen") != std::string::npos);
    Replay replay(log);
    double known_m2 = 0;
    for (int k = 0; k < scan_count; ++k) {
        CAPTURE(k);
        REQUIRE(replay.next());
        CHECK(replay.view().hash == steps.hashes[static_cast<std::size_t>(k)]);
        const Pose believed = replay.team()[0].belief().pose();
        CHECK(distance(believed.position(), true_pose(k).position() + Point{0.05, 0.05}) < 0.12);
        CHECK(steps.poses[static_cast<std::size_t>(k)][0].position() == believed.position());
    }
    replay.team()[0].map().cells().for_each(
        [&](TileCoord, const CellTile& tile) { known_m2 += 0.01 * tile.known.count(); });
    CHECK(known_m2 == doctest::Approx(48).epsilon(0.12));  // with its walls
    CHECK(steps.metrics.back().team_share > 0.9);          // of what it knows in the end
    const auto& overlays = replay.decisions()[0].overlays;
    const auto track =
        std::find_if(overlays.begin(), overlays.end(), [](const Overlay& o) { return o.layer == "odometry"; });
    REQUIRE(track != overlays.end());
    const Pose end = odometry(scan_count - 1);
    CHECK(distance(track->points.back(), end.position() + Point{0.05, 0.05}) < 0.01);
    CHECK(track->points.size() > 10);
    CHECK(distance(end.position(), true_pose(scan_count - 1).position()) > 1);  // far from the corrected one

    for (const char* command : {"rerun", "branch --step 5 --strategy minpos -o b.sqlite"}) {
        const ProgramResult again = outrider_in(folder, fmt::format("{} room.sqlite", command));
        CHECK(again.code == 2);
        CHECK(again.err.find("recording; it can be replayed and explained, not run again") != std::string::npos);
    }
    CHECK(outrider_in(folder, "why room.sqlite --robot robot --step 5").code == 0);
    CHECK(outrider_in(folder, "log export room.sqlite -o out --mcap out.mcap").code == 0);
}

TEST_CASE("recordings of all kinds are replayed as pages and pictures") {
    const TemporaryFolder folder;
    write_text(folder / "room.carmen", carmen_log());
    REQUIRE(outrider_in(folder, "run --replay room.carmen --log-file room.sqlite --quiet").code == 0);
    REQUIRE(
        outrider_in(folder, "log export room.sqlite --mcap room.mcap --ros2 && mkdir bag && cp room.mcap bag").code ==
        0);
    for (const char* file : {"room.carmen", "room.mcap", "bag"}) {
        CAPTURE(file);
        const ProgramResult page = outrider_in(folder, fmt::format("replay {} --html {}.html", file, file));
        CHECK(page.code == 0);
        CAPTURE(page.err);
        const std::string html = read_text(folder / (std::string(file) + ".html"));
        CHECK(html.size() > 50'000);
    }
    CHECK(outrider_in(folder, "replay room.carmen --png frames --every 30").code == 0);
    CHECK(std::filesystem::exists(folder / "frames/000030.png"));
    // The log that was made on the way is gone.
    std::filesystem::create_directory(folder / "temporary");
    CHECK(outrider_in(folder, "replay room.carmen", "TMPDIR=temporary").code == 0);
    CHECK(std::filesystem::is_empty(folder / "temporary"));
}

TEST_CASE("what a log of a recording cannot be is refused") {
    const TemporaryFolder folder;
    write_text(folder / "room.carmen", carmen_log());
    write_text(folder / "no.log", "nothing that anybody wrote\n");
    write_text(folder / "kept.sqlite", "mine");
    const auto refused = [&](const std::string& arguments, const std::string& why) {
        CAPTURE(arguments);
        const ProgramResult result = outrider_in(folder, arguments);
        CHECK(result.code == 2);
        CAPTURE(result.err);
        CHECK(result.err.find(why) != std::string::npos);
    };
    refused("run --replay room.carmen --log-file kept.sqlite", "kept.sqlite");
    CHECK(read_text(folder / "kept.sqlite") == "mine");
    refused("run --replay room.carmen --log poses --log-file new.sqlite", "always full");
    refused("run --replay room.carmen --log full", "give --log-file");
    refused("run --replay room.carmen --log-file room.carmen --force", "room.carmen");
    refused("replay no.log --html page.html", "no.log");
    refused("replay missing.log --html page.html", "missing.log");
    CHECK_FALSE(std::filesystem::exists(folder / "new.sqlite"));
}

}  // namespace test_cli_recording
