// Robots that fail, in a scenario: by chance, [failure], or surely, [[event]].
#pragma once

#include <array>
#include <climits>
#include <string>
#include <string_view>

#include "messages/feature_options.hpp"

namespace outrider {

/// dead: out of service for good. stuck: does not move. deaf: neither receives nor is received. blind: its sensors say
/// nothing. slow: moves at 0.3 times the speed that it wants.
enum class FailureKind : std::uint8_t { dead, stuck, deaf, blind, slow };
inline constexpr std::array<std::string_view, 5> failure_kind_names{"dead", "stuck", "deaf", "blind", "slow"};

/// A failure that is sure to happen: [[event]].
struct EventEntry {
    std::string robot;
    int step = 0, until = -1;
    FailureKind kind = FailureKind::dead;
    std::string where;  ///< in which file and line it stands; for messages
    void fields(Fields& f) {
        f("robot", robot, "name of the robot or base station that fails");
        f("step", step, 0, INT_MAX - 1, "from this step on");
        f("kind", kind, failure_kind_names,
          "dead: out of service for good; stuck: does not move; deaf: neither receives nor is received; blind: its "
          "sensors "
          "say nothing; slow: moves at 0.3 times its speed");
        f("until", until, -1, INT_MAX - 1, "the step at which it is over; -1: never");
    }
};

/// soccer_2008: robots of a soccer team of five stand still 20 % of the time, a minute at a time. 0 to 5 of them ran
/// 0.3, 4.5, 3.5, 16.1, 39.3 and 36.3 % of the time at the world championship of 2008.
enum class FailurePreset { none, soccer_2008 };
inline constexpr std::array<std::string_view, 2> failure_preset_names{"none", "soccer_2008"};

struct FailureOptions final : FeatureOptionsOf<FailureOptions> {
    FailurePreset preset = FailurePreset::none;
    double rate_per_hour = 0;
    double repair_steps = 0;
    std::array<double, failure_kind_names.size()> weights{1, 1, 1, 1, 1};  ///< by kind
    void fields(Fields& f) override {
        f("preset", preset, failure_preset_names,
          "values of known teams, which the other options change: soccer_2008, robots that stand still a fifth of the "
          "time");
        f("rate_per_hour", rate_per_hour, 0, 1e6,
          "failures of a mobile robot in an hour of simulated time, while nothing is wrong with it; 0: none");
        f("repair_steps", repair_steps, 0, 1e9, "after which one ends, mean; a dead robot stays so; 0: never");
        f("dead", weights[0], 0, 1e6, "how often it is out of service then, relative to the others");
        f("stuck", weights[1], 0, 1e6, "how often it does not move any more");
        f("deaf", weights[2], 0, 1e6, "how often it neither receives nor is received");
        f("blind", weights[3], 0, 1e6, "how often its sensors say nothing");
        f("slow", weights[4], 0, 1e6, "how often it moves at 0.3 times its speed");
    }
    bool any() const override { return rate_per_hour > 0; }
    bool in_every_scenario() const override { return true; }
    void apply_preset() override {
        if (preset != FailurePreset::soccer_2008) return;
        rate_per_hour = 15.3;  // a minute each, and 235 seconds between them
        repair_steps = 60;
        weights = {0, 1, 0, 0, 0};
    }
};

}  // namespace outrider
