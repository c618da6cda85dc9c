// Running a log again: its scenario, its map, its seed; every step is compared with the log.
#pragma once

#include <optional>

#include "log/log_driver.hpp"
#include "log/log_reader.hpp"
#include "run/run.hpp"
#include "simulation/simulation.hpp"

namespace outrider {

/// Compares the hashes of a run with those of a log as it goes.
class HashCheck final : public Observer {
  public:
    explicit HashCheck(const LogSteps& log) : log_(log) {}
    void on_step(const StepView& view) override;
    const std::optional<Divergence>& divergence() const { return divergence_; }
    int compared() const { return compared_; }

  private:
    const LogSteps& log_;
    std::size_t next_ = 0;
    int compared_ = 0;
    std::optional<Divergence> divergence_;
};

}  // namespace outrider
