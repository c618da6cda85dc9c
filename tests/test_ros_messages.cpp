// Messages of ROS as JSON: their fields against the published definitions, and what is read from them.
#include "live/rosbridge/ros_messages.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "helpers.hpp"
#include "live/rosbridge/beam_fit.hpp"
#include "outrider/error.hpp"
#include "ros_definitions.hpp"

using namespace outrider;

namespace test_ros_messages {
namespace {

SensorSpec sensor_of(int beams, double first_deg, double step_deg, double unit_m = 0.001, double reach_m = 8) {
    SensorSpec sensor;
    sensor.beams = beams;
    sensor.first_angle = radians(first_deg);
    sensor.step_angle = radians(step_deg);
    sensor.range_unit_m = unit_m;
    sensor.max_range_m = reach_m;
    return sensor;
}

const RosHeader ros1_header{12.25, "r1/laser", RosDialect::ros1}, ros2_header{12.25, "r1/laser", RosDialect::ros2};

RosScan scan_of(std::vector<double> ranges, double min_deg, double step_deg) {
    RosScan scan;
    scan.angle_min = radians(min_deg);
    scan.angle_increment = radians(step_deg);
    scan.range_min = 0.1;
    scan.range_max = 5;
    scan.ranges = std::move(ranges);
    return scan;
}

std::string refusal(auto&& read, const std::string& text) {
    try {
        read(parse_json(text));
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

/// Replaces a part of a text, which is there.
std::string with(std::string text, const std::string& part, const std::string& by) {
    const std::size_t at = text.find(part);
    REQUIRE(at != std::string::npos);
    return text.replace(at, part.size(), by);
}

}  // namespace

TEST_CASE("every message has exactly the fields of its type, in both dialects") {
    const SensorSpec sensor = sensor_of(3, -90, 90);
    const std::vector<std::uint16_t> ranges{Scan::no_information, Scan::nothing, 1234};
    GridMessage grid;
    grid.cell_m = 0.1;
    grid.corner = {-1.5, 2};
    grid.width = 2;
    grid.height = 2;
    grid.cells = {-1, 0, 100, 0};
    const std::vector<Point> corners{{0, 0}, {1, 1}, {1, 2}};
    const std::vector<TransformsMessage::Link> links{{"map", "r1/odom", {1, 2, 3}}};
    std::vector<SceneMessage> scenes(1);
    scenes[0].name = "all";
    for (int k = 0; k <= static_cast<int>(SceneItem::Kind::text); ++k)
        scenes[0].items.push_back({.kind = static_cast<SceneItem::Kind>(k),
                                   .colour = {},
                                   .points = {{1, 2}},
                                   .tints = {{1, 0, 0, 1}},
                                   .text = "\"quoted\"\n"});
    RosFieldCheck ros1(ros1_definitions()), ros2(ros2_definitions());
    // ROS 2 Foxy does not have these.
    const std::set<std::string> newer{"texture_resource", "texture", "uv_coordinates", "mesh_file"};
    for (const RosHeader& h : {ros1_header, ros2_header}) {
        const bool is_old = h.dialect == RosDialect::ros1;
        CAPTURE(is_old);
        RosFieldCheck& check = is_old ? ros1 : ros2;
        const auto checked = [&](const std::string& json, std::string_view type) {
            return check(parse_json(json), std::string(type), newer);
        };
        CHECK(checked(scan_json(h, sensor, ranges, 0.5), ros_type::scan) == "");
        CHECK(checked(odometry_json(h, "r1/base_link", {1, 2, 3}, {0.5, 0.1}), ros_type::odometry) == "");
        CHECK(checked(twist_json({1e-7, -1e20}), ros_type::twist) == "");
        CHECK(checked(clock_json(1e9, h.dialect), ros_type::clock) == "");
        CHECK(checked(transforms_json(1, h.dialect, links), ros_type::transforms) == "");
        CHECK(checked(grid_json(h, grid), ros_type::grid) == "");
        CHECK(checked(path_json(h, corners), ros_type::path) == "");
        CHECK(checked(path_json(h, {}), ros_type::path) == "");
        CHECK(checked(markers_json(h, scenes), ros_type::markers) == "");
        // The check itself finds what is wrong.
        const std::string twist = twist_json({1, 2});
        CHECK(checked(with(twist, "\"linear\"", "\"linea\""), ros_type::twist) ==
              "geometry_msgs/Twist: there is no linear");
        CHECK(checked(with(twist, "}}", "}, \"more\": 1}"), ros_type::twist) ==
              "geometry_msgs/Twist: there should be no more");
        CHECK(checked(grid_json(h, grid).replace(grid_json(h, grid).find("100"), 3, "128"), ros_type::grid) ==
              "nav_msgs/OccupancyGrid.data[]: expected a int8");
        // The other dialect's stamps are wrong here.
        CHECK((is_old ? ros2 : ros1)(parse_json(clock_json(1, h.dialect)), std::string(ros_type::clock)) != "");
    }
    CHECK(ros1(parse_json(markers_json(ros1_header, scenes)), std::string(ros_type::markers)) == "");
}

TEST_CASE("messages say what they are made of") {
    CHECK(twist_json({0.5, -0.25}) ==
          R"({"linear": {"x": 0.5, "y": 0, "z": 0}, "angular": {"x": 0, "y": 0, "z": -0.25}})");
    CHECK(clock_json(12.25, RosDialect::ros1) == R"({"clock": {"secs": 12, "nsecs": 250000000}})");
    CHECK(clock_json(12.25, RosDialect::ros2) == R"({"clock": {"sec": 12, "nanosec": 250000000}})");
    CHECK(clock_json(0.9999999999, RosDialect::ros2) == R"({"clock": {"sec": 1, "nanosec": 0}})");
    const Json scan =
        parse_json(scan_json(ros1_header, sensor_of(4, -90, 60), std::vector<std::uint16_t>{0, 65535, 1234, 1}, 0.5));
    CHECK(json_text(*scan.find("ranges")) == "[0, 9, 1.234, 0.001]");
    CHECK(*scan.find("angle_max")->number() == doctest::Approx(pi / 2));
    CHECK(*scan.find("range_max")->number() == 8);
    CHECK(json_text(*scan.find("header")) ==
          R"({"seq": 0, "stamp": {"secs": 12, "nsecs": 250000000}, "frame_id": "r1/laser"})");
    GridMessage grid;
    grid.cell_m = 0.1;
    grid.corner = {-1.5, 2};
    grid.width = 3;
    grid.height = 1;
    grid.cells = {GridMessage::unknown, GridMessage::free, GridMessage::wall};
    const Json map = parse_json(grid_json(ros2_header, grid));
    CHECK(json_text(*map.find("data")) == "[-1, 0, 100]");
    CHECK(json_text(*map.find("info")->find("origin")->find("position")) == R"({"x": -1.5, "y": 2, "z": 0})");
    const Json path = parse_json(path_json(ros1_header, std::vector<Point>{{0, 0}, {1, 1}, {1, 2}}));
    const Json::Array& poses = *path.find("poses")->array();
    REQUIRE(poses.size() == 3);
    const double yaws[] = {pi / 4, pi / 2, pi / 2};
    for (std::size_t i = 0; i < 3; ++i)
        CHECK(2 * std::asin(*poses[i].find("pose")->find("orientation")->find("z")->number()) ==
              doctest::Approx(yaws[i]));
    const SceneMessage scene{
        "map", "goal", {{.kind = SceneItem::Kind::dots, .colour = {}, .size_m = 0.3, .z_m = 0.1, .points = {{4, 5}}}}};
    const Json markers = parse_json(markers_json(ros1_header, std::span(&scene, 1)));
    const Json::Array& list = *markers.find("markers")->array();
    REQUIRE(list.size() == 2);
    CHECK(*list[0].find("action")->number() == 3);  // remove all
    CHECK(*list[1].find("action")->number() == 0);
    CHECK(*list[1].find("type")->number() == 7);  // a list of spheres
    CHECK(*list[1].find("ns")->text() == "goal");
    CHECK(json_text(*list[1].find("points")) == R"([{"x": 4, "y": 5, "z": 0.1}])");
}

TEST_CASE("names of types and topics") {
    CHECK(dialect_of("sensor_msgs/LaserScan") == RosDialect::ros1);
    CHECK(dialect_of("sensor_msgs/msg/LaserScan") == RosDialect::ros2);
    for (const char* none : {"", "LaserScan", "a/b/c", "a/b/c/d", "/LaserScan", "sensor_msgs/", "a//b", "a/msg/"})
        CHECK_FALSE(dialect_of(none));
    CHECK(plain_type("sensor_msgs/msg/LaserScan") == "sensor_msgs/LaserScan");
    CHECK(plain_type("sensor_msgs/LaserScan") == "sensor_msgs/LaserScan");
    CHECK(type_name("sensor_msgs/LaserScan", RosDialect::ros2) == "sensor_msgs/msg/LaserScan");
    CHECK(ros_topic("/{}/scan", "r1") == "/r1/scan");
    CHECK(ros_topic("{}/scan", "r1") == "/r1/scan");
    CHECK(ros_topic("/scan", "r1") == "/scan");
    CHECK(ros_topic("/{}/x/{}", "{}") == "/{}/x/{}");  // a name is not looked through again
    CHECK(ros_scan_topic("/{}/scan", "r1", 0) == "/r1/scan");
    CHECK(ros_scan_topic("/{}/scan", "r1", 1) == "/r1/scan2");
    CHECK(ros_map_frame({0, 0}, "r1") == "map");
    CHECK(ros_map_frame({2, 0}, "r1") == "r1/map");
}

TEST_CASE("odometry and twists are read as they were written, in both dialects") {
    Rng rng(1, 2, Purpose::range, 3);
    for (int k = 0; k < 1000; ++k) {
        const Pose pose{100 * rng.normal(), 100 * rng.normal(), wrap_angle(3 * rng.normal())};
        const Velocity velocity{rng.normal(), rng.normal()};
        for (const RosHeader& h : {ros1_header, ros2_header}) {
            const RosOdometry read = read_odometry(parse_json(odometry_json(h, "r1/base_link", pose, velocity)));
            CHECK(read.dialect == h.dialect);
            CHECK(read.time_s == 12.25);
            CHECK(read.pose.x == pose.x);
            CHECK(read.pose.y == pose.y);
            CHECK(std::abs(wrap_angle(read.pose.yaw - pose.yaw)) < 1e-14);
        }
        const RosTwist twist = read_twist(parse_json(twist_json(velocity)));
        CHECK(twist.velocity == velocity);
        CHECK_FALSE(twist.sideways);
    }
    CHECK(read_clock(parse_json(clock_json(1'700'000'000.123, RosDialect::ros1))) ==
          doctest::Approx(1'700'000'000.123));
    // A quaternion that tilts, and is not quite normalised: 90 degrees to the left, then nose up.
    const Pose tilted = read_odometry(parse_json(R"({"header": {"stamp": {"sec": 1, "nanosec": 5}},
        "pose": {"pose": {"position": {"x": 1, "y": 2, "z": 3},
        "orientation": {"x": 0.07, "y": -0.07, "z": 0.71, "w": 0.71}}}})"))
                            .pose;
    CHECK(tilted.yaw == doctest::Approx(pi / 2));
    CHECK(read_twist(parse_json("{}")).velocity == Velocity{});
    CHECK(read_twist(parse_json(R"({"linear": {"y": 1}})")).sideways);
    CHECK(read_twist(parse_json(R"({"angular": {"z": 1}})")).velocity == Velocity{0, 1});
}

TEST_CASE("messages that are not as they should be are refused with the field that is wrong") {
    const std::string odometry = odometry_json(ros1_header, "b", {1, 2, 3}, {}),
                      scan = scan_json(ros2_header, sensor_of(2, 0, 1), std::vector<std::uint16_t>{5, 6}, 0);
    REQUIRE(refusal(read_odometry, odometry) == "");
    REQUIRE(refusal(read_scan, scan) == "");
    CHECK(refusal(read_odometry, "{}") == "expected a field \"header\"");
    CHECK(refusal(read_odometry, "[]") == "expected a field \"header\"");
    CHECK(refusal(read_odometry, with(odometry, "\"nsecs\"", "\"x\"")) == "expected a field \"nsecs\"");
    CHECK(refusal(read_odometry, with(odometry, "\"secs\": 12", "\"secs\": -12")).starts_with("a time of -12 s"));
    CHECK(refusal(read_odometry, with(odometry, "\"secs\": 12", "\"secs\": 1e99")).starts_with("a time of 1e+99 s"));
    CHECK(refusal(read_odometry, with(odometry, "\"x\": 1", "\"x\": null")) == "x: expected a number");
    CHECK(refusal(read_odometry, with(odometry, "\"x\": 1", "\"x\": 1e300")).find("is too far away") !=
          std::string::npos);
    CHECK(refusal(read_odometry, R"({"header": {"stamp": {"sec": 1, "nanosec": 5}}, "pose": {"pose": {"position":
        {"x": 1, "y": 2}, "orientation": {"x": 0, "y": 0, "z": 0, "w": 0}}}})")
              .starts_with("orientation: "));
    CHECK(refusal(read_scan, with(scan, "[0.005, 0.006]", "[]")) == "ranges: 0 of them, expected 1 to 100000");
    CHECK(refusal(read_scan, with(scan, "[0.005, 0.006]", "[1, \"x\"]")) == "ranges: expected numbers");
    CHECK(refusal(read_scan, with(scan, "[0.005, 0.006]", "5")) == "ranges: expected a list");
    CHECK(refusal(read_scan, with(scan, "\"angle_min\": 0", "\"angle_min\": 1e9")).find("beams from angle 1e+09") !=
          std::string::npos);
    CHECK(refusal(read_scan, with(scan, "\"angle_increment\": 0.017453292519943295", "\"angle_increment\": 0"))
              .find("beams from angle") != std::string::npos);
    for (const char* wrong : {"[]", "5", R"({"linear": 5})", R"({"linear": {"x": "1"}})", R"({"linear": {"x": null}})",
                              R"({"linear": {"x": 1001}})", R"({"angular": {"z": -1e30}})", R"({"linear": {"w": 1}})",
                              R"({"twist": {"linear": {"x": 1}}})", R"({"linear": {"x": [1]}})"}) {
        CAPTURE(wrong);
        CHECK(refusal(read_twist, wrong) != "");
    }
    CHECK(refusal(read_clock, R"({"clock": {"secs": 1}})") == "expected a field \"nsecs\"");
    CHECK(refusal(read_clock, R"({"clock": 1})") == "expected a field \"secs\"");
}

TEST_CASE("whatever bytes change in a message, it is read or refused, and what is read is sound") {
    const SensorSpec sensor = sensor_of(4, -90, 60);
    const std::vector<std::string> samples{
        scan_json(ros1_header, sensor, std::vector<std::uint16_t>{0, 65535, 1234, 1}, 0.5),
        odometry_json(ros2_header, "r1/base_link", {1, 2, 3}, {0.5, 0.1}),
        twist_json({0.5, -1}),
        clock_json(12.5, RosDialect::ros2),
        R"({"header": {"stamp": {"sec": 1, "nanosec": 2}}, "field_of_view": 0.2, "min_range": 0, "max_range": 3,
            "range": 1.5})",
        R"({"header": {"stamp": {"sec": 1, "nanosec": 2}}, "percentage": null, "charge": 1, "capacity": 4})",
        R"({"header": {"stamp": {"sec": 1, "nanosec": 2}, "frame_id": "odom"}, "poses": [{"position": {"x": 1, "y": 2},
            "orientation": {"x": 0, "y": 0, "z": 0, "w": 1}}]})"};
    const std::string bytes = "0123456789-+eE.,:{}[]\"nulltruefalseNaNInfinity\\ \x80\xff";
    Rng rng(3, 0, Purpose::range, 0);
    int read = 0, refused = 0;
    for (int k = 0; k < 70'000; ++k) {
        std::string text = samples[static_cast<std::size_t>(k % 7)];
        for (int change = 0; change <= k % 3; ++change) {
            const auto at = static_cast<std::size_t>(rng.uniform() * static_cast<double>(text.size()));
            const char by = bytes[static_cast<std::size_t>(rng.uniform() * static_cast<double>(bytes.size()))];
            if (rng.uniform() < 0.7)
                text[at] = by;
            else
                text.insert(at, 1, by);
        }
        try {
            const Json json = parse_ros_json(text);
            if (k % 7 == 0) {
                const RosScan scan = read_scan(json);
                CHECK(beams_of(scan, sensor, NullRange::nothing).size() == 4);
                CHECK(missing_beams(scan, sensor).size() < 300);
            } else if (k % 7 == 1) {
                const RosOdometry odometry = read_odometry(json);
                CHECK((std::isfinite(odometry.pose.x) && std::abs(odometry.pose.yaw) <= pi));
            } else if (k % 7 == 2) {
                const RosTwist twist = read_twist(json);
                CHECK(std::abs(twist.velocity.turn_radps) <= 1000);
            } else if (k % 7 == 4) {
                const RosRange range = read_range(json);
                CHECK((!(range.range < 0) && range.min_range < range.max_range));
            } else if (k % 7 == 5) {
                const double share = read_battery(json).share;
                CHECK((share >= 0 && share <= 1));
            } else if (k % 7 == 6) {
                for (const Pose& pose : read_poses(json).poses)
                    CHECK((std::isfinite(pose.x) && std::abs(pose.yaw) <= pi));
            } else {
                const double time_s = read_clock(json);
                CHECK(time_s >= 0);
            }
            ++read;
        } catch (const Error&) {
            ++refused;
        }
    }
    CHECK(read > 1000);
    CHECK(refused > 1000);
}

