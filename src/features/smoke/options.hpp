// Smoke in a scenario: [[smoke]].
#pragma once

#include <limits>
#include <string>

#include "outrider/options.hpp"

namespace outrider {

/// A disc of smoke: [[smoke]].
struct SmokeEntry {
    double x_m = std::numeric_limits<double>::quiet_NaN(), y_m = x_m;
    double radius_m = 3, density = 0.002;
    std::string where;  ///< in which file and line it stands; for messages
    void fields(Fields& f) {
        f("x_m", x_m, -1e6, 1e6, "its middle, from the left edge of the map");
        f("y_m", y_m, -1e6, 1e6, "its middle, from the lower edge of the map");
        f("radius_m", radius_m, 0.01, 1e6, "of the disc");
        f("density", density, 1e-6, 1000, "a beam gets 0.00575 m / density far in it: 2.9 m with 0.002");
    }
};

}  // namespace outrider
