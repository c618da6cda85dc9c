// Robots that fail. All failures of a run follow from its scenario and seed before it begins: who, what, from when to
// when. Nobody is told; the others notice by silence.
#pragma once

#include <array>
#include <climits>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "outrider/briefing.hpp"
#include "outrider/options.hpp"
#include "outrider/rng.hpp"

namespace outrider {

/// dead: out of service for good. stuck: does not move. deaf: neither hears nor is heard. blind: its sensors say
/// nothing. slow: moves at 0.3 times the speed that it wants.
enum class FailureKind : std::uint8_t { dead, stuck, deaf, blind, slow };
inline constexpr std::array<std::string_view, 5> failure_kind_names{"dead", "stuck", "deaf", "blind", "slow"};
inline constexpr double slow_share = 0.3;

/// soccer_2008: robots of a soccer team of five stand still 20 % of the time, a minute at a time. 0 to 5 of them ran
/// 0.3, 4.5, 3.5, 16.1, 39.3 and 36.3 % of the time at the world championship of 2008.
enum class FailurePreset { none, soccer_2008 };
inline constexpr std::array<std::string_view, 2> failure_preset_names{"none", "soccer_2008"};

struct FailureOptions {
    FailurePreset preset = FailurePreset::none;
    double rate_per_hour = 0;
    double repair_steps = 0;
    std::array<double, failure_kind_names.size()> weights{1, 1, 1, 1, 1};  ///< by kind
    void fields(Fields& f) {
        f("preset", preset, failure_preset_names,
          "values of known teams, which the other options change: soccer_2008, robots that stand still a fifth of the "
          "time");
        f("rate_per_hour", rate_per_hour, 0, 1e6,
          "failures of a mobile robot in an hour of simulated time, while nothing is wrong with it; 0: none");
        f("repair_steps", repair_steps, 0, 1e9, "after which one ends, mean; a dead robot stays so; 0: never");
        f("dead", weights[0], 0, 1e6, "how often it is out of service then, relative to the others");
        f("stuck", weights[1], 0, 1e6, "how often it does not move any more");
        f("deaf", weights[2], 0, 1e6, "how often it neither hears nor is heard");
        f("blind", weights[3], 0, 1e6, "how often its sensors say nothing");
        f("slow", weights[4], 0, 1e6, "how often it moves at 0.3 times its speed");
    }
    /// Sets all other fields to those of the preset.
    void apply_preset() {
        if (preset != FailurePreset::soccer_2008) return;
        rate_per_hour = 15.3;  // a minute each, and 235 seconds between them
        repair_steps = 60;
        weights = {0, 1, 0, 0, 0};
    }
};

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
