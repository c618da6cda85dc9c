// Messages of ROS in other codings: against bytes written by hand, and against what MCAP files are written with.
#include "live/rosbridge/ros_coding.hpp"

#include <doctest/doctest.h>

#include "live/rosbridge/cbor.hpp"
#include "mcap/coding.hpp"
#include "outrider/error.hpp"

using namespace outrider;
using namespace std::string_literals;

namespace test_ros_coding {
namespace {

std::string encoded(const std::string& json, std::string_view type, RosDialect dialect, RosCoding coding) {
    return encode_ros(parse_json(json), *find_ros_type(type, dialect), dialect, coding);
}

std::string refusal(const std::string& json, std::string_view type, RosCoding coding = RosCoding::json) {
    try {
        encoded(json, type, RosDialect::ros1, coding);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("a time is the bytes that each coding says") {
    const std::string time = R"({"clock": {"secs": 1, "nsecs": 500}})";
    CHECK(encoded(time, ros_type::clock, RosDialect::ros1, RosCoding::raw) == "\1\0\0\0\xF4\1\0\0"s);
    CHECK(encoded(time, ros_type::clock, RosDialect::ros2, RosCoding::raw) == "\0\1\0\0\1\0\0\0\xF4\1\0\0"s);
    CHECK(encoded(time, ros_type::clock, RosDialect::ros1, RosCoding::cbor) ==
          "\xA1\x65"
          "clock"
          "\xA2\x64"
          "secs"
          "\x01\x65"
          "nsecs"
          "\x19\x01\xF4"s);
    CHECK(encoded(time, ros_type::clock, RosDialect::ros1, RosCoding::json) == time);
    CHECK(encoded(time, ros_type::clock, RosDialect::ros2, RosCoding::json) ==
          R"({"clock": {"sec": 1, "nanosec": 500}})");
    CHECK(publication("/t", "x", RosCoding::json, 0) == R"({"op": "publish", "topic": "/t", "msg": x})");
    CHECK(publication("/t", "\1\2", RosCoding::raw, 1.5) ==
          "\xA3\x62op\x67publish\x65topic\x62/t\x63msg\xA3\x64secs\x01\x65nsecs\x1A\x1D\xCD\x65\x00\x65"
          "bytes"
          "\x42\1\2"s);
}

TEST_CASE("numbers of CBOR are as short as they can be") {
    CHECK(cbor_number(0) == "\0"s);
    CHECK(cbor_number(23) == "\x17");
    CHECK(cbor_number(24) == "\x18\x18");
    CHECK(cbor_number(-1) == "\x20");
    CHECK(cbor_number(-500) == "\x39\x01\xF3");
    CHECK(cbor_number(65536) == "\x1A\0\1\0\0"s);
    CHECK(cbor_number(1e12) == "\x1B\0\0\0\xE8\xD4\xA5\x10\0"s);
    CHECK(cbor_number(1.5) == "\xFB\x3F\xF8\0\0\0\0\0\0"s);
}

TEST_CASE("raw messages of ROS 2 are those that MCAP files hold") {
    const std::uint64_t time_ns = 12'250'000'000;
    const RosHeader header{12.25, "map", RosDialect::ros2};
    GridMessage grid{
        .frame = "map", .corner = {-1.5, 2}, .cell_m = 0.25, .width = 3, .height = 1, .cells = {-1, 0, 100}};
    CHECK(encoded(grid_json(header, grid), ros_type::grid, RosDialect::ros2, RosCoding::raw) ==
          ros2_coding().encode(grid, time_ns));
    const PoseMessage pose{"r1/odom", "r1/base_link", {1, 2, 0.5}, {0.5, 0, 0.25}};
    CHECK(encoded(odometry_json({12.25, "r1/odom", RosDialect::ros2}, "r1/base_link", {1, 2, 0.5}, {0.5, 0.25}),
                  ros_type::odometry, RosDialect::ros2, RosCoding::raw) == ros2_coding().encode(pose, time_ns));
    const TransformsMessage frames{{{"map", "r1/odom", {1, 2, 3}}, {"r1/odom", "r1", {0.1, -0.2, 0}}}};
    CHECK(encoded(transforms_json(12.25, RosDialect::ros2, frames.links), ros_type::transforms, RosDialect::ros2,
                  RosCoding::raw) == ros2_coding().encode(frames, time_ns));
}

TEST_CASE("arrays of numbers are bytes in CBOR, those of other things are lists") {
    const std::string grid = R"({"data": [-1, 0, 100]})";
    CHECK(encoded(grid, ros_type::grid, RosDialect::ros1, RosCoding::cbor)
              .ends_with("\x64"
                         "data\xD8\x48\x43\xFF\0\x64"s));
    const std::string scan = R"({"ranges": [1, null]})";
    CHECK(encoded(scan, ros_type::scan, RosDialect::ros1, RosCoding::cbor)
              .find("\xD8\x55\x48\0\0\x80\x3F\0\0\xC0\x7F"s) != std::string::npos);
    CHECK(encoded("{}", ros_type::markers, RosDialect::ros1, RosCoding::cbor) == "\xA1\x67markers\x80");
}

TEST_CASE("what is missing is 0, what is too much is left out, what is wrong is named") {
    CHECK(encoded(R"({"linear": {"x": 2}, "more": 1})", ros_type::twist, RosDialect::ros1, RosCoding::json) ==
          R"({"linear": {"x": 2, "y": 0, "z": 0}, "angular": {"x": 0, "y": 0, "z": 0}})");
    CHECK(refusal(R"({"linear": {"x": "fast"}})", ros_type::twist) == "linear.x: expected a number");
    CHECK(refusal(R"({"linear": 5})", ros_type::twist) == "linear: expected an object");
    CHECK(refusal(R"({"header": {"frame_id": 5}})", ros_type::path) == "header.frame_id: expected a text");
    CHECK(refusal(R"({"poses": 5})", ros_type::path) == "poses: expected an array");
    CHECK(refusal(R"({"pose": {"covariance": [1]}})", ros_type::odometry) == "pose.covariance: expected 36 values");
    CHECK(refusal(R"({"data": [300]})", ros_type::grid, RosCoding::raw).find("data") == 0);
}

}  // namespace test_ros_coding
