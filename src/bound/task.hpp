// What bounds and plans look at of a scenario: the free space, what can be sensed of it, and how the robots move and
// see.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "scenario/scenario.hpp"
#include "world/terrain.hpp"

namespace outrider {

/// A robot that drives. Lengths in cells, places in the team's frame.
struct Mover {
    RobotId robot = 0;
    std::string name;
    Cell start;
    double yaw = 0;
    double step = 0;                            ///< that it can drive in a step
    double sight = 0;                           ///< how far it sees from the middle of its body; 0: it is blind
    double view = 0;                            ///< the angle that it sees at once, in radians; 2 pi: all around
    bool turns = false;                         ///< whether it can look anywhere at the end of a step, at no cost
    bool is_disc = false;                       ///< its body is more than a point
    const Grid<std::uint8_t>* reach = nullptr;  ///< nonzero: cells that it can get to
    std::vector<SensorSpec> sensors;
};

struct BoundTask {
    std::shared_ptr<const Terrain> terrain;
    Grid<std::uint8_t> sensable;  ///< nonzero: somebody can sense it
    Grid<std::uint8_t> counted;  ///< nonzero: counts, as in the metrics; the same, unless there is a region of interest
    std::int64_t cells = 0;      ///< so many count
    std::vector<Mover> team;
    double gap = 0;  ///< two beams next to each other are at most so many cells apart
    int steps = 0;   ///< the run ends here

    const Grid<std::uint8_t>& walls() const { return terrain->walls(); }
};

/// Throws Error where nobody drives and sees, or a robot can know more than it saw: where maps or readings err, walls
/// move, or the scenario says where robots stand.
BoundTask bound_task(const Scenario& scenario);

}  // namespace outrider
