// What fire and water do to robots: who stands in fire too long is out of service, and who is in water is slow.
#pragma once

#include <memory>

#include "simulator/hazards.hpp"
#include "simulator/world_part.hpp"

namespace outrider {

class FireAndWater final : public WorldPart {
  public:
    /// field: in the team's frame.
    FireAndWater(std::shared_ptr<const HazardField> field, std::size_t robots)
        : field_(std::move(field)), exposed_(robots) {}
    void begin(WorldState& state) override;
    bool limit(const WorldState& state, RobotId robot, Command& command) const override;

  private:
    struct Exposure {
        int steps_in_fire = 0;
        bool wet = false;
    };
    std::shared_ptr<const HazardField> field_;
    std::vector<Exposure> exposed_;  // by robot
};

}  // namespace outrider