TEST_CASE("NaN and Infinity, which Python writes, are null; within texts they stay") {
    const Json json = parse_ros_json(R"({"a": [NaN, Infinity, -Infinity, 1], "NaN": "a \"NaN\" \\", "b": Infinity})");
    CHECK(json_text(json) == R"({"a": [null, null, null, 1], "NaN": "a \"NaN\" \\", "b": null})");
    CHECK_THROWS_AS(parse_ros_json("{NaN"), Error);
    CHECK_THROWS_AS(parse_ros_json("\"NaN\\"), Error);
}

TEST_CASE("what others say is cut between characters") {
    CHECK(shortened("abc", 3) == "abc");
    CHECK(shortened("abcd", 3) == "abc...");
    CHECK(shortened("ab\xc3\xa4z", 3) == "ab...");  // a letter of two bytes
    CHECK(shortened("ab\xc3\xa4z", 4) == "ab\xc3\xa4...");
}

TEST_CASE("a scan of equal beams is read as it was measured, for any unit and any range") {
    Rng rng(7, 0, Purpose::range, 0);
    for (int k = 0; k < 200; ++k) {
        const double unit_m = std::pow(10.0, -6 * rng.uniform()), most = std::floor(1 + 65533 * rng.uniform());
        const int beams = 1 + static_cast<int>(1000 * rng.uniform());
        const SensorSpec sensor =
            sensor_of(beams, 360 * rng.uniform() - 180, 360.0 / 1001 * (rng.uniform() + 0.001), unit_m, most * unit_m);
        std::vector<std::uint16_t> ranges;
        for (int i = 0; i < beams; ++i) {
            const double kind = rng.uniform();
            ranges.push_back(kind < 0.1   ? Scan::nothing
                             : kind < 0.2 ? Scan::no_information
                             : kind < 0.3 ? static_cast<std::uint16_t>(most)
                                          : static_cast<std::uint16_t>(1 + std::floor((most - 1) * rng.uniform())));
        }
        for (const RosHeader& h : {ros1_header, ros2_header}) {
            const RosScan scan = read_scan(parse_json(scan_json(h, sensor, ranges, 0.1)));
            CHECK(scan.dialect == h.dialect);
            CHECK(scan.time_s == 12.25);
            CHECK(missing_beams(scan, sensor) == "");
            CHECK(beams_of(scan, sensor, NullRange::nothing) == ranges);
        }
    }
}

