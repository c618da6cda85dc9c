#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "live/rosbridge/ros_messages.hpp"
#include "live/rosbridge/rosbridge.hpp"
#include "live/rosbridge/rosbridge_server.hpp"
#include "mcap/topics.hpp"

namespace outrider {
namespace {

class RosGateway final : public Gateway {
  public:
    RosGateway(const std::string& address, int port, const std::vector<Briefing>& briefings,
               const std::vector<RobotId>& served, const LiveSection& options, std::vector<std::string> origins)
        : clock_(ros_topic(options.time, "")),
          controllers_(briefings.size()),
          server_(address, port, std::move(origins)) {
        std::vector<std::string> names;
        for (const Briefing& briefing : briefings) names.push_back(briefing.me().name);
        names = topic_names(names);
        for (std::size_t i = 0; i < briefings.size(); ++i) {
            Served& robot = robots_.emplace_back(Served{briefings[i], names[i], "", "", {}, {}});
            robot.odom = ros_topic(options.odom, names[i]);
            robot.command = ros_topic(options.command, names[i]);
            for (std::size_t k = 0; k < briefings[i].sensors.size(); ++k)
                robot.scans.push_back(ros_scan_topic(options.scan, names[i], k));
            add_topics(i, std::find(served.begin(), served.end(), static_cast<RobotId>(i)) != served.end());
            if (!options.map.empty()) server_.pass_over(ros_topic(options.map, names[i]), ros_type::grid);
            if (!options.path.empty()) server_.pass_over(ros_topic(options.path, names[i]), ros_type::path);
            if (!options.markers.empty()) server_.pass_over(ros_topic(options.markers, names[i]), ros_type::markers);
        }
        server_.offer("/tf", ros_type::transforms);
        server_.offer("/tf_static", ros_type::transforms,
                      [this](RosDialect dialect) { return transforms_json(0, dialect, mounts()); });
        server_.offer(clock_, ros_type::clock);
    }

    std::string place() const override { return server_.url() + " (rosbridge)"; }
    void publish(const ServedStep& step) override;
    void serve(std::chrono::milliseconds wait) override {
        server_.serve(wait);
        for (std::size_t i = 0; i < robots_.size(); ++i)
            controllers_[i].there = server_.publishers(robots_[i].command) > 0;
    }
    std::span<Controller> controllers() override { return controllers_; }
    std::vector<std::string> take_complaints() override { return server_.take_complaints(); }

  private:
    struct Served {
        Briefing briefing;
        std::string name, odom, command;
        std::vector<std::string> scans;
        std::set<int> warned;  ///< clients that asked for what the robot cannot do
    };

    void add_topics(std::size_t i, bool is_served) {
        const Served& robot = robots_[i];
        for (const std::string& scan : robot.scans) server_.offer(scan, ros_type::scan);
        if (!robot.briefing.me().mobile) return;
        server_.offer(robot.odom, ros_type::odometry);
        if (is_served)
            server_.accept(robot.command, ros_type::twist,
                           [this, i](int client, const Json& message) { take_twist(i, client, message); });
        else
            server_.accept(robot.command, ros_type::twist, {}, robot.name + " is driven by its own strategy");
    }
    void take_twist(std::size_t i, int client, const Json& message) {
        const RosTwist twist = read_twist(message);
        controllers_[i].velocity = twist.velocity;
        if (twist.sideways && robots_[i].warned.size() < 1000 && robots_[i].warned.insert(client).second)
            server_.warn(client, robots_[i].name + " follows linear.x and angular.z alone");
    }
    std::vector<TransformsMessage::Link> mounts() const;
    void publish_frames(const ServedStep& step);
    void publish_robot(std::size_t i, const ServedStep& step);

    std::vector<Served> robots_;
    std::string clock_;
    std::vector<Controller> controllers_;
    RosbridgeServer server_;
};

/// Where sensors are mounted, and where odometry began.
std::vector<TransformsMessage::Link> RosGateway::mounts() const {
    std::vector<TransformsMessage::Link> out;
    for (const Served& robot : robots_) {
        for (std::size_t k = 0; k < robot.briefing.sensors.size(); ++k)
            out.push_back(
                {ros_body_frame(robot.name), ros_sensor_frame(robot.name, k), robot.briefing.sensors[k].mount});
    }
    return out;
}

/// What the robots know themselves: where they began, and how far odometry says that they came. Not where they are.
void RosGateway::publish_frames(const ServedStep& step) {
    server_.publish("/tf", [&](RosDialect dialect) {
        std::vector<TransformsMessage::Link> links;
        for (std::size_t i = 0; i < robots_.size(); ++i) {
            const Served& robot = robots_[i];
            const std::string odometry = ros_odometry_frame(robot.name);
            links.push_back({ros_map_frame(robot.briefing.frame, robot.name), odometry, robot.briefing.start});
            links.push_back({odometry, ros_body_frame(robot.name), step.odometry[i]});
        }
        return transforms_json(step.time_s, dialect, links);
    });
}

/// In the order of time: scans along the way, each with the odometry of that moment, then the present ones.
void RosGateway::publish_robot(std::size_t i, const ServedStep& step) {
    const Served& robot = robots_[i];
    const auto odometry = [&](double time_s, const Pose& pose) {
        if (!robot.briefing.me().mobile) return;
        server_.publish(robot.odom, [&](RosDialect dialect) {
            return odometry_json({time_s, ros_odometry_frame(robot.name), dialect}, ros_body_frame(robot.name), pose,
                                 step.velocities[i]);
        });
    };
    const auto scan = [&](const Scan& taken) {
        const auto k = static_cast<std::size_t>(taken.sensor);
        server_.publish(robot.scans.at(k), [&](RosDialect dialect) {
            return scan_json({step.time_s - taken.age_s, ros_sensor_frame(robot.name, k), dialect},
                             robot.briefing.sensors[k], taken.ranges, robot.briefing.step_s);
        });
    };
    double age_s = 0;  // of the last scan along the way
    for (const Scan& taken : step.percepts[i].scans) {
        if (taken.age_s <= 0) continue;
        if (taken.age_s != age_s) odometry(step.time_s - taken.age_s, compose(step.odometry[i], taken.now_from_then));
        age_s = taken.age_s;
        scan(taken);
    }
    odometry(step.time_s, step.odometry[i]);
    for (const Scan& taken : step.percepts[i].scans)
        if (taken.age_s <= 0) scan(taken);
}

void RosGateway::publish(const ServedStep& step) {
    server_.set_time(step.time_s);
    publish_frames(step);
    for (std::size_t i = 0; i < robots_.size(); ++i)
        if (step.percepts[i].alive) publish_robot(i, step);
    server_.publish(clock_, [&](RosDialect dialect) { return clock_json(step.time_s, dialect); });
}

}  // namespace

std::unique_ptr<Gateway> make_ros_gateway(const std::string& address, int port, const std::vector<Briefing>& briefings,
                                          const std::vector<RobotId>& served, const LiveSection& options,
                                          std::vector<std::string> origins) {
    return std::make_unique<RosGateway>(address, port, briefings, served, options, std::move(origins));
}

}  // namespace outrider
