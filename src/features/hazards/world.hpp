// What fire and water do to robots: who stands in fire too long is out of service, and who is in water is slow.
#pragma once

#include <memory>

#include "features/ground/rough_ground.hpp"
#include "features/hazards/field.hpp"
#include "simulator/world_part.hpp"

namespace outrider {

class FireAndWater final : public Copied<FireAndWater, WorldPart> {
  public:
    /// Both in the team's frame; ground: nullptr where all of it is level.
    FireAndWater(std::shared_ptr<const HazardField> field, const Ground* ground, std::size_t robots)
        : field_(std::move(field)), exposed_(robots), rough_(ground, field_, robots) {}
    void begin(WorldState& state) override {
        for (std::size_t i = 0; i < exposed_.size(); ++i) {
            const Cell at = state.world.lattice().cell_of(state.world.bodies()[i].pose.position());
            Exposure& here = exposed_[i];
            here.steps_in_fire = field_->burns(at, state.step) ? here.steps_in_fire + 1 : 0;
            here.wet = field_->wet(at, state.step);
            if (here.steps_in_fire >= field_->tolerance_steps()) state.world.kill(static_cast<RobotId>(i));
        }
    }
    bool limit(const WorldState&, RobotId robot, Command& command) const override {
        if (exposed_[static_cast<std::size_t>(robot)].wet) command.speed_mps *= slow_share;
        return false;
    }

    void sense(const WorldState& state, RobotId robot, Percept& percept) override {
        rough_.sense(state, robot, percept);
    }

  private:
    struct Exposure {
        int steps_in_fire = 0;
        bool wet = false;
    };
    std::shared_ptr<const HazardField> field_;
    std::vector<Exposure> exposed_;  // by robot
    RoughGround rough_;              // what is seen of it
};

}  // namespace outrider
