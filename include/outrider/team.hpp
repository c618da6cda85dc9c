// What robots send each other. Delivery is best effort: a message that is sent in a step arrives in the next one, or
// not at all.
//
//     for (const TeamRecord* mate : belief.team())   // the newest received of each robot, by number
//         if (belief.in_contact(mate->robot)) ...
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "outrider/briefing.hpp"

namespace outrider {

inline constexpr RobotId to_all = -1;

/// What strategies send each other. Unknown topics are ignored, so that different strategies can share a team.
struct Word {
    std::uint32_t topic = 0;
    RobotId to = to_all;
    std::vector<std::int64_t> values;
    bool operator==(const Word&) const = default;
};

/// How a robot's map is sent. Whatever the share, only the tiles that the receiver is missing are sent: an update is
/// always the difference.
enum class Share : std::uint8_t {
    all,      ///< the whole map
    summary,  ///< the first Message::summary_tiles tiles by worth
    none,     ///< no map and no digest
};

/// The newest that is known of a robot: from its own message, or forwarded.
struct TeamRecord {
    RobotId robot = 0;
    std::uint32_t seq = 0;  ///< of the message that brought this; 0: none received
    int step = 0;           ///< when that message was sent
    FrameId frame;          ///< of pose and goal
    Pose pose;
    Role role = Role::explorer;
    std::optional<Point> goal;
    bool done = false;
    std::vector<Word> words;
    bool operator==(const TeamRecord&) const = default;
};

}  // namespace outrider

#include "outrider/detail/team_table.hpp"
