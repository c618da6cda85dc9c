// How a robot finds out where it is: options of localisation and mapping.
#pragma once

#include <array>
#include <string_view>

#include "outrider/options.hpp"

namespace outrider {

enum class SlamMethod { known, scan_match, particle };
inline constexpr std::array<std::string_view, 3> slam_method_names{"known", "scan_match", "particle"};

struct SlamOptions {
    SlamMethod method = SlamMethod::known;
    double cell_m = 0.05;
    double update_m = 0.1, update_deg = 6;
    double odometry_way = 0.1, odometry_turn = 0.1;
    int memory = 100;
    int particles = 30;
    double scan_m = 0.5, scan_deg = 20;

    void fields(Fields& f) {
        f("method", method, slam_method_names,
          "known: odometry is believed; scan_match: scans are matched with the map drawn so far; particle: many ways "
          "with a map each");
        f("cell_m", cell_m, 0.01, 1, "side of a cell of the matcher's map");
        f("update_m", update_m, 0, 10, "a scan is matched after a way of this");
        f("update_deg", update_deg, 0, 180, "or a turn of this");
        f("odometry_way", odometry_way, 0, 10, "expected standard deviation of odometry, as a share of the way");
        f("odometry_turn", odometry_turn, 0, 10, "and of the turn");
        f("memory", memory, 2, 127, "scans after which what a cell was seen to be weighs half");
        f("particles", particles, 1, 10'000, "of the method particle");
        f("scan_m", scan_m, 0, 1000,
          "the simulator takes scans along the way of a step, one after so many metres, for robots that match scans; 0: "
          "whatever the way");
        f("scan_deg", scan_deg, 0, 360, "and one after a turn of this; 0: whatever the turn");
    }
    bool scans_along_way() const { return method != SlamMethod::known && (scan_m > 0 || scan_deg > 0); }
};

}  // namespace outrider
