// Robots that do not know where the others started: each has a frame of its own (messages/frame_news.hpp). What
// one robot measures of another's frame is a relation; relations are passed on, and robots that are joined by them
// share the frame of the lowest number among them. A relation that newer measurements contradict is taken back.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "messages/frame_news.hpp"
#include "slam/matrix3.hpp"

namespace outrider {

class TeamFrames {
  public:
    /// `base`: which robots are base stations. They draw no maps, so their headings are known from sightings alone:
    /// they lead only when nobody else is joined with them.
    TeamFrames(RobotId self, std::vector<bool> base)
        : self_(self), base_(std::move(base)), places_(base_.size()), used_(base_.size()) {
        use();
    }

    /// Another robot sent what it knows.
    void take_newer(std::span<const FrameRelation> theirs);
    /// This robot measured the frame of another one, with this covariance (as in FrameRelation), by what is at `at` in
    /// its own frame.
    void measure(RobotId other, const Pose& frame, const Matrix3& covariance, Point at);
    /// This robot found that what it sees does not fit where the other frame is thought to be.
    void contradict(RobotId other);
    std::vector<FrameRelation> relations() const;

    /// Draws the conclusions; returns whether frames lie elsewhere now than what place() said before, by more than half
    /// a cell of this size ten metres away.
    bool settle(double cell_m);
    /// Of those joined with this robot, the one whose frame is that of the map: the lowest number, base stations last.
    RobotId leader() const { return leader_; }
    /// Where the frame of a robot lies in that of the leader; nothing: it is not joined with this one.
    const std::optional<Pose>& place(RobotId robot) const { return used_[static_cast<std::size_t>(robot)]; }
    /// How often a relation of this robot was taken back.
    int undone() const { return undone_; }

  private:
    void use() { used_[static_cast<std::size_t>(self_)] = places_[static_cast<std::size_t>(self_)] = Pose{}; }
    void place_all();
    void take_back(FrameRelation& relation);

    RobotId self_, leader_ = self_;
    std::vector<bool> base_;
    std::map<std::pair<RobotId, RobotId>, FrameRelation> relations_;
    std::map<RobotId, int> contradicted_;             // in a row, of the own relations
    std::vector<std::optional<Pose>> places_, used_;  // by robot: by the relations, and as place() says
    bool changed_ = false;
    int undone_ = 0;
};

/// The covariance of a frame of which a pose was measured: that of `at` is `covariance`, and the frame's origin lies at
/// `frame`; its error grows with the distance, by the error of the heading.
Matrix3 at_origin(const Matrix3& covariance, Point at, Point frame);

}  // namespace outrider
