// People to be found: how robots sense them, and who decides about reports of them. The section [victims].
#pragma once

#include <array>
#include <string_view>

#include "messages/feature_options.hpp"

namespace outrider {

enum class VictimSensor { tag, parts, thermal, both, all };
inline constexpr std::array<std::string_view, 5> victim_sensor_names{"tag", "parts", "thermal", "both", "all"};
enum class VictimReplies { model, person };
inline constexpr std::array<std::string_view, 2> victim_replies_names{"model", "operator"};
enum class ThermalLooks { never, alone, always };
inline constexpr std::array<std::string_view, 3> thermal_looks_names{"never", "alone", "always"};

enum class VictimStatus { responsive, unconscious, dead };
inline constexpr std::array<std::string_view, 3> victim_status_names{"responsive", "unconscious", "dead"};

struct VictimOptions final : FeatureOptionsOf<VictimOptions> {
    int count = 0;
    int decoys = 0;
    VictimSensor sensor = VictimSensor::tag;
    double false_rate = 0.01;
    VictimReplies replies = VictimReplies::model;
    int reply_steps = 5;
    double accuracy = 0.95;
    bool clearing = false;
    ThermalLooks looks = ThermalLooks::alone;
    bool unlisted = false;
    void fields(Fields& f) override {
        f("count", count, 0, 10'000,
          "people to be found at random places that can be reached, besides those of [[victim]]");
        f("decoys", decoys, 0, 10'000,
          "warm things at random places that are nobody; thermal sensors take them for people");
        f("sensor", sensor, victim_sensor_names,
          "how robots sense them: tags that answer within 5 m in line of sight; parts of bodies that a camera sees "
          "within 6 m and 22.5 degrees ahead; thermal: warmth within 2 m, of robots that stand for 10 s; both: tags "
          "and "
          "parts; all");
        f("false_rate", false_rate, 0, 1,
          "how often in a step a robot with a tag reader senses somebody who is not there");
        f("replies", replies, victim_replies_names,
          "who confirms and declines what robots report: a model that knows the truth and errs, or an operator's "
          "orders");
        f("reply_steps", reply_steps, 0, 100'000,
          "how long after a report has come to the base station the model answers");
        f("accuracy", accuracy, 0, 1, "how often the model is right");
        f("clearing", clearing,
          "robots note which floor their camera has cleared: 3 m and 22.5 degrees ahead (always with frontier.kind = "
          "uncleared or then_uncleared)");
        f("looks", looks, thermal_looks_names,
          "whether robots stop to look for warmth where nobody has looked yet, until no such floor is left: never; "
          "alone: with sensor = thermal; always: also with sensor = all. Floor is then cleared by such looks alone, "
          "not by cameras");
        f("unlisted", unlisted,
          "people may be there of whom nobody knows beforehand: robots report whom they see; live.victims sets it");
    }
    bool any() const override { return count > 0; }
    bool in_every_scenario() const override { return true; }
    /// Whether robots with scanners stop to look for warmth.
    bool stops_to_look() const {
        return looks != ThermalLooks::never &&
               (sensor == VictimSensor::thermal || (sensor == VictimSensor::all && looks == ThermalLooks::always));
    }
};

/// A look for warmth: the scanner turns once around while the robot stands, and reaches so far.
struct ThermalLook {
    static constexpr double stands_s = 10, range_m = 2;
};

/// A camera ahead that shows whether anybody lies on the floor.
struct ClearingCamera {
    static constexpr double range_m = 3, half_angle = 0.39269908169872414;  // 22.5 degrees
};

}  // namespace outrider
