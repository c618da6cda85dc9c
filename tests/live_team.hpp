// Two processes of a live team whose robots are no robots: for its logs.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "live/live_run.hpp"
#include "scenario/scenario.hpp"

namespace outrider {

/// A robot that drives as it is told and sees a wall half a metre away, all around.
class RoamingVehicle final : public Vehicle {
  public:
    explicit RoamingVehicle(double pace) : pace_(pace) {}
    void take(std::chrono::milliseconds wait, Readings& readings) override {
        constexpr double step_s = 0.02;
        time_s_ += step_s;
        pose_ = compose(pose_, {pace_ * forward_mps_ * step_s, 0, turn_radps_ * step_s});
        readings.odometry.push_back({time_s_, pose_});
        readings.sweeps.push_back({0, time_s_, {500, 500, 500}});
        if (wait.count() > 0) std::this_thread::yield();  // the relay has its turn
    }
    void drive(const Velocity& velocity) override {  // also by the watchdog, with nothing but zeros
        forward_mps_ = velocity.forward_mps;
        turn_radps_ = velocity.turn_radps;
    }
    bool connected() const override { return true; }
    std::vector<std::string> take_complaints() override { return {}; }

  private:
    double pace_;  ///< of what it is told
    Pose pose_;
    double time_s_ = 0;
    std::atomic<double> forward_mps_{0}, turn_radps_{0};
};

/// Robots 1 and 2 of a scenario that write logs, full ones, into a folder.
struct LiveTeam {
    std::vector<std::string> logs;

    /// The second one is started `later` steps after the first one.
    LiveTeam(const Scenario& scenario, const std::string& folder, bool with_relay, int later, int steps, double pace) {
        using namespace std::chrono_literals;
        RelayServer relay({}, {"base", "r1", "r2"});
        std::atomic<bool> over{false}, interrupted{false};
        std::thread serving([&] {
            while (!over) relay.serve(1ms);
        });
        std::vector<std::unique_ptr<LiveRun>> runs;
        for (RobotId robot = 1; robot <= 2; ++robot) {
            std::vector<LiveMember> members(1);
            members[0].robot = robot;
            members[0].vehicle = std::make_unique<RoamingVehicle>(pace);
            logs.push_back(fmt::format("{}/r{}.sqlite", folder, robot));
            runs.push_back(std::make_unique<LiveRun>(scenario, make_briefings(scenario), std::move(members),
                                                     RelayAccess{with_relay ? relay.url() : "", {}}, 0s, logs.back(),
                                                     LogLevel::full, interrupted));
        }
        for (int step = 0; step < steps; ++step)
            for (std::size_t k = 0; k < 2; ++k)
                if (k == 0 || step >= later) runs[k]->step();
        for (const auto& run : runs) run->finish(EndReason::step_limit);
        over = true;
        serving.join();
    }
};

}  // namespace outrider
