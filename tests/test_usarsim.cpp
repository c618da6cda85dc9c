// Robots and worlds that speak the lines of USARSim, against each other and against lines written by hand.
#include "live/usarsim/usarsim.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <thread>

#include <fmt/format.h>

#include "helpers.hpp"
#include "live/usarsim/client_limits.hpp"
#include "live/usarsim/usar_lines.hpp"
#include "outrider/error.hpp"
#include "tcp_peer.hpp"
#include "usar_world.hpp"

using namespace outrider;
using namespace std::chrono_literals;

namespace test_usarsim {
namespace {

std::vector<std::uint16_t> random_ranges(const SensorSpec& sensor, Rng& rng) {
    const auto most = static_cast<std::uint32_t>(sensor.max_range_m / sensor.range_unit_m + 1e-6);
    std::vector<std::uint16_t> out;
    for (int i = 0; i < sensor.beams; ++i) {
        const std::uint32_t kind = rng.below(6);
        out.push_back(kind == 0   ? Scan::nothing
                      : kind == 1 ? Scan::no_information
                      : kind == 2 ? static_cast<std::uint16_t>(most)  // at the end of its reach
                                  : static_cast<std::uint16_t>(1 + rng.below(most)));
    }
    return out;
}

std::string joined(const std::vector<std::string>& lines) {
    std::string all;
    for (const std::string& line : lines) all += line + "\n";
    return all;
}

}  // namespace

TEST_CASE("ranges of any scanner are read back to the very same unit") {
    Rng rng(5, 0, Purpose::range, 0, 0);
    for (int round = 0; round < 400; ++round) {
        SensorSpec sensor = scanner(1 + static_cast<int>(rng.below(400)), radians(10 + rng.uniform() * 340),
                                    {rng.uniform(), -rng.uniform(), (rng.uniform() - 0.5) * 6});
        const double units[] = {0.001, 0.01, 0.05, 0.0025, 0.01 / 3, 0.0004, 0.001234};
        sensor.range_unit_m = units[rng.below(7)];
        sensor.max_range_m = std::min(65000 * sensor.range_unit_m, 1 + rng.uniform() * 80);
        if (round % 3 == 0)
            sensor.max_range_m = std::floor(sensor.max_range_m / sensor.range_unit_m) * sensor.range_unit_m;
        if (round % 4 == 0 && sensor.beams > 1) {  // from left to right, and not in the middle
            sensor.first_angle = 0.3 - sensor.first_angle;
            sensor.step_angle = -sensor.step_angle;
        }
        if (round % 7 == 0) sensor.step_angle = 2 * pi / sensor.beams;  // all around
        CAPTURE(round);
        CAPTURE(sensor.beams);
        CAPTURE(sensor.range_unit_m);
        Scan scan;
        scan.ranges = random_ranges(sensor, rng);
        const std::string text = usar_scan_line(1.25, "Scanner1", sensor, scan);
        REQUIRE(text.ends_with("}\r\n"));
        const UsarsimLine line = parse_usarsim_line(std::string_view(text).substr(0, text.size() - 2));
        CHECK(line.word("Time") == "1.250000");
        std::string complaint;
        CHECK(usar_sweep(usarsim_scan(line), expected_usar_scanner(sensor), sensor, complaint) == scan.ranges);
        CHECK(complaint == "");
    }
}

TEST_CASE("of a scanner with other beams, the nearest beam by angle is taken, and the difference is named") {
    SensorSpec sensor = scanner(5, radians(180), {0, 0, 0});
    std::string complaint;
    UsarScanner theirs = expected_usar_scanner(sensor);
    const auto sweep = [&](std::vector<float> ranges, double fov) {
        complaint.clear();
        return usar_sweep({-fov / 2, fov / static_cast<double>(ranges.size() - 1), std::move(ranges)}, theirs, sensor,
                          complaint);
    };
    using Ranges = std::vector<std::uint16_t>;
    CHECK(sweep({1, 2, 3, 4, 5}, radians(180)) == Ranges{1000, 2000, 3000, 4000, 5000});
    CHECK(complaint == "");
    CHECK(sweep({1, 9, 2, 9, 3, 9, 4, 9, 5}, radians(180)) == Ranges{1000, 2000, 3000, 4000, 5000});
    CHECK(complaint ==
          "a scan of 9 beams 22.500 deg apart, expected 5 beams 45.000 deg apart: of each, the nearest one "
          "is taken");
    CHECK(sweep({1, 2, 3}, radians(90)) == Ranges{0, 1000, 2000, 3000, 0});  // it does not see the sides
    CHECK(complaint.ends_with("2 of these look where it has none"));
    theirs.mount.pose.yaw = radians(90);  // it looks to the left
    CHECK(sweep({1, 2, 3, 4, 5}, radians(180)) == Ranges{0, 0, 1000, 2000, 3000});
    theirs.mount = {"", {0, 0, 0}, true};  // upside down
    CHECK(sweep({1, 2, 3, 4, 5}, radians(180)) == Ranges{5000, 4000, 3000, 2000, 1000});
    theirs.mount = {"", {0.3, 0, 0}, false};
    CHECK(sweep({1, 2, 3, 4, 5}, radians(180)).size() == 5);
    CHECK(complaint == "the scanner sits 0.30 m from where it is expected");
    theirs = expected_usar_scanner(sensor);
    CHECK(sweep({5.6F, 5.7F, 1e9F, 5.59F, 0}, radians(180)) == Ranges{0xffff, 0xffff, 0xffff, 5590, 0});
    CHECK(sweep({-1, std::nanf(""), 0.0001F, 1, 1}, radians(180)) == Ranges{0, 0, 1, 1000, 1000});
    theirs.reach_m = 4;  // what lies beyond its reach it does not know
    CHECK(sweep({3.9F, 4, 5, 0, 1}, radians(180)) == Ranges{3900, 0, 0, 0, 1000});
    CHECK(complaint == "the scanner reaches 4 m, expected 5.6 m");
}

TEST_CASE("a vehicle spawns its robot and reads lines that were written by hand: left stays left") {
    const SensorSpec sensor = scanner(3, radians(180), {0.2, 0.1, 0});
    const std::vector<Briefing> team = small_team(1, sensor);
    TcpListener listener;
    LiveSection options;
    options.usar_scanner = "Laser";
    const auto vehicle = make_usar_vehicle("127.0.0.1", listener.port(), team[1], options);
    TcpPeer world;
    listener.accept(world);
    Readings readings;
    std::string init;
    std::thread reader([&] { init = world.hear(); });
    CHECK(eventually([&] {
        vehicle->take(5ms, readings);
        return vehicle->connected();
    }));
    vehicle->take(0ms, readings);
    reader.join();
    // It starts at (1, 2) and looks along y, which is to the left there: y of USARSim is to the right.
    CHECK(init ==
          "INIT {ClassName USARBot.P3AT} {Name r1} {Location 1.000000000,-2.000000000,0.0} {Rotation "
          "0.000000,-0.000000,-1.570796327}");
    world.say(
        "NFO {Gametype BotDeathMatch} {Level room} {TimeLimit 0}\r\n"
        "SEN {Time 1.5} {Type Sonar} {Name F1 Range 4.4690}\r\n"
        "SEN {Time 1.5} {Type RangeScanner} {Name Laser} {Resolution 1.5708} {FOV 3.1416} {Range 1,2,3}\r\n"
        "SEN {Time 1.5} {Type Odometry} {Name Odometry} {Pose 1.0,2.0,0.5}\n"
        "SEN {Time 1.5} {Type Touch} {Name B1 Touch False} {Name B2 Touch True}\r\n"
        "STA {Time 1.6} {LightToggle False} {Battery 1200}\r\n");
    CHECK(eventually([&] {
        vehicle->take(5ms, readings);
        return readings.time_s.has_value();
    }));
    CHECK(*readings.time_s == 1.6);
    CHECK(readings.battery == 1);
    CHECK(readings.bumped);
    REQUIRE(readings.sweeps.size() == 1);
    CHECK(readings.sweeps[0].time_s == 1.5);
    CHECK(readings.sweeps[0].ranges == std::vector<std::uint16_t>{1000, 2000, 3000});  // the right one first
    REQUIRE(readings.odometry.size() == 1);
    CHECK(readings.odometry[0].pose == Pose{1, -2, -0.5});  // to the right and clockwise
    CHECK(world.hear() == "GETGEO {Type RangeScanner}");
    CHECK(world.hear() == "GETCONF {Type RangeScanner}");
    // Its scanner looks to the right by half a turn, hangs a little off, and reaches less far.
    world.say(
        "GEO {Type RangeScanner} {Name Laser Location 0.2,-0.1,-0.2 Orientation 0,0,1.5708 Mount HARD}\r\n"
        "CONF {Type RangeScanner} {Name Laser} {MaxRange 4.0} {Resolution 1.5708} {FOV 3.1416}\r\n"
        "SEN {Type RangeScanner} {Name Laser} {Resolution 1.5708} {FOV 3.1416} {Range 1,2,4}\r\n"
        "STA {Time 1.8} {Battery 300}\r\n");
    readings = {};
    CHECK(eventually([&] {
        vehicle->take(5ms, readings);
        return readings.time_s == 1.8;
    }));
    CHECK(readings.battery == 0.25);
    CHECK(!readings.bumped);
    REQUIRE(readings.sweeps.size() == 1);
    CHECK(readings.sweeps[0].time_s == 1.6);  // of the last STA
    CHECK(readings.sweeps[0].ranges == std::vector<std::uint16_t>{2000, 0, 0});
    vehicle->drive({0.255, 0});
    CHECK(world.hear() == "DRIVE {Left 2.000000000} {Right 2.000000000}");
    vehicle->drive({0, 1});  // a left turn: the right wheels go ahead
    CHECK(world.hear() == "DRIVE {Left -1.607843137} {Right 1.607843137}");
    vehicle->drive({100, std::nan("")});  // no faster than it can
    CHECK(world.hear() == "DRIVE {Left 11.764705882} {Right 11.764705882}");
    CHECK(joined(vehicle->take_complaints()).find("1 of these look") != std::string::npos);
}

TEST_CASE("where no odometry comes, one of the other sensors tells poses, and keeps doing so") {
    const std::vector<Briefing> team = small_team(1, scanner(3, 1));
    TcpListener listener;
    const auto vehicle = make_usar_vehicle("127.0.0.1", listener.port(), team[1], {});
    TcpPeer world;
    listener.accept(world);
    const std::string truth = "SEN {Type GroundTruth} {Name G} {Location 1,2,3} {Orientation 0,0,1}\r\n",
                      ins = "SEN {Type INS} {Name I} {Location 4,5,6} {Orientation 0,0,-1}\r\n",
                      odometry = "SEN {Type Odometry} {Name O} {Pose 7,8,9}\r\n";
    int time = 0;
    const auto poses = [&](const std::string& lines) {
        ++time;
        world.say(fmt::format("{}STA {{Time {}}}\r\n", lines, time));
        Readings readings;
        CHECK(eventually([&] {
            vehicle->take(5ms, readings);
            return readings.time_s == time;
        }));
        return readings.odometry;
    };
    CHECK(poses(truth).empty());
    CHECK(poses(ins + truth).empty());  // decided at the end of this
    REQUIRE(poses(truth + ins).size() == 1);
    CHECK(poses(ins)[0].pose == Pose{4, -5, 1});
    CHECK(poses(odometry + ins).size() == 1);
    CHECK(poses(truth + odometry).empty());
}

TEST_CASE("odd lines of a server are named and the rest is read") {
    const std::vector<Briefing> team = small_team(1, scanner(3, radians(90)));
    TcpListener listener;
    const auto vehicle = make_usar_vehicle("127.0.0.1", listener.port(), team[1], {});
    TcpPeer world;
    listener.accept(world);
    for (const char* bad :
         {"HELLO {a b}", "SEN {Time nan} {Type Odometry} {Pose 1,2,3}", "SEN {Type Odometry} {Pose 1,2}",
          "SEN {Type Odometry} {Pose 1e9,2,3}", "SEN {Type RangeScanner} {Name Scanner1} {FOV 1}",
          "SEN {Type RangeScanner} {Name Scanner1} {FOV 100} {Range 1,2,3}", "STA {Time 1} {Battery inf}", "STA {Time",
          "CONF {Type RangeScanner} {Name Scanner1} {MaxRange -1}", "GEO {Type RangeScanner} {Name Scanner1}",
          "\x1b[2J\xff{}", "SEN {{{"})
        world.say(std::string(bad) + "\r\n");
    world.say("\r\n  \nRES {Type SET} {Status Failed} {Reason why not}\r\nSTA {Time 7}\r\n");
    Readings readings;
    CHECK(eventually([&] {
        vehicle->take(5ms, readings);
        return readings.time_s == 7;
    }));
    CHECK(readings.odometry.empty());
    CHECK(readings.sweeps.empty());
    const std::vector<std::string> complaints = vehicle->take_complaints();
    CHECK(complaints.size() == 13);
    CHECK(joined(complaints).find("SET failed: why not") != std::string::npos);
    CHECK(joined(complaints).find('\x1b') == std::string::npos);
}

TEST_CASE("a vehicle behind a gateway reads the scans, poses and times of the world, step by step") {
    SensorSpec sensor = scanner(181, radians(180));
    sensor.mount = {0.1, -0.05, 0.3};
    LiveSection options;
    options.usar_truth = true;
    Served served(2, sensor, options);
    SensorSpec second = scanner(36, radians(350), {0, 0, pi});
    second.range_unit_m = 0.01;
    served.briefings[1].sensors.push_back(second);
    served.gateway = make_usar_gateway("127.0.0.1", {0, -1, -1}, served.briefings, served.served, options);
    const auto one = served.vehicle(1), two = served.vehicle(2);
    Readings nothing;
    CHECK(eventually([&] {
        one->take(5ms, nothing);
        two->take(5ms, nothing);
        served.gateway->serve(5ms);
        return served.gateway->controllers()[1].there && served.gateway->controllers()[2].there;
    }));
    CHECK(!served.gateway->controllers()[0].there);
    Rng rng(7, 0, Purpose::range, 0, 0);
    for (int step = 0; step < 20; ++step) {
        for (std::size_t r = 1; r <= 2; ++r) {
            Percept& percept = served.world.percepts[r];
            percept.scans = {Scan{0, random_ranges(sensor, rng), {}, 0.05}};
            if (r == 1) percept.scans.push_back(Scan{1, random_ranges(second, rng), {}, 0});
            percept.bumped = rng.below(2) == 0;
            percept.battery = 1 - 0.01 * step;
            served.world.odometry[r] = {rng.uniform() * 100 - 50, rng.uniform() * 100 - 50, (rng.uniform() - 0.5) * 6};
        }
        served.world.publish(*served.gateway);
        for (const std::size_t r : {1U, 2U}) {
            CAPTURE(step);
            CAPTURE(r);
            const Percept& percept = served.world.percepts[r];
            const Readings readings = served.hear(r == 1 ? *one : *two);
            CHECK(*readings.time_s == doctest::Approx(0.2 * (step + 1)));
            CHECK(*readings.battery == doctest::Approx(percept.battery).epsilon(1e-6));
            CHECK(readings.bumped == percept.bumped);
            REQUIRE(readings.sweeps.size() == percept.scans.size());
            for (std::size_t k = 0; k < percept.scans.size(); ++k) {
                CHECK(readings.sweeps[k].sensor == static_cast<int>(k));
                CHECK(readings.sweeps[k].time_s ==
                      doctest::Approx(0.2 * (step + 1) - percept.scans[k].age_s).epsilon(1e-6));
                CHECK(readings.sweeps[k].ranges == percept.scans[k].ranges);
            }
            REQUIRE(readings.odometry.size() == 1);
            const Pose expected = served.world.odometry[r], pose = readings.odometry[0].pose;
            CHECK(std::abs(pose.x - expected.x) < 1e-8);
            CHECK(std::abs(pose.y - expected.y) < 1e-8);
            CHECK(std::abs(pose.yaw - expected.yaw) < 1e-8);
        }
    }
    served.world.percepts[1].alive = false;
    served.world.publish(*served.gateway);
    const Readings last = served.hear(*one);
    CHECK(last.sweeps.empty());
    CHECK(last.odometry.empty());
    CHECK(last.battery == 0);
    CHECK(joined(one->take_complaints()) == "");
    CHECK(joined(two->take_complaints()) == "");
    const std::string complaints = served.complaints();
    CHECK(std::count(complaints.begin(), complaints.end(), '\n') == 2);
    CHECK(complaints.find(" drives r2 (USARBot.P3AT)\n") != std::string::npos);
}

TEST_CASE("velocities that a vehicle sends arrive as they were") {
    Served served(1, scanner(3, 1));
    const auto vehicle = served.vehicle(1);
    Readings readings;
    CHECK(eventually([&] {
        vehicle->take(5ms, readings);
        served.gateway->serve(5ms);
        return served.gateway->controllers()[1].there;
    }));
    Rng rng(9, 0, Purpose::range, 0, 0);
    const double turn = radians(served.options.turn_deg_s);
    for (int k = 0; k < 50; ++k) {
        const Velocity sent{(rng.uniform() - 0.5) * 3, (rng.uniform() - 0.5) * 2 * turn};
        vehicle->drive(sent);
        const auto arrived = served.next_velocity(1);
        REQUIRE(arrived);
        CHECK(std::abs(arrived->forward_mps - sent.forward_mps) < 1e-8);
        CHECK(std::abs(arrived->turn_radps - sent.turn_radps) < 1e-8);
    }
    vehicle->drive({-77, 99});
    const auto fastest = served.next_velocity(1);
    REQUIRE(fastest);
    CHECK(fastest->forward_mps == doctest::Approx(-1.5));
    CHECK(fastest->turn_radps == doctest::Approx(turn));
}

TEST_CASE("the lines of a step, and what DRIVE means") {
    SensorSpec sensor = scanner(3, radians(180), {0.2, 0.1, radians(30)});
    Served served(1, sensor);
    served.world.percepts[1].scans = {Scan{0, {1000, 2000, Scan::nothing}, {}, 0}};
    served.world.percepts[1].pitch = 0.1;
    served.world.percepts[1].roll = 0.2;
    served.world.percepts[1].bumped = true;
    served.world.odometry[1] = {1, 2, 0.5};
    served.world.publish(*served.gateway);
    TcpPeer peer(port_of(*served.gateway));
    CHECK(served.ask(peer, "GETSTARTPOSES", "NFO {G") ==
          "NFO {Gametype USARSim} {Level outrider} {TimeLimit 600.000000}");
    CHECK(peer.hear() == "NFO {StartPoses 1} {r1 1.000000000,-2.000000000,0.0 0.000000,-0.000000,-1.570796327}");
    CHECK(served.ask(peer, "INIT {ClassName USARBot.P2DX} {Location 4.5,1.9,1.8} {Name r1}", "RES") ==
          "RES {Time 0.200000} {Type INIT} {Name r1} {Status OK}");
    // What it perceives now comes at once. The beam on the left comes last: it hit nothing.
    CHECK(peer.hear() ==
          "SEN {Time 0.200000} {Type RangeScanner} {Name Scanner1} {Resolution 1.570796327} {FOV "
          "3.141592654} {Range 1.0000,2.0000,5.6000}");
    CHECK(peer.hear() ==
          "SEN {Time 0.200000} {Type Odometry} {Name Odometry} {Pose "
          "1.000000000,-2.000000000,-0.500000000}");
    // Two metres to the left of where it looked along y at (1, 2), and one ahead.
    CHECK(peer.hear() ==
          "SEN {Time 0.200000} {Type INS} {Name INS} {Location -1.000000000,-3.000000000,0.0} "
          "{Orientation 0.200000,-0.100000,-2.070796327}");
    CHECK(peer.hear() == "SEN {Time 0.200000} {Type Touch} {Name Bumper Touch True}");
    CHECK(peer.hear().starts_with("STA {Type GroundVehicle} {Time 0.200000} "));
    const auto drive = [&](const std::string& segments) {
        peer.say("DRIVE " + segments + "\r\n");
        const auto velocity = served.next_velocity(1);
        REQUIRE(velocity);
        return *velocity;
    };
    const Velocity ahead = drive("{Left 2} {Right 2}"), left = drive("{Left -1} {Right 1} {Light true}");
    CHECK(ahead.forward_mps == doctest::Approx(2 * 0.1275));
    CHECK(ahead.turn_radps == 0);
    CHECK(left.forward_mps == 0);
    CHECK(left.turn_radps == doctest::Approx(2 * 0.1275 / 0.41));  // counter-clockwise
    const Velocity right = drive("{LinearVelocity 0.5} {RotationalVelocity 0.25} {LateralVelocity 0}");
    CHECK(right.forward_mps == 0.5);
    CHECK(right.turn_radps == -0.25);  // clockwise
    CHECK(drive("{RotationalVelocity 50} {Normalized True}").turn_radps == doctest::Approx(-radians(45)));
    CHECK(drive("{LinearVelocity -50} {Normalized true}").forward_mps == doctest::Approx(-0.75));
    CHECK(drive("{Left 50} {Right 50} {Normalized true}").forward_mps == doctest::Approx(0.75));
    CHECK(drive("{Left 1000} {Right 1000}").forward_mps == doctest::Approx(1.5));
    CHECK(drive("{Left -1000} {Right 1000}").turn_radps == doctest::Approx(radians(90)));
    for (const char* bad :
         {"{Left 1}", "{Left x} {Right 1}", "{Left nan} {Right 1}", "{Left inf} {Right 1}", "{Left 1e7} {Right 1}",
          "{LateralVelocity 1} {LinearVelocity 1}", "{AltitudeVelocity 0.1}", "{Name arm} {Value 3}", ""}) {
        CAPTURE(bad);
        const std::string answer = served.ask(peer, std::string("DRIVE ") + bad, "RES");
        CHECK(answer.starts_with("RES {Time 0.200000} {Type DRIVE} {Name } {Status Failed} {Reason "));
    }
    CHECK(!served.gateway->controllers()[1].velocity);
    CHECK(served.ask(peer, "GETGEO {Type RangeScanner}", "GEO") ==
          "GEO {Type RangeScanner} {Name Scanner1 Location 0.200000000,-0.100000000,0.0 Orientation "
          "0.000000,-0.000000,-0.523598776 Mount HARD}");
    CHECK(served.ask(peer, "GETGEO {Type Robot}", "GEO")
              .starts_with("GEO {Type GroundVehicle} {Name r1} {Dimensions 0.5"));
    CHECK(served.ask(peer, "GETCONF {Type RangeScanner}", "CONF") ==
          "CONF {Type RangeScanner} {Name Scanner1} {MaxRange 5.600000000} {Resolution 1.570796327} {FOV 3.141592654}");
    CHECK(served.ask(peer, "GETCONF {Type Robot}", "CONF").find("{MaxSpeed 1.5") != std::string::npos);
    for (const char* none : {"GETGEO {Type Camera}", "GETCONF {Type Camera}", "SET {Type Camera} {Name C}", "MISPKG",
                             "INIT {Name r1}", "HELLO"})
        CHECK(served.ask(peer, none, "RES").find("{Status Failed}") != std::string::npos);
    served.world.poses[1] = {7, 8, 0};
    served.world.publish(*served.gateway);
    peer.hear_until("SEN {Time 0.400000} {Type RangeScanner}");
    CHECK(peer.hear_until("SEN {Time 0.400000} {Type INS}") != "(left)");
    CHECK(peer.hear().find("Touch") != std::string::npos);  // no true poses unless they are asked for
    served.options.usar_truth = true;
    Served honest(1, sensor, served.options);
    honest.world.poses[1] = {7, 8, 0.5};
    TcpPeer told(port_of(*honest.gateway));
    CHECK(honest.ask(told, "INIT {ClassName x} {Name r1}", "RES").find("OK") != std::string::npos);
    honest.world.publish(*honest.gateway);
    CHECK(told.hear_until("SEN {Time 0.200000} {Type GroundTruth}") ==
          "SEN {Time 0.200000} {Type GroundTruth} {Name GroundTruth} {Location 7.000000000,-8.000000000,0.0} "
          "{Orientation 0.000000,-0.000000,-0.500000000}");
}

TEST_CASE("a robot has one driver at a time, and a new one when that one is gone") {
    Served served(2, scanner(3, 1));
    const int port = port_of(*served.gateway);
    TcpPeer first(port), second(port);
    CHECK(served.ask(first, "DRIVE {Left 1} {Right 1}", "RES").find("first") != std::string::npos);
    CHECK(served.ask(first, "INIT {ClassName a} {Name r1}", "RES").find("{Status OK}") != std::string::npos);
    const std::string refused = served.ask(second, "INIT {ClassName b} {Name r1}", "RES");
    CHECK(refused.find("{Status Failed} {Reason r1 is driven by somebody else}") != std::string::npos);
    CHECK(served.ask(second, "INIT {ClassName b} {Name base}", "RES").find("there are r2") != std::string::npos);
    CHECK(served.ask(second, "DRIVE {Left 1} {Right 1}", "RES").find("first") != std::string::npos);
    CHECK(!served.gateway->controllers()[1].velocity);
    const auto vehicle = served.vehicle(1);
    Readings readings;
    std::string complaints;
    CHECK(eventually([&] {
        vehicle->take(5ms, readings);
        served.gateway->serve(5ms);
        complaints += joined(vehicle->take_complaints());
        return !complaints.empty();
    }));
    CHECK(complaints.find("does not let r1 in: r1 is driven by somebody else") != std::string::npos);
    vehicle->drive({1, 0});  // goes nowhere
    first.break_off();
    CHECK(eventually([&] {  // it tries again by itself
        vehicle->take(5ms, readings);
        served.gateway->serve(5ms);
        return served.gateway->controllers()[1].there &&
               served.complaints().find("drives r1 (USARBot") != std::string::npos;
    }));
    vehicle->drive({0.5, 0});
    const auto velocity = served.next_velocity(1);
    REQUIRE(velocity);
    CHECK(velocity->forward_mps == doctest::Approx(0.5));
}

TEST_CASE("a vehicle that lost its world finds it again, and its robot") {
    auto served = std::make_unique<Served>(1, scanner(3, 1));
    const int port = port_of(*served->gateway);
    const auto vehicle = served->vehicle(1);
    Readings readings;
    const auto both = [&] {
        vehicle->take(5ms, readings);
        served->gateway->serve(5ms);
        return served->gateway->controllers()[1].there;
    };
    CHECK(eventually(both));
    served->gateway.reset();
    CHECK(eventually([&] {
        vehicle->take(5ms, readings);
        return !vehicle->connected();
    }));
    vehicle->drive({1, 0});  // lost
    served->gateway = make_usar_gateway("127.0.0.1", {port, -1, -1}, served->briefings, served->served, {});
    CHECK(eventually(both));
    served->world.publish(*served->gateway);
    CHECK(served->hear(*vehicle).odometry.size() == 1);
    const std::string complaints = joined(vehicle->take_complaints());
    CHECK(complaints.find("ended the connection") != std::string::npos);
    CHECK(complaints.find("again") != std::string::npos);
}

TEST_CASE("hostile clients of all kinds harm neither the world nor who drives beside them") {
    Served served(2, scanner(3, 1));
    const int port = port_of(*served.gateway);
    TcpPeer good(port);
    CHECK(served.ask(good, "INIT {ClassName a} {Name r1}", "RES").find("OK") != std::string::npos);
    TcpPeer silent(port), binary(port), flood(port), endless(port), lazy(port), half(port), nested(port);
    std::string noise;
    Rng rng(3, 0, Purpose::range, 0, 0);
    for (int k = 0; k < 100'000; ++k) noise += static_cast<char>(rng.below(256));
    binary.say(noise);
    nested.say("INIT {{{{{Name r1}}}}\r\nINIT {Name }\r\nINIT {Name r2} {Name r1} }\r\n" + std::string(60'000, '{') +
               "\r\n");
    half.say("INIT {Name r2");
    half.socket.shutdown(TcpPeer::Tcp::socket::shutdown_send);
    std::atomic<int> flooded = 0;
    std::thread flooding([&] {
        std::string text;
        for (int k = 0; k < 2000; ++k) text += "DRIVE {Left 9} {Right 9}\r\n";
        for (; flooded < 50; ++flooded) flood.say(text);
    });
    CHECK(comes_to_rest([&] { return flooded.load(); }));  // more than a thousand lines wait to be served at once
    std::thread chattering([&] {
        for (int k = 0; k < 100 && endless.say(std::string(10'000, 'x')); ++k) {
        }
    });
    for (int k = 0; k < 50; ++k) TcpPeer(port).break_off();
    CHECK(served.ask(lazy, "INIT {ClassName a} {Name r2}", "RES").find("OK") != std::string::npos);
    std::string complaints;
    for (int step = 0; step < 30; ++step) {
        served.world.publish(*served.gateway);
        REQUIRE(good.hear_until("STA").find(fmt::format("{{Time {:.6f}}}", 0.2 * (step + 1))) != std::string::npos);
        good.say(fmt::format("DRIVE {{Left {}}} {{Right {}}}\r\n", step / 10.0, step / 10.0));
        const auto velocity = served.next_velocity(1);
        REQUIRE(velocity);
        CHECK(velocity->forward_mps == doctest::Approx(step / 10.0 * 0.1275));
        complaints += served.complaints();
    }
    eventually([&] {
        served.gateway->serve(5ms);
        complaints += served.complaints();
        return complaints.find("all after the first 1000 were dropped") != std::string::npos;
    });
    CAPTURE(complaints);
    CHECK(complaints.find("all after the first 1000 were dropped") != std::string::npos);
    CHECK(complaints.find("a line of more than 65536 bytes") != std::string::npos);
    CHECK(complaints.find("odd lines, the first") != std::string::npos);
    CHECK(complaints.size() < 100'000);
    flood.stop();
    endless.stop();
    flooding.join();
    chattering.join();
}

TEST_CASE("what is said again and again, or in letters that are none, fills no log") {
    Complaints complaints(100);
    for (int k = 0; k < 10; ++k) complaints.add("the same\x1b\xc3");
    CHECK(complaints.take() == std::vector<std::string>{"the same??"});
    const auto begin = std::chrono::steady_clock::now();
    for (int k = 0; k < 1000; ++k) complaints.add(std::to_string(k));
    const std::size_t kept = complaints.take().size();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    CHECK(kept >= 99);
    CHECK(static_cast<double>(kept) <=
          101 * (took.count() + 2));  // of the seconds that it took, and of those beside it
    LineQuota quota;
    complaints = Complaints(100);
    for (int k = 0; k < 1000; ++k) REQUIRE(quota.hears(1));
    CHECK(!quota.hears(1));
    CHECK(quota.hears(2));
    quota.over(complaints, "client");
    CHECK(complaints.take() == std::vector<std::string>{"client 1 sent 1001 lines at once: all after the first 1000 "
                                                        "were dropped"});
    CHECK(quota.hears(1));
}

TEST_CASE("a port that is taken is an error") {
    Served served(1, scanner(3, 1));
    CHECK_THROWS_AS(make_usar_gateway("127.0.0.1", {port_of(*served.gateway), -1, -1}, served.briefings, {1}, {}),
                    Error);
    CHECK_THROWS_AS(make_usar_gateway("127.0.0.1", {0, port_of(*served.gateway, 1), -1}, served.briefings, {1}, {}),
                    Error);
}

}  // namespace test_usarsim
