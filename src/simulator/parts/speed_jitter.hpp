// Bodies that do not drive as fast as they should: noise.speed_jitter.
#pragma once

#include <algorithm>

#include "outrider/rng.hpp"
#include "simulator/world_part.hpp"

namespace outrider {

class SpeedJitter final : public Copied<SpeedJitter, WorldPart> {
  public:
    bool limit(const WorldState& state, RobotId robot, Command& command) const override {
        const double share = state.equipment[static_cast<std::size_t>(robot)].noise.speed_jitter;
        Rng rng(state.seed, robot, Purpose::motion, state.step);
        if (share > 0) command.speed_mps *= std::max(0.0, 1 + share * rng.normal());
        return false;
    }
};

}  // namespace outrider
