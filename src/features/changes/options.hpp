// The section [changes] of a scenario: doors and rubble by chance.
#pragma once

#include "messages/feature_options.hpp"

namespace outrider {

struct ChangesOptions final : FeatureOptionsOf<ChangesOptions> {
    double doors_per_hour = 0;
    double door_m = 1.5;
    double debris_per_hour = 0;
    void fields(Fields& f) override {
        f("doors_per_hour", doors_per_hour, 0, 1e5,
          "how often each door of the map closes, or opens again, in an hour of simulated time: exponential times");
        f("door_m", door_m, 0.1, 20, "a narrow place between two wider ones is a door when it is no wider than this");
        f("debris_per_hour", debris_per_hour, 0, 1e6,
          "how often a heap of 0.2 to 0.6 m falls beside a wall, somewhere on the map");
    }
    bool any() const override { return doors_per_hour > 0 || debris_per_hour > 0; }
    bool in_every_scenario() const override { return true; }
};

}  // namespace outrider
