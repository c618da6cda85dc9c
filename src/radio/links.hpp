// Who hears whom, from the true walls.
#pragma once

#include <span>
#include <vector>

#include "outrider/briefing.hpp"
#include "world/wall_field.hpp"

namespace outrider {

/// A radio at a place; silent when it is dead.
struct Transceiver {
    Point position;
    double range_m = 0;
    bool alive = true;
};

struct Link {
    RobotId a = 0, b = 0;   ///< a < b
    double signal_dbm = 0;  ///< path loss: as received; otherwise 0
};

/// All links by (a, b). Symmetric: a hears b iff b hears a. Pairs beyond the largest possible reach cost nothing.
std::vector<Link> find_links(const WallField& walls, const Lattice& lattice, const RadioOptions& radio,
                             std::span<const Transceiver> radios);

/// Number of the connected component of each of n robots, counted by the lowest member; the dead are alone.
std::vector<int> components(std::size_t n, std::span<const Link> links);

}  // namespace outrider
