// The operator of a batch run: confirms and declines what robots report, knows the truth, and errs.
#pragma once

#include <optional>
#include <vector>

#include "log/events.hpp"
#include "run/run.hpp"
#include "scenario/scenario.hpp"
#include "simulator/victim_sensor.hpp"

namespace outrider {

class VictimOperator {
  public:
    explicit VictimOperator(const Scenario& scenario) : options_(scenario.finding), seed_(scenario.run.seed) {}
    /// After a step: orders for the first base station. Those of people count only with victims.replies = operator.
    std::vector<OperatorCommand> reply(const StepView& last, const std::vector<Victim>& truth);
    bool replies() const { return options_.replies == VictimReplies::model; }

  private:
    VictimOptions options_;
    std::uint64_t seed_;
    std::vector<int> learned_at_;  // by number of the base station's list
};

/// Whether this decides about somebody who was found.
bool decides_victim(const OperatorCommand& command);

}  // namespace outrider
