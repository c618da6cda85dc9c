// Robots that fail, and those that die at a step.
#pragma once

#include "features/failures/failures.hpp"
#include "simulator/world_part.hpp"

namespace outrider {

struct Scenario;

class FailingRobots final : public Copied<FailingRobots, WorldPart> {
  public:
    /// failures: all of the run; there may be none by chance.
    FailingRobots(std::vector<Failure> failures, std::size_t robots);
    void begin(WorldState& state) override;
    void on_air(const WorldState& state, std::span<Transceiver> radios, std::span<const Outbox> sent) override;
    bool limit(const WorldState& state, RobotId robot, Command& command) const override;

    const std::vector<Failure>& failures() const { return failures_; }
    /// What is wrong with a robot in this step.
    const Faults& faults(RobotId robot) const { return faults_[static_cast<std::size_t>(robot)]; }

  private:
    std::vector<Failure> failures_;
    std::vector<std::vector<Failure>> by_robot_;
    std::vector<Faults> faults_;
};

/// Whether a robot can fail otherwise than by dies_at_step.
bool can_fail(const Scenario& s);
/// All failures of the run: by chance, then the events.
std::vector<Failure> failures_of(const Scenario& s);

/// Robots that are out of service from a step on.
class DyingRobots final : public Copied<DyingRobots, WorldPart> {
  public:
    /// steps: by robot; -1: never.
    explicit DyingRobots(std::vector<int> at_steps) : steps_(std::move(at_steps)) {}
    void begin(WorldState& state) override;

  private:
    std::vector<int> steps_;
};

}  // namespace outrider
