#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "live/rosbridge/ros_messages.hpp"
#include "live/rosbridge/rosbridge.hpp"
#include "live/rosbridge/rosbridge_server.hpp"
#include "live/rosbridge/shown.hpp"
#include "log/viewers/aims.hpp"
#include "log/viewers/map_follower.hpp"
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
            Served& robot = robots_.emplace_back(Served{.briefing = briefings[i], .name = names[i]});
            robot.odom = ros_topic(options.odom, names[i]);
            robot.command = ros_topic(options.command, names[i]);
            for (std::size_t k = 0; k < briefings[i].sensors.size(); ++k)
                robot.scans.push_back(ros_scan_topic(options.scan, names[i], k));
            add_topics(i, std::find(served.begin(), served.end(), static_cast<RobotId>(i)) != served.end());
            add_shown(i, options);
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
        for (std::size_t i = 0; i < robots_.size(); ++i) {
            controllers_[i].there = server_.publishers(robots_[i].command) > 0;
            controllers_[i].listened = !listeners(i).empty();
        }
    }
    std::span<Controller> controllers() override { return controllers_; }
    void remind(RobotId robot) override {
        const Served& asked = robots_[static_cast<std::size_t>(robot)];
        for (const int client : listeners(static_cast<std::size_t>(robot)))
            server_.warn(client, fmt::format("it listens to {}, and is taken for one that will drive; who drives says "
                                             "so when it advertises {}, or publishes to it",
                                             asked.name, asked.command));
    }
    std::vector<std::string> take_complaints() override { return server_.take_complaints(); }

  private:
    struct Served {
        Briefing briefing;
        std::string name, odom = {}, command = {}, map = {}, path = {}, markers = {};
        std::vector<std::string> scans = {};
        std::set<int> warned = {};  ///< clients that asked for what the robot cannot do
        bool driven_here = false;   ///< by its own strategy
        MapFollower follower = {};
        double shown_s = -1;  ///< when path and markers were
    };

    void add_topics(std::size_t i, bool is_served) {
        Served& robot = robots_[i];
        robot.driven_here = !is_served;
        for (const std::string& scan : robot.scans) server_.offer(scan, ros_type::scan);
        if (!robot.briefing.me().mobile) return;
        server_.offer(robot.odom, ros_type::odometry);
        if (is_served)
            server_.accept(robot.command, ros_type::twist,
                           [this, i](int client, const Json& message) { take_twist(i, client, message); });
        else
            server_.accept(robot.command, ros_type::twist, {}, robot.name + " is driven by its own strategy");
    }
    void add_shown(std::size_t i, const LiveSection& options);
    /// Clients that get its scans.
    std::vector<int> listeners(std::size_t i) const {
        std::vector<int> out;
        for (const std::string& scan : robots_[i].scans)
            for (const int client : server_.subscribers(scan))
                if (std::find(out.begin(), out.end(), client) == out.end()) out.push_back(client);
        return out;
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
    void publish_belief(std::size_t i, double time_s);
    RosHeader header_of(const Served& robot, const Belief& belief, RosDialect dialect) const {
        return {time_s_, ros_map_frame(belief.map().frame(), robot.name), dialect};
    }
    std::string map_of(std::size_t i, RosDialect dialect) const;

    std::vector<Served> robots_;
    std::string clock_;
    double time_s_ = 0;
    std::vector<const Belief*> beliefs_;  // by robot, once there was a step
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

/// The map of each robot as its core here draws it; its path and markers as who decides for it shows them.
void RosGateway::add_shown(std::size_t i, const LiveSection& options) {
    Served& robot = robots_[i];
    const bool drives = robot.briefing.me().mobile;
    if (drives || i == 0) {
        robot.map = drives ? "/" + robot.name + "/map" : "/map";
        server_.offer(robot.map, ros_type::grid, [this, i](RosDialect dialect) { return map_of(i, dialect); });
    }
    const std::string own_map = options.map.empty() ? "" : ros_topic(options.map, robot.name);
    if (!own_map.empty() && own_map != robot.map) server_.pass_over(own_map, ros_type::grid);
    const auto add = [&](const std::string& pattern, std::string_view type, std::string& topic) {
        if (pattern.empty()) return;
        topic = ros_topic(pattern, robot.name);
        robot.driven_here ? server_.offer(topic, type) : server_.pass_on(topic, type);
    };
    add(options.path, ros_type::path, robot.path);
    add(options.markers, ros_type::markers, robot.markers);
}

/// Empty: nothing is known yet.
std::string RosGateway::map_of(std::size_t i, RosDialect dialect) const {
    if (i >= beliefs_.size()) return "";
    const Belief& belief = *beliefs_[i];
    const std::optional<GridMessage> grid = grid_of(belief.map(), {0, 0});
    return grid ? grid_json(header_of(robots_[i], belief, dialect), *grid) : "";
}

/// To who looks: the map when it changed enough; path and markers once in a second of the world.
void RosGateway::publish_belief(std::size_t i, double time_s) {
    Served& robot = robots_[i];
    const Belief& belief = *beliefs_[i];
    if (!robot.map.empty() && !server_.subscribers(robot.map).empty())
        if (const std::optional<GridMessage> grid = robot.follower.due(belief.map(), time_s, {0, 0}))
            server_.publish(robot.map,
                            [&](RosDialect dialect) { return grid_json(header_of(robot, belief, dialect), *grid); });
    if (robot.shown_s >= 0 && time_s - robot.shown_s < 1) return;
    robot.shown_s = time_s;
    const std::optional<Point> goal = belief.latest(belief.self()).goal;
    if (robot.driven_here && !robot.path.empty() && !server_.subscribers(robot.path).empty()) {
        const std::vector<Point> corners = goal ? corners_to(belief, *goal) : std::vector<Point>();
        server_.publish(robot.path,
                        [&](RosDialect dialect) { return path_json(header_of(robot, belief, dialect), corners); });
    }
    if (!robot.markers.empty() && server_.publishers(robot.markers) == 0 && robot.briefing.me().mobile)
        server_.publish(robot.markers, [&](RosDialect dialect) {
            return belief_markers_json(header_of(robot, belief, dialect), belief);
        });
}

void RosGateway::publish(const ServedStep& step) {
    server_.set_time(time_s_ = step.time_s);
    beliefs_.assign(step.beliefs.begin(), step.beliefs.end());
    publish_frames(step);
    for (std::size_t i = 0; i < robots_.size(); ++i) {
        if (!step.percepts[i].alive) continue;
        publish_robot(i, step);
        if (i < beliefs_.size()) publish_belief(i, step.time_s);
    }
    server_.publish(clock_, [&](RosDialect dialect) { return clock_json(step.time_s, dialect); });
}

}  // namespace

std::unique_ptr<Gateway> make_ros_gateway(const std::string& address, int port, const std::vector<Briefing>& briefings,
                                          const std::vector<RobotId>& served, const LiveSection& options,
                                          std::vector<std::string> origins) {
    return std::make_unique<RosGateway>(address, port, briefings, served, options, std::move(origins));
}

}  // namespace outrider
