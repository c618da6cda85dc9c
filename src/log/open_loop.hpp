// Another strategy on the percepts of an old log: an open loop, since its decisions have no effect.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <vector>

#include "log/log_driver.hpp"
#include "log/replay.hpp"

namespace outrider {

struct OpenLoop {
    int steps = 0;
    std::vector<Differences> robots;  ///< by number
    int first = -1;                   ///< step of the first different decision; -1: there is none
    std::vector<RobotId> first_robots;
    bool cut_short = false;    ///< by a damaged chunk of the log
    bool interrupted = false;  ///< it ends after `steps`
};

/// A step: the robots that decide now, and whether each decided differently than in the log.
using OpenLoopStep = std::function<void(const StepView& view, const std::vector<std::uint8_t>& differs)>;

/// Plays the log from its first step on to robots with the strategies of `scenario` (else that of the log), without a
/// world. `then` stands at the same step when `on_step` is called. `overlays`: whether anybody uses overlays.
OpenLoop run_open_loop(Replay& then, const Scenario& scenario, const OpenLoopStep& on_step, bool overlays = false,
                       const std::atomic<bool>* interrupted = nullptr);

}  // namespace outrider