TEST_CASE("beams of another fan are found by their angle; those that nobody measured say nothing") {
    const auto read = [](const RosScan& scan, const SensorSpec& sensor) {
        return beams_of(scan, sensor, NullRange::nothing);
    };
    using Ranges = std::vector<std::uint16_t>;
    const SensorSpec five = sensor_of(5, -90, 45);
    // The whole circle from 0 on, as some scanners have it.
    CHECK(read(scan_of({0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4}, 0, 45), five) == Ranges{3500, 4000, 500, 1000, 1500});
    CHECK(missing_beams(scan_of({0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4}, 0, 45), five) == "");
    // From left to right.
    CHECK(read(scan_of({1, 2, 3, 4, 4.5}, 90, -45), five) == Ranges{4500, 4000, 3000, 2000, 1000});
    // Finer.
    CHECK(read(scan_of({1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8}, -90, 22.5), five) ==
          Ranges{1000, 1200, 1400, 1600, 1800});
    // Coarser: each beam takes the nearest one.
    CHECK(read(scan_of({1, 2, 3}, -100, 90), five) == Ranges{1000, 2000, 2000, 3000, 3000});
    CHECK(missing_beams(scan_of({1, 2, 3}, -100, 90), five) ==
          "a scan of 3 beams from -100.0 to 80.0 degrees, expected 5 beams from -90.0 to 90.0 degrees");
    // Narrower.
    CHECK(read(scan_of({1, 2, 3, 4, 4.5}, -45, 22.5), five) == Ranges{0, 1000, 3000, 4500, 0});
    CHECK(missing_beams(scan_of({1, 2, 3, 4, 4.5}, -45, 22.5), five) != "");
    // One beam.
    CHECK(read(scan_of({1}, 0, 0), five) == Ranges{0, 0, 1000, 0, 0});
}

