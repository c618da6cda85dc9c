// What comes on the topics of a robot with ROS: the readings that it becomes, and what is refused.
#include "live/rosbridge/ros_intake.hpp"

#include <doctest/doctest.h>

#include "helpers.hpp"
#include "live/rosbridge/rosbridge.hpp"
#include "outrider/error.hpp"
#include "ros_world.hpp"

using namespace outrider;

namespace test_ros_intake {
namespace {

LiveSection further_topics() {
    LiveSection options;
    options.sonar = "/{}/sonar{beam}";
    options.battery = "/{}/battery";
    options.victims = "/{}/victims";
    options.mates = "/{}/mates";
    return options;
}

/// What comes on the topics of a robot with a ring of three echo sounders besides its laser.
struct Sounding {
    explicit Sounding(const LiveSection& options = further_topics())
        : intake(with_sonar(), options, {"base", "r1", "r_2"}, complaints) {}

    static Briefing with_sonar() {
        SensorSpec sonar;
        sonar.beams = 3;
        sonar.first_angle = radians(-30);
        sonar.step_angle = radians(30);
        sonar.range_unit_m = 0.01;
        sonar.max_range_m = 4;
        sonar.cone = radians(15);
        Briefing briefing = RosWorld().briefings[2];
        briefing.sensors.push_back(sonar);
        return briefing;
    }
    std::string type_of(const std::string& topic) const {
        const auto at = intake.streams().find(topic);
        return at == intake.streams().end() ? "" : std::string(at->second.type());
    }
    void publish(const std::string& topic, const std::string& message) {
        intake.take(topic, parse_ros_json(message), readings);
    }
    void odometry(double time_s) {
        publish("/r_2/odom", odometry_json({time_s, "odom", RosDialect::ros2}, "r_2/base", {}, {}));
    }
    /// What is wrong with a message, odometry following.
    std::string complaint_of(const std::string& topic, const std::string& message) {
        std::string wrong;
        try {
            publish(topic, message);
        } catch (const Error& error) {
            wrong = error.what();
        }
        odometry(20);
        return wrong;
    }

