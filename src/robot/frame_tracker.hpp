// What a robot that does not know where the others started makes of sightings, of maps and of what it is told: where
// their frames lie, and the team as its strategy sees it, in the frame of its map.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "messages/frame_news.hpp"
#include "messages/sighting_options.hpp"
#include "outrider/percept.hpp"
#include "robot/frame_finder.hpp"
#include "robot/team_frames.hpp"

namespace outrider {

struct Knowledge;

class FrameTracker {
  public:
    FrameTracker(const Briefing& briefing, const SightingOptions& sighting);

    /// Takes in what was heard and seen; the robot is at `own` in its own frame. Returns whether frames lie elsewhere
    /// now than before: the map has to be put together anew.
    bool take_in(const Percept& percept, const TeamMaps& maps, const Pose& own);
    /// A pose of the own frame, in that of the map.
    Pose from_own(const Pose& pose) const { return compose(*frames_.place(self_), pose); }
    /// Brings Knowledge::here up to date, and notes who is in contact.
    void show_team(const Percept& percept, Knowledge& knowledge) const;
    /// What the next message says.
    std::shared_ptr<const FrameNews> news(const Pose& own);
    const TeamFrames& frames() const { return frames_; }

  private:
    struct Sighted {
        Sighting sighting;
        Pose own;  // where the robot was then, in its own frame
        int step;
    };
    void pair_sightings(const Percept& percept, const Pose& own);

    RobotId self_;
    TeamFrames frames_;
    FrameFinder finder_;
    std::array<double, 9> sighting_covariance_;
    std::vector<Sighted> sighted_;     // lately
    std::vector<FrameRelation> sent_;  // in the last message
};

}  // namespace outrider