TEST_CASE("ranges beyond what is measured mean nothing there, or no information") {
    const SensorSpec sensor = sensor_of(8, 0, 1);  // reaches 8 m
    RosScan scan = scan_of({0, 0.09, 0.1, 5, 5.01, -1, std::numeric_limits<double>::quiet_NaN(), 1.2345}, 0, 1);
    std::vector<std::uint16_t> expected{0, 0, 100, 5000, Scan::nothing, 0, Scan::nothing, 1235};
    CHECK(beams_of(scan, sensor, NullRange::nothing) == expected);
    expected[6] = Scan::no_information;
    CHECK(beams_of(scan, sensor, NullRange::no_information) == expected);
    scan.range_max = std::numeric_limits<double>::infinity();  // null in the message
    scan.ranges = {8, 8.01, 1e30, 7.9999, 0.1, 0.1, 0.1, 0.1};
    scan.range_min = 0;
    CHECK(beams_of(scan, sensor, NullRange::nothing) ==
          std::vector<std::uint16_t>{8000, Scan::nothing, Scan::nothing, 8000, 100, 100, 100, 100});
    scan.ranges = {1e-9, 1, 1, 1, 1, 1, 1, 1};
    CHECK(beams_of(scan, sensor, NullRange::nothing)[0] == 1);  // not 0, which has a meaning of its own
}

}  // namespace test_ros_messages
