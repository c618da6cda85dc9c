// Where the frames of other robots lie, from maps alone: what this robot saw lately is looked for in their submaps.
#pragma once

#include <map>
#include <vector>

#include "robot/team_frames.hpp"
#include "robot/team_maps.hpp"

namespace outrider {

class FrameFinder {
  public:
    explicit FrameFinder(RobotId self) : self_(self) {}
    /// To be called after each step; `own` is the pose in the own frame. Each time that the robot went on by some
    /// metres it looks for what it saw in the submaps of those that it is not joined with, and measures the frames of
    /// the others anew.
    void look(const TeamMaps& maps, const Pose& own, TeamFrames& frames);

  private:
    struct Found {
        Pose frame;  // of the other, in the own one
        Matrix3 covariance;
        Pose at;  // where this robot was, in its frame
    };
    bool search(RobotId other, const TeamMaps& maps, const std::vector<Point>& ends, const Pose& own,
                TeamFrames& frames);
    void verify(RobotId other, const TeamMaps& maps, const std::vector<Point>& ends, const Pose& own,
                TeamFrames& frames);

    RobotId self_;
    Pose looked_;                                  // where it last did
    bool began_ = false;                           // whether it ever did
    std::map<RobotId, std::vector<Found>> found_;  // of each frame: places that wait for others that agree
};

}  // namespace outrider
