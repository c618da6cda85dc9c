#include "simulator/parts/wall_changes.hpp"

namespace outrider {

void WallChanges::begin(WorldState& state) {
    std::vector<ChangingWalls::Robot> robots;
    for (std::size_t i = 0; i < state.equipment.size(); ++i)
        if (const Body& body = state.world.bodies()[i]; body.alive)
            robots.push_back({body.pose.position(), body.radius_m, !state.equipment[i].base});
    walls_.update(state.step, robots);
    for (const ChangingWalls::Done& d : walls_.done()) state.world.change(walls_.changes()[d.change].cells, d.wall);
}

}  // namespace outrider
