// Makes a chunk of a full log readable by itself: what every robot knew before the first step of the chunk. Maps are
// lists of numbers of tiles; each content of a tile is stored once in the whole log.
#pragma once

#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "robot/robot.hpp"

namespace outrider {

/// The planes of a map as they are numbered in a keyframe: cells, the marks, stamps.
inline constexpr std::size_t plane_count = 2 + mark_count;

/// A content that had not been stored before.
struct NewTile {
    std::int64_t id = 0;
    Hash128 name;
    std::string bytes;  ///< packed
};

class KeyframeWriter {
  public:
    /// The bytes of a keyframe after a step in which these decisions were taken.
    std::string write(std::span<const Robot> team, std::span<const Decision> decisions);
    /// The tiles that were new since the last call.
    std::vector<NewTile> take_fresh_tiles() { return std::exchange(fresh_, {}); }

  private:
    std::unordered_map<Hash128, std::int64_t> ids_;  // looked up, never iterated
    std::vector<NewTile> fresh_;
};

/// What a keyframe holds of a robot.
struct KeyframeEntry {
    RobotState state;
    std::optional<Share> share;  ///< of its last message; none: it sent nothing in that step
    int summary_tiles = 0;
};

/// The reverse. `tile` gives the bytes of a tile by its number. Throws Error when damaged.
std::vector<KeyframeEntry> read_keyframe(std::string_view bytes, std::size_t robots,
                                         const std::function<std::string_view(std::int64_t)>& tile);

}  // namespace outrider
