// People who lie or walk at given places: [[victim]]. The section [victims]: messages/victim_options.hpp.
#pragma once

#include <limits>
#include <string>

#include "messages/victim_options.hpp"

namespace outrider {

/// Somebody to be found: [[victim]].
struct VictimEntry {
    double x_m = std::numeric_limits<double>::quiet_NaN(), y_m = x_m;
    VictimStatus status = VictimStatus::responsive;
    std::string path;
    double speed_mps = 0.3;
    std::string where;  ///< in which file and line it stands; for messages
    void fields(Fields& f) {
        f("x_m", x_m, -1e6, 1e6, "where, from the left edge of the map");
        f("y_m", y_m, -1e6, 1e6, "where, from the lower edge of the map");
        f("status", status, victim_status_names, "which robots read from within 2 m");
        f("path", path, "the corners of the path that they walk to and fro from there, \"x y, x y\"; empty: they stay");
        f("speed_mps", speed_mps, 0, 20, "with a path");
    }
};

}  // namespace outrider
