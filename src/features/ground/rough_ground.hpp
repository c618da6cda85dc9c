// Ground that differs, as scans show it: rough cells, and those that burn or are flooded.
#pragma once

#include <memory>

#include "features/hazards/field.hpp"
#include "outrider/detail/tiles.hpp"
#include "simulator/world_part.hpp"

namespace outrider {

class RoughGround final : public Copied<RoughGround, WorldPart> {
  public:
    /// Both in the team's frame; nullptr: there is none.
    RoughGround(const Ground* ground, std::shared_ptr<const HazardField> hazards, std::size_t robots)
        : hazards_(std::move(hazards)),
          unseen_(robots, ground ? ground->rough_cells() : TileTable<BitTile>()),
          sensed_(robots) {}
    /// The cells that the last scans passed over, each of them once.
    void sense(const WorldState& state, RobotId robot, Percept& percept) override;

  private:
    std::shared_ptr<const HazardField> hazards_;
    std::vector<TileTable<BitTile>> unseen_;  // by robot: rough cells
    std::vector<TileTable<BitTile>> sensed_;  // by robot: what it saw of fire and water
};

}  // namespace outrider
