// A robot's map as it is sent. Strategies get messages too, but must not read the parts of a map that were not
// delivered: only the cores of robots and the drivers include this.
#pragma once

#include "outrider/team.hpp"

namespace outrider {

/// The map last received from each robot itself.
class ReceivedMaps {
  public:
    using Map = std::shared_ptr<const MapSnapshot>;
    ReceivedMaps() = default;
    ReceivedMaps(std::initializer_list<std::pair<RobotId, Map>> maps) {
        for (const auto& [robot, map] : maps) set(robot, map);
    }
    /// nullptr: none received yet.
    const MapSnapshot* find(RobotId robot) const {
        const auto i = static_cast<std::size_t>(robot);
        return i / block_size < blocks_.size() ? blocks_[i / block_size][i % block_size].get() : nullptr;
    }
    void set(RobotId robot, Map map) {
        const auto i = static_cast<std::size_t>(robot);
        blocks_.grow(i / block_size + 1);
        blocks_.edit(i / block_size)[i % block_size] = std::move(map);
    }

  private:
    static constexpr std::size_t block_size = 16;
    CowBlocks<std::array<Map, block_size>> blocks_;  // by number
};

/// What a submap was drawn from, all of its scans and marks so far.
struct DrawnFrom {
    std::uint32_t scans = 0;
    std::uint64_t bytes = 0;  ///< of the scans and marks on the air, with their poses
};

/// The maps that each robot drew from its own scans alone, by number, as far as they are known. In frames of their own:
/// the number of the robot, and an epoch that grows when it draws its map anew because the past moved.
class Submaps : public ReceivedMaps {
  public:
    using ReceivedMaps::ReceivedMaps;
    /// Nothing where it is not known: then cells travel.
    DrawnFrom drawn_from(RobotId robot) const {
        const auto i = static_cast<std::size_t>(robot);
        return i < drawn_from_.size() ? drawn_from_[i] : DrawnFrom{};
    }
    void set_drawn_from(std::vector<DrawnFrom> by_robot) { drawn_from_ = std::move(by_robot); }

  private:
    std::vector<DrawnFrom> drawn_from_;
};

struct MapPayload {
    /// Its digest (coordinates and names of tiles) and, behind it, the tiles. A pointer of its own: a receiver that
    /// keeps it does not also keep the maps that the sender had received before, and so on back to the first message.
    std::shared_ptr<const MapSnapshot> map;
    std::vector<TileCoord> order;  ///< tiles by worth, best first; empty: their natural order
    /// The digest last received from each robot: from it this robot lists the tiles that the other is missing.
    std::shared_ptr<const ReceivedMaps> received;
    std::size_t digest_bytes = 0;
    /// Where the past or frames may move (RobotOptions::submaps), what receivers merge instead of `map`; and the ones
    /// last received from each robot, by number. nullptr otherwise.
    std::shared_ptr<const Submaps> submaps = nullptr;
    std::vector<std::shared_ptr<const Submaps>> received_submaps = {};
};

/// Whether `theirs` holds all that `mine` does, of this team: an older epoch of a submap does not.
bool holds_all(const Submaps& theirs, const Submaps& mine, std::size_t robots);
/// The same of two maps in one frame.
bool holds_all(const MapSnapshot& theirs, const MapSnapshot& mine);

/// Tiles that are sent to `receiver`, in order of worth.
std::vector<TileCoord> tiles_for(const Message& message, RobotId receiver);
/// Bytes on the air of the pose at which a scan is drawn.
inline constexpr std::size_t drawn_pose_bytes = 16;
/// How many bytes those tiles take when the whole map is shared and no link is limited. Submaps travel as the scans and
/// marks that they are drawn from: each once, and when one was drawn anew, where its scans lie now.
std::size_t missing_bytes(const MapPayload& payload, RobotId receiver);
/// Bytes of words on the air.
std::size_t words_bytes(const std::vector<Word>& words);
/// Bytes on the air that every receiver gets: header, records, words and digest.
std::size_t fixed_bytes(const Message& message);
/// Bytes of the digest: a name for each block of tiles, and for each tile that changed since the last message.
std::size_t digest_bytes(const MapSnapshot& map, std::size_t changed_tiles);
/// Bytes of a tile that holds only claims about cells.
inline constexpr std::size_t plain_tile_bytes = 4 + sizeof(CellTile);
/// Bytes of one tile with all its planes.
std::size_t tile_bytes(const MapSnapshot& map, TileCoord tile);

}  // namespace outrider
