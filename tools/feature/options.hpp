// The section [NAME] of a scenario.
#pragma once

#include "messages/feature_options.hpp"

namespace outrider {

struct CamelOptions final : FeatureOptionsOf<CamelOptions> {
    double x_m = 0, y_m = 0, reach_m = 0, turn_deg = 5;
    void fields(Fields& f) override {
        f("x_m", x_m, -1e6, 1e6, "where it is, to the right of the lower left corner of the map");
        f("y_m", y_m, -1e6, 1e6, "and above it");
        f("reach_m", reach_m, 0, 1e6, "how far it turns compasses; 0: there is none");
        f("turn_deg", turn_deg, -180, 180, "by how much it turns them in a step, counterclockwise");
    }
    bool any() const override { return reach_m > 0; }
};

}  // namespace outrider
