// Walls that change: doors, rubble.
#pragma once

#include "features/changes/changing_walls.hpp"
#include "simulator/world_part.hpp"

namespace outrider {

class WallChanges final : public Copied<WallChanges, WorldPart> {
  public:
    /// Both in the team's frame; at least one change.
    WallChanges(const Grid<std::uint8_t>& walls, std::vector<Change> changes) : walls_(walls, std::move(changes)) {}
    bool moves_walls() const override { return true; }
    void open_up(Grid<std::uint8_t>& walls) const override { walls = walls_.at_most_open(); }
    void begin(WorldState& state) override {
        std::vector<ChangingWalls::Robot> robots;
        for (std::size_t i = 0; i < state.equipment.size(); ++i) {
            const Body& body = state.world.bodies()[i];
            robots.push_back({body.pose.position(), body.radius_m, body.alive && !state.equipment[i].base});
        }
        walls_.update(state.step, robots);
        for (const ChangingWalls::Done& d : walls_.done()) state.world.change(d.cells, d.wall);
    }

    /// The walls as they change; what changed in this step.
    const ChangingWalls& walls() const { return walls_; }

  private:
    ChangingWalls walls_;
};

}  // namespace outrider
