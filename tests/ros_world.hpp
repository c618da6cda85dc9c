// A made-up team behind a rosbridge gateway, for tests: a base, and the robots "r1" and "r 2" (r_2 in topics).
#pragma once

#include <doctest/doctest.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "live/gateway.hpp"
#include "live/rosbridge/rosbridge.hpp"
#include "outrider/rng.hpp"

namespace outrider {

struct RosWorld {
    explicit RosWorld(const LiveSection& options = {}, std::vector<RobotId> served = {1}) {
        auto members = std::make_shared<std::vector<TeamMember>>();
        for (RobotId id = 0; id < 3; ++id) {
            TeamMember member;
            member.id = id;
            member.name = id == 0 ? "base" : id == 1 ? "r1" : "r 2";
            member.role = id == 0 ? Role::base : Role::explorer;
            member.mobile = id > 0;
            members->push_back(member);
        }
        SensorSpec laser;
        laser.first_angle = radians(-90);
        laser.step_angle = radians(1);
        laser.beams = 181;
        laser.max_range_m = 8;
        SensorSpec rear = laser;
        rear.mount = {-0.2, 0, pi};
        rear.beams = 50;
        for (RobotId id = 0; id < 3; ++id) {
            Briefing briefing;
            briefing.self = id;
            briefing.members = members;
            briefing.step_s = 0.5;
            briefing.start = {1.0 * id, 2, 0.5};
            if (id > 0) briefing.sensors = {laser};
            if (id == 1) briefing.sensors.push_back(rear);
            briefings.push_back(briefing);
        }
        percepts.resize(3);
        odometry.resize(3);
        poses.resize(3);
        velocities.resize(3);
        gateway = make_ros_gateway("127.0.0.1", 0, briefings, served, options);
    }
    std::string url() const {
        const std::string place = gateway->place();
        return place.substr(0, place.find(' '));
    }
    /// New scans and poses, and tells clients of them.
    void step() {
        sense();
        publish();
    }
    void sense() {
        ++number;
        Rng rng(1, 0, Purpose::range, number);
        for (std::size_t i = 0; i < 3; ++i) {
            percepts[i].step = number;
            percepts[i].scans.clear();
            for (std::size_t k = 0; k < briefings[i].sensors.size(); ++k) {
                Scan scan;
                scan.sensor = static_cast<int>(k);
                for (int b = 0; b < briefings[i].sensors[k].beams; ++b)
                    scan.ranges.push_back(rng.uniform() < 0.2   ? Scan::nothing
                                          : rng.uniform() < 0.2 ? Scan::no_information
                                                                : static_cast<std::uint16_t>(rng.uniform(1, 8001)));
                percepts[i].scans.push_back(scan);
            }
            odometry[i] = {10 * rng.normal(), 10 * rng.normal(), wrap_angle(rng.normal())};
            velocities[i] = {rng.normal(), rng.normal()};
        }
    }
    void publish() { gateway->publish({number, time_s(), percepts, odometry, poses, links, velocities}); }
    double time_s() const { return 0.5 * number; }

    std::vector<Briefing> briefings;
    std::vector<Percept> percepts;
    std::vector<Pose> odometry, poses;
    std::vector<Link> links;
    std::vector<Velocity> velocities;
    int number = 0;
    std::unique_ptr<Gateway> gateway;
};

/// Serves until `done` says so, for at most some twenty seconds.
template <class Done>
bool serve_until(Gateway& gateway, Done&& done) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!done()) {
        if (std::chrono::steady_clock::now() > end) return false;
        gateway.serve(std::chrono::milliseconds(5));
    }
    return true;
}

inline bool contains(const std::vector<std::string>& lines, const std::string& part) {
    for (const std::string& line : lines)
        if (line.find(part) != std::string::npos) return true;
    return false;
}

}  // namespace outrider
