// Batteries of robots: what driving, looking and talking take, and charging at a base station.
#pragma once

#include "features/battery/battery.hpp"
#include "simulator/world_part.hpp"

namespace outrider {

class Batteries final : public Copied<Batteries, WorldPart> {
  public:
    explicit Batteries(std::span<const BatteryOptions> by_robot);
    /// Who has nothing left is out of service.
    void begin(WorldState& state) override;
    /// What the last step took.
    void delivered(const WorldState& state, const Medium::Exchange& air) override;
    void sense(const WorldState& state, RobotId robot, Percept& percept) override;

    const Battery& of(RobotId robot) const { return batteries_[static_cast<std::size_t>(robot)]; }

  private:
    std::vector<Battery> batteries_;
    std::vector<double> driven_m_;  // by robot, up to the step before
};

}  // namespace outrider
