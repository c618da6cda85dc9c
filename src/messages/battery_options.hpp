// What a battery holds and what takes from it: known to a robot and to the simulator.
#pragma once

#include "messages/feature_options.hpp"

namespace outrider {

struct BatteryOptions final : FeatureOptionsOf<BatteryOptions> {
    double wh = 0;
    double idle_w = 10;
    double per_m_j = 30;
    double per_kb_j = 0.01;
    double per_scan_j = 2;
    double charge_w = 500;
    double reserve_share = 0.1;
    void fields(Fields& f) override {
        f("wh", wh, 0, 1e6, "what the battery of a mobile robot holds; 0: it never gets empty");
        f("idle_w", idle_w, 0, 1e6, "what it takes, whatever the robot does");
        f("per_m_j", per_m_j, 0, 1e6, "what a metre takes besides");
        f("per_kb_j", per_kb_j, 0, 1e6, "what a kilobyte takes that somebody receives, once for all receivers");
        f("per_scan_j", per_scan_j, 0, 1e6, "what a scan of a sensor takes");
        f("charge_w", charge_w, 0, 1e6, "what a base station in service gives to a robot within a metre of it");
        f("reserve_share", reserve_share, 0, 0.9,
          "a robot drives home to charge when what is left, without this share of a full battery, is less than 1.2 "
          "times what the path home takes");
    }
    bool any() const override { return wh > 0; }
    bool in_every_scenario() const override { return true; }
    double full_j() const { return wh * 3600; }
};

/// How near to a base station a robot is charged, in metres.
inline constexpr double charging_range_m = 1;
/// The path home takes so much more than the same way elsewhere: detours, waiting, rounding.
inline constexpr double path_home_factor = 1.2;

}  // namespace outrider
