// A recorded run as a driver: the same robots meet the same percepts again, and no world is there.
#pragma once

#include <optional>
#include <vector>

#include "outrider/driver.hpp"

namespace outrider {

/// What crossed the waist in a run, in memory.
struct WaistLog {
    std::vector<Briefing> briefings;
    std::vector<std::vector<Percept>> percepts;   ///< by step, then robot
    std::vector<std::vector<Hash128>> decisions;  ///< hashes, by step, then robot
};

/// The first decision that differed from the recorded one.
struct Divergence {
    int step = 0;
    RobotId robot = 0;
};

class LogDriver final : public Driver {
  public:
    explicit LogDriver(const WaistLog& log) : log_(log) {}
    /// The recorded percepts of the next step; false after the last.
    bool sense(std::span<Percept> percepts) override;
    /// Compares with what was recorded, and plays on.
    void act(std::span<const Decision> decisions) override;

    const std::optional<Divergence>& divergence() const { return divergence_; }

  private:
    const WaistLog& log_;
    std::size_t next_ = 0;
    std::optional<Divergence> divergence_;
};

}  // namespace outrider
