// What a receiver has of the maps of a sender, as both of them remember it, and the difference to it as bytes.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "base/byte_stream.hpp"
#include "messages/map_payload.hpp"

namespace outrider {

/// The map of a message; or instead, where it has submaps, these by robot. nullptr: nothing of it.
using MapLayers = std::vector<std::shared_ptr<const MapSnapshot>>;

/// What a receiver has after a message.
struct Mirror {
    std::uint32_t seq = 0;  ///< of that message; 0: before any
    MapLayers layers;

    /// The same on both sides, when the layers are the same.
    std::int64_t name() const;
};

/// The mirrors that may still be needed, in the order of their messages.
class Mirrors {
  public:
    /// The newest one of that number, nullptr if there is none.
    const Mirror* find(std::uint32_t seq) const;
    const Mirror* newest() const { return kept_.empty() ? nullptr : &kept_.back(); }
    /// Drops those before the one of that number, which the receiver is known to have; nothing if it is not there.
    void forget_before(std::uint32_t seq);
    /// When there are many, the second is dropped: the first one is known to be there.
    void add(Mirror mirror);

  private:
    std::deque<Mirror> kept_;
};

/// Writes what `message`, which has a payload, brings to a receiver that has `before`; returns what that one has then.
Mirror write_layers(ByteWriter& out, const Message& message, const Mirror& before);

/// What a message brought.
struct ReadLayers {
    Mirror mirror;
    std::vector<TileCoord> tiles;  ///< sorted; of the map
    bool submaps = false;
};
/// Throws Error where a map is none of this team: tiles too far away, cells that are occupied and not known, stamps in
/// a world that does not change.
ReadLayers read_layers(ByteReader& in, const Message& message, const Mirror& before, const Briefing& receiver);

}  // namespace outrider
