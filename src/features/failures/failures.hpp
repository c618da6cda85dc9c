// Robots that fail. All failures of a run follow from its scenario and seed before it begins: who, what, from when to
// when. Nobody is told; the others notice by silence.
#pragma once

#include <climits>
#include <cstdint>
#include <span>
#include <vector>

#include "features/failures/options.hpp"
#include "outrider/briefing.hpp"

namespace outrider {

struct Failure {
    static constexpr int for_good = INT_MAX;
    RobotId robot = 0;
    FailureKind kind = FailureKind::dead;
    int from = 0, until = for_good;  ///< steps; at `until` it is over
    bool operator==(const Failure&) const = default;
};

/// Failures by chance in `steps` steps of `step_s` seconds, by robot, then step: times between them and repairs are
/// exponential. `fails`: by robot, whether it can. No robot fails while it is failing.
std::vector<Failure> draw_failures(const FailureOptions& options, std::span<const std::uint8_t> fails, int steps,
                                   double step_s, std::uint64_t seed);

/// What is wrong with a robot in a step.
struct Faults {
    bool dead = false, stuck = false, deaf = false, blind = false, slow = false;
};
/// `failures`: those of the robot.
Faults faults_at(std::span<const Failure> failures, int step);

}  // namespace outrider
