// Where a scan was taken: a match that starts at odometry's pose, and a wide search when that is doubtful.
#pragma once

#include <optional>

#include "slam/slam.hpp"

namespace outrider {

/// Whether another scan should be matched: after some distance or turn, or when odometry reports that it may be off by
/// more than a match is.
bool match_due(const Pose& since_update, const Travelled& travelled, const SlamOptions& options);

/// The pose from odometry and its certainty, the same along and across the path: the heading turns meanwhile.
ExpectedPose expect(const Pose& pose, const Travelled& travelled, const SlamOptions& options);

/// Whether a match needs no second look: few of the ends contradict the map, and odometry does not either.
bool trustworthy(const ExpectedPose& expected, const Match& match);

/// Whether a match is to be believed: not too many of the ends lie where the map knows that there is no wall.
bool believable(const Match& match);

struct Found {
    Match match;
    bool searched = false, recovered = false;  ///< whether the wide search was needed, and whether it won
};
/// `refused`: matches in a row that were not to be believed; after some of them any pose around is thought possible.
/// `hint`: a pose to try where a match is doubtful, in place of the wide search.
Found find_pose(const CountedMap& map, std::span<const Point> ends, const ExpectedPose& expected, int refused,
                const std::optional<Pose>& hint = {});

/// Draws the ends of beams, given in the frame of the body, with the body at `pose`. `surfaces`: as for insert().
void draw_scan(CountedMap& map, const Pose& pose, Point sensor, std::span<const Point> ends, std::vector<Point>& memory,
               bool surfaces = true);
/// Whether surfaces will be used: where odometry reports how good it is. For the first scan that is not known yet.
inline bool need_surfaces(const Travelled& travelled, bool first) { return first || travelled.variance_yaw > 0; }

/// Fewer ends fix no pose.
inline constexpr std::size_t least_ends = 8;
CountedMapOptions map_options(const SlamOptions& options);

}  // namespace outrider
