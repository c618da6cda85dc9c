// docs/examples/usar_controller.py drives a robot in a room, in lock-step.
#include <doctest/doctest.h>

#include <cstdlib>
#include <thread>

#include <fmt/format.h>

#include "helpers.hpp"
#include "usar_world.hpp"

using namespace outrider;

namespace test_cli_usar_controller {
namespace {

constexpr double half_m = 3;  // of a room without anything in it, whose middle is (0, 0)

/// How far it is to the walls.
double free_m(Point from, double angle) {
    const auto [s, c] = sin_cos(angle);
    const double x = std::abs(c) < 1e-9 ? 1e9 : ((c > 0 ? half_m : -half_m) - from.x) / c,
                 y = std::abs(s) < 1e-9 ? 1e9 : ((s > 0 ? half_m : -half_m) - from.y) / s;
    return std::min(x, y);
}

std::vector<std::uint16_t> ranges_at(const Pose& body, const SensorSpec& sensor) {
    const Pose scanner = compose(body, sensor.mount);
    std::vector<std::uint16_t> out;
    for (int i = 0; i < sensor.beams; ++i) {
        const double metres = free_m(scanner.position(), scanner.yaw + sensor.first_angle + i * sensor.step_angle);
        out.push_back(metres < sensor.max_range_m ? static_cast<std::uint16_t>(metres / sensor.range_unit_m)
                                                  : Scan::nothing);
    }
    return out;
}

/// Runs the example meanwhile; its exit code.
struct Example {
    Example(const TemporaryFolder& folder, int port, const std::string& name)
        : thread([this, command = fmt::format("timeout 200 /usr/bin/python3 '{}/docs/examples/usar_controller.py' "
                                              "127.0.0.1 {} {} >'{}' 2>&1",
                                              OUTRIDER_SOURCE_DIR, port, name, folder / "out.txt")] {
              code = std::system(command.c_str());
              done = true;
          }) {}
    ~Example() { thread.join(); }

    int code = -1;
    std::atomic<bool> done{false};
    std::thread thread;
};

}  // namespace

TEST_CASE("the example of a controller wanders through a room and meets no wall, with one command for each STA") {
    const TemporaryFolder folder;
    const SensorSpec sensor = scanner(181, radians(180), {0.1, 0, 0});
    Served served(1, sensor);
    Example example(folder, port_of(*served.gateway), "r1");
    CHECK(eventually([&] {
        served.gateway->serve(std::chrono::milliseconds(5));
        return served.gateway->controllers()[1].there || example.done;
    }));
    Pose body{0, 0, 0.3};
    double travelled_m = 0, nearest_m = half_m;
    bool left_half = false, right_half = false;
    for (int step = 0; step < 400 && !example.done; ++step) {
        served.world.percepts[1].scans = {Scan{0, ranges_at(body, sensor), {}, 0}};
        served.world.odometry[1] = body;
        served.world.publish(*served.gateway);
        const auto velocity = served.next_velocity(1);
        REQUIRE(velocity);
        body = compose(body, {velocity->forward_mps * 0.2, 0, velocity->turn_radps * 0.2});
        travelled_m += std::abs(velocity->forward_mps) * 0.2;
        nearest_m = std::min({nearest_m, half_m - std::abs(body.x), half_m - std::abs(body.y)});
        left_half |= body.x < -1;
        right_half |= body.x > 1;
    }
    served.gateway->serve({});
    CHECK(!served.gateway->controllers()[1].velocity);  // no second command
    served.gateway.reset();
    CHECK(eventually([&] { return example.done.load(); }));
    CAPTURE(read_text(folder / "out.txt"));
    CHECK(example.code == 0);  // the world has ended
    CHECK(travelled_m > 10);
    CHECK(nearest_m > 0.25);
    CHECK(left_half);
    CHECK(right_half);
}

TEST_CASE("the example of a controller says why it is not let in") {
    const TemporaryFolder folder;
    Served served(1, scanner(3, 1));
    Example example(folder, port_of(*served.gateway), "r9");
    CHECK(eventually([&] {
        served.gateway->serve(std::chrono::milliseconds(5));
        return example.done.load();
    }));
    CHECK(example.code != 0);
    CHECK(read_text(folder / "out.txt") == "INIT: there is no robot 'r9' to drive; there are r1\n");
}

}  // namespace test_cli_usar_controller
