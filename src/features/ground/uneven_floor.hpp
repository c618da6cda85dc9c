// A floor that is not level: bodies and scanners tilt, and scanners sweep it for steps.
#pragma once

#include <memory>

#include "features/ground/tilt.hpp"
#include "outrider/detail/tiles.hpp"
#include "scenario/entries.hpp"
#include "simulator/world_part.hpp"

namespace outrider {

/// How a sensor is mounted.
struct Mounting {
    Levelling levelling = Levelling::always;
    double height_m = 0.35;
    double sweep_m = 0;  ///< it sweeps the floor for steps every so many metres; 0: never
};

class UnevenFloor final : public Copied<UnevenFloor, WorldPart> {
  public:
    /// relief: in the team's frame; mountings: by robot, then sensor.
    UnevenFloor(std::shared_ptr<const Relief> relief, std::vector<std::vector<Mounting>> mountings);
    bool cast_tilted(const WorldState& state, const Rays& rays, std::span<double> lengths) const override;
    /// How the body lies on the floor; every so many metres the steps that no sweep of this robot found before.
    void sense(const WorldState& state, RobotId robot, Percept& percept) override;

  private:
    struct Sweeper {
        Mounting mounting;
        double driven_m = -1;  ///< at the last sweep; below zero: none yet
    };
    Tilt tilt_of_scanner(const WorldState& state, const Rays& rays, Levelling levelling) const;
    void sweep(const WorldState& state, RobotId robot, Percept& percept);

    std::shared_ptr<const Relief> relief_;
    std::vector<std::vector<Sweeper>> sensors_;  // by robot
    std::vector<TileTable<BitTile>> sensed_;     // by robot: the steps that were found
};

}  // namespace outrider
