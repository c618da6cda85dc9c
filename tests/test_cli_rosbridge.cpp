// rosbridge and programs of others: the classes of ROS, a controller in Python, a robot in Python.
#include <doctest/doctest.h>

#include <cmath>

#include "base/child_process.hpp"
#include "live/rosbridge/ros_messages.hpp"
#include "live/rosbridge/rosbridge.hpp"
#include "program.hpp"
#include "ros_world.hpp"

using namespace outrider;
using namespace std::chrono_literals;

namespace test_cli_rosbridge {
namespace {

constexpr const char* python = "exec /usr/bin/python3 '" OUTRIDER_SOURCE_DIR "/";

bool websockets_are_missing() {
    const TemporaryFolder folder;
    const bool missing = shell_in(folder, "/usr/bin/python3 -c 'import websockets'").code != 0;
    if (missing) MESSAGE("skipped: python3-websockets is not installed");
    return missing;
}

/// The next step, in which r1 sees walls at these distances, in units of its scanner.
void see(RosWorld& world, std::uint16_t left, std::uint16_t right) {
    world.sense();
    std::vector<std::uint16_t>& ranges = world.percepts[1].scans[0].ranges;
    for (std::size_t i = 0; i < ranges.size(); ++i) ranges[i] = i < ranges.size() / 2 ? right : left;
    world.publish();
}

}  // namespace

TEST_CASE("our messages fill the classes of ROS 1, by the rules of rosbridge") {
    const TemporaryFolder folder;
    const RosHeader header{12.25, "map", RosDialect::ros1};
    const RosWorld world;
    GridMessage grid;
    grid.cell_m = 0.1;
    grid.width = 3;
    grid.height = 1;
    grid.cells = {-1, 0, 100};
    std::vector<SceneMessage> scenes(1);
    scenes[0].name = "goal";
    scenes[0].items.push_back(
        {.kind = SceneItem::Kind::dots, .colour = {}, .points = {{4, 5}}, .tints = {{1, 0, 0, 1}}});
    const std::vector<TransformsMessage::Link> links{{"map", "r1/odom", {1, 2, 3}}};
    const std::vector<std::uint16_t> ranges(181, 1234);
    std::vector<std::string> lines;
    const auto add = [&](std::string_view type, const std::string& json) {
        lines.push_back(std::string(type) + "\t" + json);
    };
    add(ros_type::scan, scan_json(header, world.briefings[1].sensors[0], ranges, 0.5));
    add(ros_type::odometry, odometry_json(header, "r1/base_link", {1, 2, 3}, {0.5, 0.25}));
    add(ros_type::twist, twist_json({0.5, -1}));
    add(ros_type::clock, clock_json(1'700'000'000.5, RosDialect::ros1));
    add(ros_type::transforms, transforms_json(12, RosDialect::ros1, links));
    add(ros_type::grid, grid_json(header, grid));
    add(ros_type::path, path_json(header, std::vector<Point>{{0, 0}, {1, 1}}));
    add(ros_type::markers, markers_json(header, scenes));
    std::string all;
    for (const std::string& line : lines) all += line + "\n";
    write_text(folder / "messages.txt", all);
    const std::string check = "/usr/bin/python3 '" OUTRIDER_SOURCE_DIR "/tests/check_ros_messages.py' ";
    ProgramResult result = shell_in(folder, check + "messages.txt");
    if (result.code == 77) {
        MESSAGE("skipped: the classes of ROS 1 are not installed (Debian: python3-sensor-msgs, ...): " << result.out);
        return;
    }
    CHECK(result.err == "");
    CHECK(result.code == 0);
    CHECK(result.out == "8 messages fit\n");
    // The check itself finds what is wrong.
    write_text(folder / "wrong.txt", "geometry_msgs/Twist\t{\"linear\": {\"x\": 1, \"y\": 0}, \"angular\": {}}\n");
    result = shell_in(folder, check + "wrong.txt");
    CHECK(result.code == 1);
    CHECK(result.err == "geometry_msgs/Twist.linear: ['z']\n");
}

TEST_CASE("a controller in Python drives a robot of ours in lock-step: ahead, and away from what is near") {
    if (websockets_are_missing()) return;
    LiveSection options;
    options.clock = TickClock::robot;
    RosWorld world(options);
    ChildProcess controller(fmt::format("{}docs/examples/ros_controller.py' {} r1", python, world.url()));
    const auto command = [&]() -> std::optional<Velocity>& { return world.gateway->controllers()[1].velocity; };
    // It subscribes to the time last: a first answer says that it is ready.
    REQUIRE(serve_until(*world.gateway, [&] {
        if (world.gateway->controllers()[1].there) see(world, 3000, 3000);
        world.gateway->serve(20ms);
        return command().has_value();
    }));
    // Answers to what was published meanwhile come before those to what follows. Twice, since it may answer to the
    // scan, too, as long as it has not heard of the time.
    see(world, 500, 3000);
    REQUIRE(serve_until(*world.gateway, [&] { return command() == Velocity{0, -1}; }));
    see(world, 3000, 500);
    REQUIRE(serve_until(*world.gateway, [&] { return command() == Velocity{0, 1}; }));
    command().reset();
    for (int k = 0; k < 60; ++k) {
        CAPTURE(k);
        see(world, k % 3 == 1 ? 500 : 3000, k % 3 == 2 ? 500 : 3000);
        REQUIRE(serve_until(*world.gateway, [&] { return command().has_value(); }));
        CHECK(*command() == (k % 3 == 0 ? Velocity{0.5, 0} : k % 3 == 1 ? Velocity{0, -1} : Velocity{0, 1}));
        command().reset();
    }
    for (const std::string& line : world.gateway->take_complaints()) CHECK(line == "client 1 came");
}

TEST_CASE("a robot in Python is driven through rosbridge: odometry follows, scans are right, and it stops by itself") {
    if (websockets_are_missing()) return;
    // Fifty scans in a second and five times the speed of a robot of ten: between two scans it drives as far.
    const auto begin = [](const std::string& dialect) {
        return ChildProcess(fmt::format("{}tools/fake_robot' --period 0.02 --seconds 200{}", python, dialect));
    };
    ChildProcess newer = begin(""), older = begin(" --ros1");
    for (ChildProcess* const robot_of : {&newer, &older}) {
        const bool is_old = robot_of == &older;
        CAPTURE(is_old);
        ChildProcess& robot = *robot_of;
        const RosWorld world;
        const auto vehicle = make_ros_vehicle(robot.read_line(60), world.briefings[1], {});
        Readings readings;
        const auto take_until = [&](auto&& done) {
            const auto end = std::chrono::steady_clock::now() + 60s;
            while (!done()) {
                if (std::chrono::steady_clock::now() > end) return false;
                vehicle->take(20ms, readings);
            }
            return true;
        };
        REQUIRE(take_until([&] { return !readings.odometry.empty() && !readings.sweeps.empty(); }));
        CHECK(readings.odometry.back().pose == Pose{});
        const std::vector<std::uint16_t> ranges = readings.sweeps.back().ranges;  // right, ahead, left, the pillar
        CHECK(ranges[0] == 5000);
        CHECK(ranges[90] == 5000);
        CHECK(ranges[180] == 5000);
        CHECK(std::abs(ranges[135] - 1000 * (std::sqrt(18.0) - 0.5)) <= 1);
        CHECK(ranges[45] == Scan::nothing);  // the corner is too far away
        const auto pose = [&] { return readings.odometry.back().pose; };
        /// Commands this until so much has changed; the robot needs a newer command all the time.
        const auto drive = [&](const Velocity& velocity, auto&& changed, double least) {
            const Pose from = pose();
            CHECK(take_until([&] {
                vehicle->drive(velocity);
                return changed(inverse(from), pose()) >= least;
            }));
        };
        const auto ahead = [](const Pose& from, const Pose& to) { return compose(from, to).x; };
        const auto left = [](const Pose& from, const Pose& to) { return compose(from, to).yaw; };
        for (int side = 0; side < 4; ++side) {
            drive({10, 0}, ahead, 1);
            drive({0, 10}, left, 1.2);
        }
        // Nobody says anything: it turns for five scans at most, and stands.
        const std::size_t at = readings.odometry.size();
        CHECK(take_until([&] {
            const std::size_t n = readings.odometry.size();
            return n >= at + 20 && readings.odometry[n - 1].pose == readings.odometry[n - 10].pose;
        }));
        CHECK(readings.odometry.back().pose != Pose{});
        for (std::size_t k = 1; k < readings.odometry.size(); ++k) {
            const Readings::Odometry &last = readings.odometry[k - 1], &now = readings.odometry[k];
            CHECK(now.time_s > last.time_s);
            const Pose moved = compose(inverse(now.pose), last.pose);
            CHECK(std::abs(moved.y) < 1e-9);  // never to the side
            CHECK(moved.x < 1e-9);            // never backwards
        }
        // It does not take the topics of maps amiss, nor does it say anything wrong.
        CHECK(vehicle->take_complaints().empty());
    }
}

}  // namespace test_cli_rosbridge
