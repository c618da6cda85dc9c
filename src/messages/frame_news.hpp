// What robots tell each other of their frames, where they do not know where the others started: each has a frame of its
// own, in which it began in the middle of cell (0, 0), looking along x.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "outrider/team.hpp"

namespace outrider {

/// What robot `from` measured so far; only it changes this, so that the newest version is the right one.
struct FrameRelation {
    RobotId from = 0, to = 0;
    Pose measured;                       ///< the frame of `to`, seen in that of `from`
    std::array<double, 9> covariance{};  ///< of it, at its origin, along the axes of the frame of `from`
    bool stands = false;                 ///< good enough, and not taken back: it joins the two frames
    std::uint32_t version = 0;
    bool operator==(const FrameRelation&) const = default;
};

struct FrameNews {
    Pose own;                              ///< of the sender, in its own frame
    std::vector<FrameRelation> relations;  ///< all that it knows, its own and others'
    std::size_t bytes = 0;  ///< on the air: the pose, and the relations that are newer than in its last message
};

/// Bytes on the air of a pose, and of the relations that are not among `before`.
inline std::size_t frame_news_bytes(const std::vector<FrameRelation>& now, const std::vector<FrameRelation>& before) {
    constexpr std::size_t pose_bytes = 24, relation_bytes = 56;
    std::size_t n = pose_bytes;
    for (const FrameRelation& r : now)
        n += std::find(before.begin(), before.end(), r) == before.end() ? relation_bytes : 0;
    return n;
}

}  // namespace outrider
