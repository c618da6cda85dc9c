// A simulated run whose robots are driven by other programs: outrider serve.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "live/complaints.hpp"
#include "live/gateway.hpp"
#include "live/message_link.hpp"
#include "live/relay.hpp"
#include "simulation/simulation.hpp"

namespace outrider {

struct ServedOptions {
    std::vector<RobotId> served;  ///< driven by other programs; all others decide as the scenario says
    double speed = 0;             ///< times simulated time; 0: as fast as all controllers answer (lock-step)
    std::chrono::milliseconds patience{10000};  ///< with a controller that listens and does not drive yet; in lock-step
                                                ///< also with one that does not answer
    std::chrono::milliseconds left{10000};  ///< the run ends when all controllers have been gone for so long; 0: never
};

/// Robots that are driven by others draw maps and share them as every robot does: what the team knows is measured as
/// in every run, and the log is one like every other. What their controllers say of themselves over the relay (role,
/// words, done) counts as said by them.
class ServedWorld {
  public:
    /// Served robots of `sim` have the strategy `remote`. All outlive this; `relay` may be nullptr.
    ServedWorld(Simulation& sim, std::vector<Gateway*> gateways, RelayServer* relay, const ServedOptions& options);
    /// Waits until every served robot has a controller, and then for some seconds for those that use the relay; false:
    /// interrupted before. Who has listened to the scans of a robot that nobody drives for as long as `patience` counts
    /// as one that is about to drive: some controllers say nothing before a scan.
    /// `meanwhile` is called again and again.
    bool wait_for_controllers(const std::atomic<bool>& interrupted, const std::function<void()>& meanwhile);
    /// One step of all. False: the run is over.
    bool step(const std::atomic<bool>& interrupted);
    /// Served robots that nobody drives at present, or is about to.
    std::vector<RobotId> without_controller() const;
    /// Those who look on at what the first base station knows; nullptr: there is no relay.
    Viewers* viewers();
    /// What went wrong since the last call, and who came and left; the log notes it, too.
    std::vector<std::string> take_complaints();

  private:
    using Clock = std::chrono::steady_clock;
    void publish();
    void wait_for_answers(const std::atomic<bool>& interrupted);
    void serve(std::chrono::milliseconds wait);
    void set_intents();
    bool linked(RobotId from, RobotId to) const;
    const Controller* controller(RobotId robot) const;
    void look_for_listeners();
    bool all_gone();

    /// A robot that is decided for here, on the relay.
    struct Local {
        RobotId robot = 0;
        std::unique_ptr<MessageLink> link;
        std::vector<Received> inbox = {};
    };
    struct Served {
        RobotId robot = 0;
        Velocity velocity = {};
        int commanded = -1;                                 ///< step of the newest command
        Intent reported = {};                               ///< role, words, done as its controller last told
        bool met = false;                                   ///< somebody drove it at some time, or was about to
        bool expected = false;                              ///< somebody is about to drive it
        std::optional<Clock::time_point> listened_since{};  ///< somebody listens to it
    };
    bool driven(const Served& s) const { return s.expected || controller(s.robot); }

    Simulation& sim_;
    std::vector<Gateway*> gateways_;
    RelayServer* relay_;
    ServedOptions options_;
    std::vector<Served> served_;
    std::vector<Local> locals_;
    std::vector<Pose> odometry_;        // by robot
    std::vector<Velocity> velocities_;  // by robot: of the last step
    Complaints complaints_{50};
    Clock::time_point next_;                  // in real time: when the next step begins
    std::optional<Clock::time_point> alone_;  // since when there is no controller
};

}  // namespace outrider
