// Robots that are not simulated here as a driver: their sensors become percepts, decisions become velocities, and
// messages travel over a relay.
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "live/complaints.hpp"
#include "live/message_link.hpp"
#include "live/steering.hpp"
#include "live/vehicle.hpp"
#include "messages/driver.hpp"
#include "messages/live_options.hpp"
#include "messages/operator_options.hpp"
#include "radio/links.hpp"
#include "run/run.hpp"

namespace outrider {

/// One of the robots that this process decides for.
struct LiveMember {
    RobotId robot = 0;
    std::unique_ptr<Vehicle> vehicle;  ///< nullptr: it has no body that drives, such as a base station
    double odometry_share = 0;         ///< its errors: NoiseOptions::odometry_share
};

class LiveDriver final : public Driver {
  public:
    /// `briefings`: of the whole team; they outlive this. Robots that are no members are not here: their percepts say
    /// that they are not alive. `relay`: what carries messages; without a URL: members talk to nobody. When no robot
    /// was reached for so long as `give_up` says (0: never), or `interrupted` is set, there is nothing more to sense.
    LiveDriver(const std::vector<Briefing>& briefings, const LiveSection& options, std::vector<LiveMember> members,
               const RelayAccess& relay, std::chrono::duration<double> give_up, const std::atomic<bool>& interrupted);
    ~LiveDriver() override;

    /// Waits for the next step, then takes what arrived; before the first one, until each robot has said something. A
    /// sensor that said nothing is an empty list. With the robots' own clock, waits until all that are connected said
    /// that the next step has come; in lock-step also for the messages of that step. False: it is over.
    bool sense(std::span<Percept> percepts) override;
    /// Sends velocities and messages. With this machine's clock, robots stop when no newer command comes for valid_s;
    /// with their own, for ten seconds.
    void act(std::span<const Decision> decisions) override;
    /// Gives an operator's order for a robot; it is part of its next percept, or by radio of the first base station's,
    /// which passes it on. The percept is one of a member's.
    void command(RobotId robot, OperatorCommand command, OrdersThrough through);
    /// Those who look on at what the first base station knows; nullptr: it is no member, or on no relay.
    Viewers* viewers();
    /// After the decisions of a step: shows people what the members know.
    void show(std::span<const Robot> team, std::span<const Decision> decisions);

    /// Messages as they came in this step, by robot: for the log.
    std::span<const std::vector<std::string>> frames() const { return frames_; }
    /// Pairs of members and others that were heard in this step.
    const std::vector<Link>& links() const { return links_; }
    /// Whether no robot was reached for too long.
    bool gave_up() const;
    /// What went wrong since the last call, with the robot's name; much of it is only counted.
    std::vector<std::string> take_complaints();

  private:
    using Clock = std::chrono::steady_clock;
    struct Body;
    bool wait_for_step();
    bool wait_for_first_news();
    void take_news(Body& body, std::chrono::milliseconds wait);
    void wait_for_robots();
    void perceive(Body& body, Percept& percept);
    void see(Body& body, std::vector<Readings::Find> finds, Percept& percept);
    void hear(Body& body, Percept& percept);
    void command(Body& body, const Velocity& velocity);
    void complain(const Body& body, const std::string& what);
    void watch();

    const std::vector<Briefing>& briefings_;
    LiveSection options_;
    std::chrono::duration<double> give_up_;
    const std::atomic<bool>& interrupted_;
    std::vector<std::unique_ptr<Body>> bodies_;
    std::vector<std::vector<std::string>> frames_;  // by robot
    std::vector<Link> links_;
    std::map<RobotId, std::vector<OperatorCommand>> orders_;
    Complaints complaints_{50};
    int step_ = -1;
    Clock::time_point reached_;  // when a robot was last connected
    Clock::time_point next_;     // own clock: when the next step begins
    // Stops robots whose command is no longer valid.
    std::mutex mutex_;
    std::condition_variable ended_;
    bool end_ = false;
    std::thread watchdog_;
};

}  // namespace outrider
