// Walls that change: doors, rubble.
#pragma once

#include "simulator/world_part.hpp"
#include "world/changes.hpp"

namespace outrider {

class WallChanges final : public WorldPart {
  public:
    /// Both in the team's frame; at least one change.
    WallChanges(const Grid<std::uint8_t>& walls, std::vector<Change> changes) : walls_(walls, std::move(changes)) {}
    void begin(WorldState& state) override;

    /// The walls as they change; what changed in this step.
    const ChangingWalls& walls() const { return walls_; }

  private:
    ChangingWalls walls_;
};

}  // namespace outrider
