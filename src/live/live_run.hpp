// The mission of robots that are not simulated here: outrider robot. What they perceive, say and decide is recorded as
// in a simulated run; the poses of the log are those that they believed to have.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "live/live_driver.hpp"
#include "live/live_orders.hpp"
#include "log/log_writer.hpp"
#include "metrics/metrics.hpp"
#include "scenario/scenario.hpp"

namespace outrider {

class LiveRun {
  public:
    /// `members`: the robots of the scenario that this process decides for. `relay`: what carries
    /// their messages; without a URL: they talk to nobody. `give_up`: see LiveDriver. `log_path`: empty for no log.
    LiveRun(Scenario scenario, std::vector<Briefing> briefings, std::vector<LiveMember> members,
            const RelayAccess& relay, std::chrono::duration<double> give_up, const std::string& log_path,
            LogLevel level, const std::atomic<bool>& interrupted);
    ~LiveRun();
    LiveRun(const LiveRun&) = delete;
    LiveRun& operator=(const LiveRun&) = delete;

    /// Whose orders the robots carry out; they outlive this. While some are still to come, it goes on.
    void obey(LiveOrders& orders);
    /// One step; the reason for the end when that was the last one: all robots of this process are done, and so are
    /// their team-mates as far as anything was heard of them lately.
    std::optional<EndReason> step();
    /// Finishes the log.
    void finish(EndReason reason);
    const Run& progress() const;
    const std::vector<Robot>& team() const;
    const Scenario& scenario() const;
    /// Whether it ended because no robot was reached for too long.
    bool gave_up() const;
    /// What went wrong since the last call; the log notes it, too.
    std::vector<std::string> take_complaints();

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

/// The scenario in a file that need not have a map: robots that are not simulated find their way in a world that nobody
/// knows. Their starts are then places in an empty square of `room_m` metres, x and y from its lower left corner.
Scenario live_scenario(const std::string& path, const std::vector<Setting>& over, double room_m, Notes& notes);

}  // namespace outrider
