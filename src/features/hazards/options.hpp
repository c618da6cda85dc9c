// Fire and floods in a scenario: [[hazard]].
#pragma once

#include <array>
#include <climits>
#include <limits>
#include <string>
#include <string_view>

#include "outrider/options.hpp"

namespace outrider {

/// fire: it spreads to neighbours by chance, and who stands in it too long is out of service. flood: it spreads at one
/// speed, to what is below its level, and who is in it is slow.
enum class HazardKind : std::uint8_t { fire, flood };
inline constexpr std::array<std::string_view, 2> hazard_kind_names{"fire", "flood"};

/// Fire or a flood: [[hazard]].
struct HazardEntry {
    HazardKind kind = HazardKind::fire;
    double x_m = std::numeric_limits<double>::quiet_NaN(), y_m = x_m;
    int at = 0;
    double spread = 0.02;
    int burn_steps = 300;
    double debris_share = 0.3;
    int tolerance_steps = 10;
    double speed_mps = 0.05, rise_mps = 0.002;
    std::string frames, cells;
    int frame_steps = 10;
    std::string where;  ///< in which file and line it stands; for messages
    void fields(Fields& f) {
        f("kind", kind, hazard_kind_names, "fire spreads by chance and kills; a flood spreads at one speed and slows");
        f("x_m", x_m, -1e6, 1e6, "where it begins, from the left edge of the map");
        f("y_m", y_m, -1e6, 1e6, "where it begins, from the lower edge of the map");
        f("at", at, 0, INT_MAX / 2, "the step in which it begins");
        f("spread", spread, 0, 1,
          "fire: a cell of which n neighbours burn catches fire by 1 - (1 - spread)^n in a step");
        f("burn_steps", burn_steps, 1, INT_MAX / 4, "fire: how long a cell burns");
        f("debris_share", debris_share, 0, 1, "fire: share of the cells that are walls after it");
        f("tolerance_steps", tolerance_steps, 1, INT_MAX - 1,
          "fire: who is in it for so many steps without a break is out of service; of several hazards the least "
          "counts");
        f("speed_mps", speed_mps, 1e-4, 100, "flood: how fast it spreads over the floor");
        f("rise_mps", rise_mps, 1e-6, 100,
          "flood: how fast its level rises, with terrain.height or hills_m; what is higher stays dry");
        f("frames", frames,
          "instead of a place: a folder of images as large as the map, in the order of their names; their dark pixels "
          "burn or are flooded, from the first to the last image that shows it");
        f("frame_steps", frame_steps, 1, INT_MAX / 4, "frames: for how many steps an image stands");
        f("cells", cells,
          "instead: runs of cells, \"column row length from until, ...\" from the lower left, in steps (-1: for ever); "
          "what frames become in logs");
    }
};

}  // namespace outrider
