// Records in memory what passes between the world and the robots, for a LogDriver.
#pragma once

#include "log/log_driver.hpp"
#include "messages/hashes.hpp"
#include "run/run.hpp"

namespace outrider {

class StepRecorder final : public Observer {
  public:
    explicit StepRecorder(std::vector<Briefing> briefings) { log_.briefings = std::move(briefings); }
    void on_step(const StepView& view) override {
        log_.percepts.emplace_back(view.percepts.begin(), view.percepts.end());
        auto& decisions = log_.decisions.emplace_back();
        for (const Decision& d : view.decisions) {
            decisions.push_back(hash_of(d));
            log_.messages.insert(log_.messages.end(), d.outbox.begin(), d.outbox.end());
        }
    }
    const RecordedRun& log() const { return log_; }

  private:
    RecordedRun log_;
};

}  // namespace outrider
