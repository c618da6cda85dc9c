// A small team and what it perceives, for tests of the ways in which controllers of others reach it.
#pragma once

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <regex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "live/gateway.hpp"
#include "live/usarsim/usarsim.hpp"
#include "outrider/briefing.hpp"
#include "outrider/percept.hpp"
#include "tcp_peer.hpp"

namespace outrider {

/// A scanner of `beams` over `fov`, in front of the robot's centre and turned a little.
inline SensorSpec scanner(int beams, double fov, Pose mount = {0.1, 0.05, 0.2}) {
    SensorSpec spec;
    spec.mount = mount;
    spec.beams = beams;
    spec.first_angle = -fov / 2;
    spec.step_angle = beams > 1 ? fov / (beams - 1) : 0;
    spec.range_unit_m = 0.001;
    spec.max_range_m = 5.6;
    return spec;
}

/// A base and robots r1, r2, ... with one scanner each.
inline std::vector<Briefing> small_team(int robots, const SensorSpec& sensor) {
    auto members = std::make_shared<std::vector<TeamMember>>();
    for (int r = 0; r <= robots; ++r) {
        TeamMember member;
        member.id = r;
        member.name = r == 0 ? "base" : "r" + std::to_string(r);
        member.role = r == 0 ? Role::base : Role::explorer;
        member.mobile = r > 0;
        member.speed_mps = r == 0 ? 0 : 1.5;
        members->push_back(member);
    }
    std::vector<Briefing> out;
    for (int r = 0; r <= robots; ++r) {
        Briefing briefing;
        briefing.self = r;
        briefing.members = members;
        briefing.radius_m = 0.25;
        briefing.step_s = 0.2;
        briefing.mission_steps = 3000;
        briefing.start = {1.0 * r, 2, radians(90)};
        if (r > 0) briefing.sensors = {sensor};
        out.push_back(briefing);
    }
    return out;
}

/// What a gateway is told, step by step.
struct SmallWorld {
    explicit SmallWorld(std::size_t robots) : percepts(robots), odometry(robots), poses(robots), velocities(robots) {}

    int step = 0;
    std::vector<Percept> percepts;
    std::vector<Pose> odometry, poses;
    std::vector<Link> links;
    std::vector<Velocity> velocities;

    void publish(Gateway& gateway) {
        ++step;
        gateway.publish({step, step * 0.2, percepts, odometry, poses, links, velocities});
    }
};

/// Does something until it gives true, for at most half a minute.
inline bool eventually(const std::function<bool()>& done) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (std::chrono::steady_clock::now() < end)
        if (done()) return true;
    return false;
}

/// The port after "127.0.0.1:", of the n-th place.
inline int port_of(const Gateway& gateway, int n = 0) {
    const std::string place = gateway.place();
    static const std::regex number(R"(127\.0\.0\.1:(\d+))");
    auto at = std::sregex_iterator(place.begin(), place.end(), number);
    std::advance(at, n);
    return std::stoi((*at)[1]);
}

/// A gateway on free ports, and who speaks to it: base and robots, of which all robots are served.
struct Served {
    explicit Served(int robots, const SensorSpec& sensor, LiveSection o = {}, int old_radio = -1)
        : options(std::move(o)), briefings(small_team(robots, sensor)), world(briefings.size()) {
        for (RobotId r = 1; r <= robots; ++r) served.push_back(r);
        gateway = make_usar_gateway("127.0.0.1", {0, 0, old_radio}, briefings, served, options);
    }
    std::unique_ptr<Vehicle> vehicle(RobotId robot) {
        return make_usar_vehicle("127.0.0.1", port_of(*gateway), briefings[static_cast<std::size_t>(robot)], options);
    }
    /// Serves until this has heard something, which takes a thread of its own.
    std::string served_meanwhile(const std::function<std::string()>& hear) {
        std::string heard;
        std::atomic<bool> done{false};
        std::thread hearing([&] {
            heard = hear();
            done = true;
        });
        CHECK(eventually([&] {
            gateway->serve(std::chrono::milliseconds(5));
            return done.load();
        }));
        if (!done) gateway.reset();  // ends all connections
        hearing.join();
        return heard;
    }
    /// What a client says, and the answer: the next line that begins so.
    std::string ask(TcpPeer& peer, const std::string& text, const std::string& begin) {
        REQUIRE(peer.say(text + "\r\n"));
        return served_meanwhile([&] { return peer.hear_until(begin); });
    }
    std::optional<Velocity> next_velocity(RobotId robot) {
        Controller& controller = gateway->controllers()[static_cast<std::size_t>(robot)];
        controller.velocity.reset();
        eventually([&] {
            gateway->serve(std::chrono::milliseconds(5));
            return controller.velocity.has_value();
        });
        return std::exchange(controller.velocity, std::nullopt);
    }
    /// All that the vehicle hears up to the time of the newest step.
    Readings hear(Vehicle& vehicle) {
        Readings readings;
        CHECK(eventually([&] {
            gateway->serve(std::chrono::milliseconds(1));
            vehicle.take(std::chrono::milliseconds(5), readings);
            return readings.time_s && *readings.time_s > world.step * 0.2 - 1e-3;
        }));
        return readings;
    }
    std::string complaints() {
        std::string all;
        for (const std::string& complaint : gateway->take_complaints()) all += complaint + "\n";
        return all;
    }

    LiveSection options;
    std::vector<Briefing> briefings;
    std::vector<RobotId> served;
    SmallWorld world;
    std::unique_ptr<Gateway> gateway;
};

}  // namespace outrider