    Complaints complaints;
    RosIntake intake;
    Readings readings;
};

std::string with_header(double time_s, const std::string& frame, const std::string& rest) {
    return fmt::format(R"({{"header": {{"stamp": {}, "frame_id": "{}"}}, {}}})", time_json(time_s, RosDialect::ros2),
                       frame, rest);
}
std::string range_message(double time_s, const std::string& range, double field_of_view = radians(15)) {
    return with_header(
        time_s, "sonar",
        fmt::format(R"("field_of_view": {}, "min_range": 0.05, "max_range": 3, "range": {})", field_of_view, range));
}
std::string battery_message(double time_s, const std::string& rest) { return with_header(time_s, "", rest); }
std::string pose_text(double x, double y, const std::string& rotation = R"({"x": 0, "y": 0, "z": 0, "w": 1})") {
    return fmt::format(R"({{"position": {{"x": {}, "y": {}, "z": 0}}, "orientation": {}}})", x, y, rotation);
}
std::string poses_message(double time_s, const std::string& frame, const std::string& poses) {
    return with_header(time_s, frame, "\"poses\": [" + poses + "]");
}

}  // namespace

TEST_CASE("echo sounders, battery, victims and team-mates in sight are read from the topics that the options name") {
    Sounding robot;
    CHECK(robot.type_of("/r_2/scan") == "sensor_msgs/LaserScan");
    CHECK(robot.type_of("/r_2/scan2") == "");  // its second sensor are the echo sounders
    for (const char* topic : {"/r_2/sonar1", "/r_2/sonar2", "/r_2/sonar3"})
        CHECK(robot.type_of(topic) == "sensor_msgs/Range");
    CHECK(robot.type_of("/r_2/battery") == "sensor_msgs/BatteryState");
    CHECK(robot.type_of("/r_2/victims") == "geometry_msgs/PoseArray");
    CHECK(robot.type_of("/r_2/mates") == "geometry_msgs/PoseArray");
    robot.odometry(20);
    robot.publish("/r_2/sonar1", range_message(20.1, "1.234"));
    robot.publish("/r_2/sonar3", range_message(20.2, "3"));  // nothing within its reach
    robot.publish("/r_2/battery", battery_message(20.1, "\"percentage\": 0.25"));
    robot.publish("/r_2/victims", poses_message(20.1, "/r_2/base", pose_text(9, 9)));
    robot.publish("/r_2/victims", poses_message(20.2, "/r_2/base", pose_text(2, -1) + "," + pose_text(3, 0)));
    robot.publish("/r_2/victims", poses_message(20.3, "/r_2/base", ""));
    robot.publish("/r_2/mates", poses_message(20.2, "odom", pose_text(5, 6, R"({"x": 0, "y": 0, "z": 0, "w": 0})")));
    robot.odometry(20.4);
    CHECK(robot.complaints.take().empty());
    const Readings& said = robot.readings;
    REQUIRE(said.sweeps.size() == 1);
    CHECK(said.sweeps[0].sensor == 1);
    CHECK(said.sweeps[0].time_s == doctest::Approx(20.2));
    CHECK(said.sweeps[0].ranges == std::vector<std::uint16_t>{123, Scan::no_information, Scan::nothing});
    CHECK(said.battery == 0.25);
    REQUIRE(said.finds.size() == 3);  // of the newest message that names anybody
    CHECK(said.finds[0].kind == Sighting::Kind::victim);
    CHECK(said.finds[0].pose.position() == Point{2, -1});
    CHECK(said.finds[1].pose.position() == Point{3, 0});
    CHECK_FALSE(said.finds[0].in_odometry);
    CHECK(said.finds[2].kind == Sighting::Kind::team_mate);
    CHECK(said.finds[2].id == -1);
    CHECK(said.finds[2].in_odometry);
    CHECK(said.finds[2].time_s == doctest::Approx(20.2));
}

TEST_CASE("team-mates on a topic each are known by their names") {
    LiveSection options;
    options.mates = "/{}/sees/{mate}";
    Sounding robot(options);
    CHECK(robot.type_of("/r_2/scan2") == "sensor_msgs/LaserScan");  // without live.sonar a ring is read as a scan
    CHECK(robot.type_of("/r_2/sees/r1") == "geometry_msgs/PoseStamped");
    CHECK(robot.type_of("/r_2/sees/base") == "geometry_msgs/PoseStamped");
    CHECK(robot.type_of("/r_2/sees/r_2") == "");
    robot.odometry(20);
    const auto pose = [](const std::string& rotation) {
        return with_header(20, "base_link", "\"pose\": " + pose_text(1, 2, rotation));
    };
    CHECK(robot.complaint_of("/r_2/sees/r1", pose(R"({"x": 0, "y": 0, "z": 1, "w": 0})")) == "");
    REQUIRE(robot.readings.finds.size() == 1);
    CHECK(robot.readings.finds[0].id == 1);
    CHECK(std::abs(robot.readings.finds[0].pose.yaw) == doctest::Approx(pi));
    CHECK(robot.complaint_of("/r_2/sees/r1", pose(R"({"x": 0, "y": 0, "z": 0, "w": 0})")) ==
          "orientation: a quaternion of length 0, expected 1 (geometry_msgs/PoseStamped)");
}

TEST_CASE("messages of further sensors that are wrong, late or of foreign frames are named and change nothing") {
    Sounding robot;
    CHECK(robot.complaint_of("/r_2/victims", poses_message(20, "base_link", pose_text(1, 1))) ==
          "it came before any odometry (geometry_msgs/PoseArray)");
    const auto sonar = [&](const std::string& message) { return robot.complaint_of("/r_2/sonar2", message); };
    CHECK(sonar(range_message(20, "-0.5")) == "range: -0.5 m, expected 0 or more (sensor_msgs/Range)");
    CHECK(sonar(with_header(20, "s", R"("field_of_view": 0.2, "min_range": 2, "max_range": 1, "range": 1)")) ==
          "min_range: 2 m, max_range: 1 m, expected 0 or more, and more than that (sensor_msgs/Range)");
    CHECK(sonar(battery_message(20, "\"percentage\": 0.5")) ==
          "expected a field \"field_of_view\" (sensor_msgs/Range)");
    CHECK(sonar(range_message(17.5, "1")) ==
          "its time 17.500 is 2.5 s older than that of the odometry, expected at most 2 s "
          "(sensor_msgs/Range)");
    CHECK(sonar(range_message(99, "1")).find("79.0 s newer than that of the odometry") != std::string::npos);
    CHECK(robot.readings.sweeps.empty());
    const auto battery = [&](const std::string& rest) {
        return robot.complaint_of("/r_2/battery", battery_message(20, rest));
    };
    CHECK(battery("\"percentage\": 87") == "percentage: 87, expected 0 to 1 (sensor_msgs/BatteryState)");
    CHECK(battery("\"percentage\": -0.1").find("percentage: -0.1, expected 0 to 1") != std::string::npos);
    CHECK(battery("\"percentage\": NaN, \"charge\": NaN, \"capacity\": 4")
              .find("percentage: expected a number from 0 to 1") != std::string::npos);
    CHECK(battery("\"percentage\": \"full\"").find("percentage: expected a number") != std::string::npos);
    CHECK(battery("\"percentage\": NaN, \"charge\": 5, \"capacity\": 4")
              .find("charge / capacity: 1.25, expected 0 to 1") != std::string::npos);
    CHECK_FALSE(robot.readings.battery);
    const auto victims = [&](const std::string& message) { return robot.complaint_of("/r_2/victims", message); };
    CHECK(victims(poses_message(20, "camera", pose_text(1, 1))) ==
          "the frame \"camera\", expected \"r_2/base\" (the robot's body) or \"odom\" (its odometry) "
          "(geometry_msgs/PoseArray)");
    CHECK(victims(with_header(20, "odom", "\"poses\": 5")).find("poses: expected a list") != std::string::npos);
    CHECK(victims(poses_message(20, "odom", R"({"position": {"x": NaN, "y": 0}, "orientation":
                                              {"x": 0, "y": 0, "z": 0, "w": 1}})"))
              .find("x: expected a number") != std::string::npos);
    CHECK(victims(poses_message(20, "odom", pose_text(1e7, 0))).find("is too far away") != std::string::npos);
    CHECK(robot.readings.finds.empty());
    // None of these kept the right ones out, also where no percentage is known.
    CHECK(sonar(range_message(20, "1")) == "");
    CHECK(battery("\"percentage\": NaN, \"charge\": 1, \"capacity\": 4") == "");
    CHECK(victims(poses_message(20, "odom", pose_text(1, 1))) == "");
    CHECK(robot.readings.sweeps.size() == 1);
    CHECK(robot.readings.battery == 0.25);
    CHECK(robot.readings.finds.size() == 1);
    // Another angle of the cone is said once; topics on which nothing comes, after ten seconds.
    CHECK(sonar(range_message(20, "1", 0.5)) ==
          "field_of_view: 28.6 degrees, expected 15.0 as sensor.cone_deg, which counts "
          "(sensor_msgs/Range)");
    CHECK(sonar(range_message(20, "1", 0.5)) == "");
    robot.odometry(29.9);
    CHECK(robot.complaints.take().empty());
    robot.odometry(30.1);
    robot.odometry(31);
    const std::vector<std::string> silent = robot.complaints.take();
    REQUIRE(silent.size() == 2);
    CHECK(silent[0] == "/r_2/sonar1: nothing came in 10 s, expected sensor_msgs/Range");
}

TEST_CASE("topics of further sensors that cannot be are errors") {
    const RosWorld world;
    const auto expect = [&](const LiveSection& options, const char* message) {
        CHECK_THROWS_WITH_AS(make_ros_vehicle("ws://127.0.0.1:1", world.briefings[2], options),
                             doctest::Contains(message), Error);
    };
    LiveSection options;
    options.sonar = "/{}/sonar";
    expect(options, "live.sonar = /{}/sonar: expected {beam} in it");
    options.sonar = "/{}/sonar{beam}";
    expect(options, "robot 'r 2' has no echo sounders; expected a sensor with cone_deg");
    options.sonar = "";
    options.battery = options.odom;
    expect(options, "the topic /r_2/odom would be that of two things");
}

}  // namespace test_ros_intake
