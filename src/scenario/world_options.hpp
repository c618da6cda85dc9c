// Sections of a scenario that say what happens by chance: [failure], [changes], [crowd].
#pragma once

#include <array>
#include <string_view>

#include "outrider/options.hpp"

namespace outrider {

/// dead: out of service for good. stuck: does not move. deaf: neither hears nor is heard. blind: its sensors say
/// nothing. slow: moves at 0.3 times the speed that it wants.
enum class FailureKind : std::uint8_t { dead, stuck, deaf, blind, slow };
inline constexpr std::array<std::string_view, 5> failure_kind_names{"dead", "stuck", "deaf", "blind", "slow"};

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

/// Doors and rubble by chance.
struct ChangesOptions {
    double doors_per_hour = 0;
    double door_m = 1.5;
    double debris_per_hour = 0;
    void fields(Fields& f) {
        f("doors_per_hour", doors_per_hour, 0, 1e5,
          "how often each door of the map closes, or opens again, in an hour of simulated time: exponential times");
        f("door_m", door_m, 0.1, 20, "a narrow place between two wider ones is a door when it is no wider than this");
        f("debris_per_hour", debris_per_hour, 0, 1e6,
          "how often a heap of 0.2 to 0.6 m falls beside a wall, somewhere on the map");
    }
    bool any() const { return doors_per_hour > 0 || debris_per_hour > 0; }
};

enum class Walk { path, random };
inline constexpr std::array<std::string_view, 2> walk_names{"path", "random"};

struct CrowdOptions {
    int people = 0;
    Walk walk = Walk::path;
    double speed_mps = 1.2;
    double radius_m = 0.25;
    int doubt_steps = 5;
    void fields(Fields& f) {
        f("people", people, 0, 10'000, "people who walk to and fro, whatever robots, doors and rubble do");
        f("walk", walk, walk_names,
          "path: the shortest ways between four places drawn at random; random: straight on until something is in the "
          "way, then in another direction");
        f("speed_mps", speed_mps, 0, 20, "of each of them");
        f("radius_m", radius_m, 0.05, 2, "of the disc that scans see");
        f("doubt_steps", doubt_steps, 0, 1000,
          "with people, or robots that are seen (body.seen): a wall where free space was known counts when it is still "
          "seen so many steps later; 0: at once");
    }
};

}  // namespace outrider
