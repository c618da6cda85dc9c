// How many bytes of tiles are missing at the receivers of a step: for large teams, where each robot hears hundreds.
#pragma once

#include <span>
#include <vector>

#include "messages/map_payload.hpp"

namespace outrider {

/// The same as missing_bytes(), for all pairs of a step. Maps are stored side by side as rows of blocks, so that parts
/// that two maps share are skipped at the speed of memory.
class MissingTiles {
  public:
    /// By robot: the map it sent in the last step and in the one before; nullptr: none. They must outlive this.
    MissingTiles(std::span<const MapPayload* const> now, std::span<const MapPayload* const> before);

    /// For each of `hearers` (sorted by number): bytes of tiles of the map of `from` that it is missing; 0 if no map.
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
