// The section [radio2] of a scenario: a second radio of every robot and base station.
#pragma once

#include "messages/feature_options.hpp"
#include "outrider/radio.hpp"

namespace outrider {

struct SecondRadioOptions final : FeatureOptionsOf<SecondRadioOptions> {
    double range_m = 0;
    double exponent = 2, wall_db = 1;
    int max_walls = 125, bytes_per_step = 64, latency_steps = 1;
    void fields(Fields& f) override {
        f("range_m", range_m, 0, 1e6, "reach in free space of a second radio of each robot and base; 0: there is none");
        f("exponent", exponent, 1, 10, "exponent of the distance (2 in free space)");
        f("wall_db", wall_db, 0, 100, "attenuation by each wall crossed");
        f("max_walls", max_walls, 0, 10000, "further walls attenuate no more");
        f("bytes_per_step", bytes_per_step, 24, 1'000'000,
          "what each sender has: 24 for its pose, goal and role, the rest for words; those that do not fit wait");
        f("latency_steps", latency_steps, 1, 1000, "what is sent in a step arrives so many steps later");
    }
    bool any() const override { return range_m > 0; }
    bool in_every_scenario() const override { return true; }
    /// Path loss by the same formula as [radio].
    RadioOptions formula() const;
};

}  // namespace outrider
