// What robots say to each other. Delivery is best effort.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "outrider/briefing.hpp"

namespace outrider {

inline constexpr RobotId to_all = -1;

/// What strategies say to each other. Unknown topics are ignored, so that different strategies can share a team.
struct Word {
    std::uint32_t topic = 0;
    RobotId to = to_all;
    std::vector<std::int64_t> values;
    bool operator==(const Word&) const = default;
};

/// How a robot's map travels.
enum class Share : std::uint8_t {
    all,      ///< every tile that the hearer lacks
    delta,    ///< of those, the tiles that changed since the last message
    summary,  ///< of those, the first Message::summary_tiles by worth
    none,     ///< no map and no digest
};

/// The newest that is known of a robot: from itself, or forwarded. `seq` doubles as the acknowledgement: whoever sends
/// a record with seq s has heard all that the robot kept saying up to its message s.
struct TeamRecord {
    RobotId robot = 0;
    std::uint32_t seq = 0;  ///< of the message that told this; 0: never heard
    int step = 0;           ///< when that message was said
    Pose pose;              ///< in the frame of the message that carries the record
    Role role = Role::explorer;
    std::optional<Point> goal;
    bool done = false;
    std::vector<Word> words;
    bool operator==(const TeamRecord&) const = default;
};

struct Message {
    RobotId from = 0;
    RobotId to = to_all;
    FrameId frame;
    TeamRecord self;                 ///< own record: seq, step, pose, role, goal, words
    std::vector<TeamRecord> others;  ///< newest records of third parties, by number; those never heard are absent
    Share share = Share::all;
    int summary_tiles = 0;
    std::shared_ptr<const MapSnapshot> map;  ///< the digest (coordinates and names of tiles) and, behind it, the tiles
    std::vector<TileCoord> tile_order;       ///< tiles by worth, best first; empty: their natural order
    /// The digest last heard from each robot, by number: what this robot goes by when it lists what that one lacks.
    std::vector<std::pair<RobotId, std::shared_ptr<const MapSnapshot>>> heard;

    /// Tiles that go over the air to `receiver`, in order of worth.
    std::vector<TileCoord> tiles_for(RobotId receiver) const;
};

/// Bytes on the air that every hearer gets: header, records, words and digest.
std::size_t fixed_bytes(const Message& message);
/// Bytes of one tile with all its planes.
std::size_t tile_bytes(const MapSnapshot& map, TileCoord tile);

}  // namespace outrider
