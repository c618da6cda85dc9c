#include "simulator/parts/fire_and_water.hpp"

#include "simulator/failures.hpp"

namespace outrider {

void FireAndWater::begin(WorldState& state) {
    for (std::size_t i = 0; i < exposed_.size(); ++i) {
        const Cell at = state.world.lattice().cell_of(state.world.bodies()[i].pose.position());
        Exposure& here = exposed_[i];
        here.steps_in_fire = field_->burns(at, state.step) ? here.steps_in_fire + 1 : 0;
        here.wet = field_->wet(at, state.step);
        if (here.steps_in_fire >= field_->tolerance_steps()) state.world.kill(static_cast<RobotId>(i));
    }
}

bool FireAndWater::limit(const WorldState&, RobotId robot, Command& command) const {
    if (exposed_[static_cast<std::size_t>(robot)].wet) command.speed_mps *= slow_share;
    return false;
}

}  // namespace outrider
