// A recorded run as a driver: robots get the same percepts again, without a world. An open loop: their decisions do
// not change what they perceive.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "messages/driver.hpp"

namespace outrider {

/// What passed between the world and the robots in a step, by robot.
struct RecordedStep {
    std::span<const Percept> percepts;
    std::span<const Hash128> decisions;  ///< hashes
};

/// What passed between the world and the robots in a run, in memory.
struct RecordedRun {
    std::vector<Briefing> briefings;
    std::vector<std::vector<Percept>> percepts;            ///< by step, then robot
    std::vector<std::vector<Hash128>> decisions;           ///< hashes, by step, then robot
    std::vector<std::shared_ptr<const Message>> messages;  ///< that the percepts refer to
};

/// Where a run first differs from the recorded one.
struct Divergence {
    int step = 0;
    RobotId robot = -1;  ///< the first that differs; -1: the record has no hashes by robot
};

/// Steps in which a robot decided differently than in the log.
struct Differences {
    int steps = 0;   ///< number of such steps
    int first = -1;  ///< the first one; -1: none
    int alive = 0;   ///< number of steps in which it was in service
};

class LogDriver final : public Driver {
  public:
    /// `next` gives one step after the other, each valid until the next call, and nothing at the end.
    explicit LogDriver(std::function<std::optional<RecordedStep>()> next) : next_(std::move(next)) {}
    explicit LogDriver(const RecordedRun& log);
    /// The recorded percepts of the next step; false after the last.
    bool sense(std::span<Percept> percepts) override;
    /// Compares with the record and continues.
    void act(std::span<const Decision> decisions) override;

    const std::optional<Divergence>& divergence() const { return divergence_; }
    const std::vector<Differences>& differences() const { return differences_; }  ///< by robot
    /// Whether each robot decided differently in the last step.
    const std::vector<std::uint8_t>& differs() const { return differs_; }

  private:
    std::function<std::optional<RecordedStep>()> next_;
    std::vector<Hash128> recorded_;  // of the present step
    std::vector<int> steps_;         // its number; -1: out of service
    std::optional<Divergence> divergence_;
    std::vector<Differences> differences_;
    std::vector<std::uint8_t> differs_;
};

}  // namespace outrider
