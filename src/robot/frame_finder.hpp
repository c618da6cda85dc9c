// Where the frames of other robots lie, from maps alone: what this robot saw lately is looked for in their submaps.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "robot/team_frames.hpp"
#include "robot/team_maps.hpp"

namespace outrider {

class FrameFinder {
  public:
    explicit FrameFinder(RobotId self) : self_(self) {}
    /// To be called after each step; `own` is the pose in the own frame. Each time that the robot went on by some
    /// metres it looks for what it saw in the submap of one that it is not joined with, and measures the frame of one
    /// that it is joined with anew; all have their turn.
    void look(const TeamMaps& maps, const Pose& own, TeamFrames& frames);

  private:
    std::optional<RobotId> next(const TeamMaps& maps, const TeamFrames& frames, bool joined, RobotId after) const;
    struct Found {
        Pose frame;  // of the other, in the own one
        Matrix3 covariance;
        Pose at;  // where this robot was, in its frame
    };
    void search(RobotId other, const TeamMaps& maps, const std::vector<Point>& ends, const Pose& own,
                TeamFrames& frames);
    void verify(RobotId other, const TeamMaps& maps, const std::vector<Point>& ends, const Pose& own,
                TeamFrames& frames);

    RobotId self_;
    Pose looked_;                                      // where it last did
    bool began_ = false;                               // whether it ever did
    RobotId last_searched_ = -1, last_verified_ = -1;  // one of each kind has its turn each time
    std::map<RobotId, std::vector<Found>> found_;      // of each frame: places that wait for others that agree
};

}  // namespace outrider
