// The loop: sense, decide, act, observe.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "messages/driver.hpp"
#include "robot/robot.hpp"
#include "run/end_reason.hpp"

namespace outrider {

/// Everything that happened in a step, after the step. Valid during the call.
struct StepView {
    int step = 0;
    std::span<const Percept> percepts;
    std::span<const Decision> decisions;
    std::span<const Robot> team;
    std::span<const Hash128> robot_hashes;  ///< of each robot's percept, decision and belief
    Hash128 hash;                           ///< of all of them
};

/// Hash of what a robot perceived, decided and believes.
Hash128 hash_robot(const Percept& percept, const Decision& decision, const Robot& robot);

class Observer {
  public:
    virtual ~Observer() = default;
    virtual void on_step(const StepView& view) = 0;
};

struct RunLimits {
    int steps = 3000;
    int last_order = -1;              ///< step of an operator's last order: until then robots that are done wait for it
    std::function<bool()> stop_rule;  ///< asked after each step; none: never
    const std::atomic<bool>* interrupted = nullptr;
};

/// Seconds of wall time spent in each part; never part of a decision, a digest or a comparison.
struct Timing {
    double sense_s = 0, decide_s = 0, act_s = 0, observe_s = 0;
    std::vector<float> steps_cpu_s;  ///< of each step: CPU time of the process, independent of other load
    struct Longest {
        double seconds = 0;
        int step = -1;
    };
    std::vector<Longest> longest_part;  ///< by robot: the longest that it took to take in a step and decide
};

/// A run in progress.
struct Run {
    Driver& driver;
    std::span<Robot> team;
    std::vector<Observer*> observers;
    RunLimits limits;

    std::vector<Percept> percepts{};
    std::vector<Decision> decisions{};
    std::vector<Hash128> robot_hashes{};
    int steps = 0;                            ///< done so far
    int all_done = 0;                         ///< steps in a row in which every robot was done
    std::optional<double> perceived_cpu_s{};  ///< between perceive() and act(): CPU time of the first
    Hash128 hash{};                           ///< of the last step
    Hash128 digest{};                         ///< of all step hashes so far
    Timing timing{};

    /// The same in a copy of the run; its rule to stop is left out.
    Run on(Driver& copied, std::span<Robot> copies, std::vector<Observer*> watching) const;
};

/// The last step of a run that has done one.
StepView last_step(const Run& run);

/// Runs one step; returns the reason when the run has ended.
std::optional<EndReason> step(Run& run);
/// The same step in halves, for those who decide in between. First all robots take in what they perceive; false: there
/// is nothing left to perceive (a log that ends), and the run is over.
bool perceive(Run& run);
/// Then all of them decide and move. CHECK: perceive() was called before.
std::optional<EndReason> act(Run& run);
/// Runs all steps.
EndReason run_to_end(Run& run);

}  // namespace outrider
