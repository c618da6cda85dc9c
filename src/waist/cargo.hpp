// A robot's map on the air. Strategies get messages too, but what was not delivered of a map is nobody's to read: only
// the cores of robots and the drivers include this.
#pragma once

#include "outrider/message.hpp"

namespace outrider {

/// Whose map was heard last, and what it was.
using HeardMaps = std::vector<std::pair<RobotId, std::shared_ptr<const MapSnapshot>>>;  // by number

struct Cargo {
    /// Its digest (coordinates and names of tiles) and, behind it, the tiles. On its own, so that who remembers what
    /// was heard does not keep what the sender had heard before, and so on to the first message.
    std::shared_ptr<const MapSnapshot> map;
    std::vector<TileCoord> order;  ///< tiles by worth, best first; empty: their natural order
    /// The digest last heard from each robot: what this robot goes by when it lists what that one lacks.
    std::shared_ptr<const HeardMaps> heard;
    std::size_t digest_bytes = 0;
};

/// Tiles that go over the air to `receiver`, in order of worth.
std::vector<TileCoord> tiles_for(const Message& message, RobotId receiver);
/// Bytes on the air that every hearer gets: header, records, words and digest.
std::size_t fixed_bytes(const Message& message);
/// Bytes of the digest: a name for each block of tiles, and for each tile that changed since the last message.
std::size_t digest_bytes(const MapSnapshot& map, std::size_t changed_tiles);
/// Bytes of one tile with all its planes.
std::size_t tile_bytes(const MapSnapshot& map, TileCoord tile);

}  // namespace outrider
