// The maps of all robots as the window knows them, tile by tile, and which tiles have to be drawn anew.
#pragma once

#include <memory>

#include "view/snapshot.hpp"

namespace outrider::view {

struct RobotTile {
    CellTile claims;
    std::array<BitTile, mark_kinds> marks;
};

class Maps {
  public:
    explicit Maps(std::size_t robots = 0) : robots_(robots) {}
    /// Applies the changes.
    void apply(const Snapshot& snapshot);
    /// nullptr: the robot knows nothing of the tile.
    const RobotTile* tile(std::size_t robot, TileCoord t) const {
        const auto* slot = robots_[robot].find(t);
        return slot ? slot->get() : nullptr;
    }
    CellState state(std::size_t robot, Cell c) const {
        const RobotTile* t = tile(robot, tile_of(c));
        return t ? t->claims.state(c) : CellState::unknown;
    }
    std::size_t robots() const { return robots_.size(); }
    /// Tiles that changed since the last call, sorted.
    std::vector<TileCoord> take_changed();

  private:
    RobotTile& at(RobotId robot, TileCoord t);
    std::vector<TileTable<std::unique_ptr<RobotTile>>> robots_;
    std::vector<TileCoord> changed_;
};

}  // namespace outrider::view
