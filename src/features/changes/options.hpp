// Walls that change, in a scenario: doors and rubble by chance, [changes], or parts of the map, [[change]].
#pragma once

#include <array>
#include <climits>
#include <limits>
#include <string>
#include <string_view>

#include "messages/feature_options.hpp"

namespace outrider {

enum class ChangeTo : std::uint8_t { wall, free, toggle };
inline constexpr std::array<std::string_view, 3> change_to_names{"wall", "free", "toggle"};

/// A part of the map that becomes wall or free: [[change]].
struct ChangeEntry {
    double x_m = std::numeric_limits<double>::quiet_NaN(), y_m = x_m, width_m = x_m, height_m = x_m;
    std::string polygon, mask, cells;
    ChangeTo to = ChangeTo::wall;
    int at = -1, every = 0;
    double within_m = 0;
    std::string where;  ///< in which file and line it stands; for messages
    void fields(Fields& f) {
        f("x_m", x_m, -1e6, 1e6, "left edge of the rectangle, from the left edge of the map");
        f("y_m", y_m, -1e6, 1e6, "lower edge of the rectangle, from the lower edge of the map");
        f("width_m", width_m, 0, 1e6, "of the rectangle");
        f("height_m", height_m, 0, 1e6, "of the rectangle");
        f("polygon", polygon,
          "instead: its corners, \"x y, x y, x y\" in metres from the lower left corner of the map");
        f("mask", mask, "instead: an image as large as the map; its dark pixels change");
        f("cells", cells,
          "instead: runs of cells, \"column row length, ...\" from the lower left; what a mask becomes in logs");
        f("to", to, change_to_names, "what becomes of it; toggle: wall if any of it was free, otherwise free");
        f("at", at, -1, INT_MAX - 1, "the step at which it happens; -1: see within_m. It waits while a robot is there");
        f("every", every, 0, INT_MAX - 1, "and again after so many steps, again and again; 0: not again");
        f("within_m", within_m, 0, 1e6, "instead of at: once, when a robot comes so near");
    }
};

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
