#pragma once

#include "outrider/options.hpp"

namespace outrider {

/// How robots see each other.
struct SightingOptions {
    double range_m = 5;
    double sigma_m = 0.1;
    double sigma_deg = 2;
    void fields(Fields& f) {
        f("range_m", range_m, 0, 1000,
          "with start.frame = unknown, or body.seen: robots with a sensor recognise others within this, where no wall "
          "is between");
        f("sigma_m", sigma_m, 0.001, 10, "standard deviation of where the other one is seen, in x and y");
        f("sigma_deg", sigma_deg, 0.01, 90, "and of its heading");
    }
};

}  // namespace outrider
