// What robots tell each other. Delivery is best effort: a message that is sent in a step arrives in the next one, or
// not.
//
//     for (const TeamRecord* mate : belief.team())   // the newest heard of each robot, by number
//         if (belief.in_contact(mate->robot)) ...
#pragma once

#include <cstdint>
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

/// How a robot's map travels. Of each share, only the tiles that the hearer lacks go on the air: an update is always
/// the difference.
enum class Share : std::uint8_t {
    all,      ///< the whole map
    summary,  ///< the first Message::summary_tiles by worth
    none,     ///< no map and no digest
};

/// The newest that is known of a robot: from itself, or forwarded.
struct TeamRecord {
    RobotId robot = 0;
    std::uint32_t seq = 0;  ///< of the message that told this; 0: never heard
    int step = 0;           ///< when that message was said
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
