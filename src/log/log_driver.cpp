#include "log/log_driver.hpp"

#include <algorithm>

#include "messages/hashes.hpp"

namespace outrider {

LogDriver::LogDriver(const RecordedRun& log)
    : LogDriver([&log, at = std::size_t{0}]() mutable -> std::optional<RecordedStep> {
          if (at == log.percepts.size()) return {};
          const std::size_t now = at++;
          return RecordedStep{log.percepts[now], log.decisions[now]};
      }) {}

bool LogDriver::sense(std::span<Percept> percepts) {
    const std::optional<RecordedStep> step = next_();
    if (!step) return false;
    OUTRIDER_CHECK(percepts.size(), ==, step->percepts.size());
    std::copy(step->percepts.begin(), step->percepts.end(), percepts.begin());
    recorded_.assign(step->decisions.begin(), step->decisions.end());
    differences_.resize(percepts.size());
    steps_.clear();
    for (const Percept& p : percepts) steps_.push_back(p.alive ? p.step : -1);
    return true;
}

void LogDriver::act(std::span<const Decision> decisions) {
    differs_.assign(decisions.size(), 0);
    for (std::size_t i = 0; i < decisions.size(); ++i) {
        if (steps_[i] < 0) continue;
        Differences& d = differences_[i];
        ++d.alive;
        if (hash_of(decisions[i]) == recorded_[i]) continue;
        differs_[i] = 1;
        ++d.steps;
        if (d.first < 0) d.first = steps_[i];
        if (!divergence_) divergence_ = {steps_[i], static_cast<RobotId>(i)};
    }
}

}  // namespace outrider
