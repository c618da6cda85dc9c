// How many bytes of tiles the hearers of a step lack: for large teams, in which everybody hears hundreds.
#pragma once

#include <span>
#include <vector>

#include "messages/map_payload.hpp"

namespace outrider {

/// What missing_bytes() says, for all pairs of a step. Maps lie side by side as rows of blocks, so that what two of
/// them hold alike is passed over at the speed of memory.
class MissingTiles {
  public:
    /// By robot: what it said in the last step and in the one before; nullptr: nothing, or no map. They outlive this.
    MissingTiles(std::span<const MapPayload* const> now, std::span<const MapPayload* const> before);

    /// For each of `hearers` (by number) the bytes of tiles of that robot's map that it lacks; 0 where there is none.
    std::vector<std::size_t> bytes(RobotId from, std::span<const RobotId> hearers) const;

  private:
    using Block = const Named<TileBlock<CellTile>>*;
    struct Row {
        const PlaneSnapshot<CellTile>* plane = nullptr;  // nullptr: not in a row
        std::size_t begin = 0;
    };
    void add(const MapPayload* payload, std::vector<Row>& rows);
    std::size_t index(TileCoord block) const {
        return static_cast<std::size_t>(block.y - low_.y) * width_ + static_cast<std::size_t>(block.x - low_.x);
    }

    std::span<const MapPayload*const> now_, before_;
    TileCoord low_;
    std::size_t width_ = 0, size_ = 0;  // of a row: a rectangle of blocks that holds all maps
    std::vector<Block> blocks_;
    std::vector<Row> rows_now_, rows_before_;
};

}  // namespace outrider
