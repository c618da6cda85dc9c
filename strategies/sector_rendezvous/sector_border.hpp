// The border of two sectors, whose robots meet there repeatedly, as seen by the robot on one side.
#pragma once

#include <span>
#include <vector>

#include "outrider/team.hpp"
#include "shared/meeting.hpp"
#include "shared/topics.hpp"

namespace outrider {

inline constexpr std::uint32_t topic_border = topic("sect");

/// The robot of the lower sector proposes (kind 0: the agreed meeting, 1: a proposed one, then a meeting). The other
/// one answers (kind 2: the ids of the meeting that it holds, of the one that it agreed to, and of the last meeting
/// that is over).
class SectorBorder {
  public:
    /// number: of the border, by its lower sector.
    SectorBorder(RobotId partner, bool proposes, int number)
        : partner_(partner), number_(number), proposes_(proposes) {}

    RobotId partner() const { return partner_; }
    int number() const { return number_; }

    const Meeting& agreed() const { return proposes_ ? upper_.agreed() : lower_.agreed(); }
    /// Whether there is a meeting to come.
    bool open() const { return agreed().id > closed_; }
    void close() { closed_ = agreed().id; }
    /// Nobody came: waits again at the backup, if there is one.
    void miss();
    /// Both hold the meeting to come, as far as this one knows.
    bool settled() const { return open() && (!proposes_ || partner_agreed_ >= agreed().id); }
    bool may_propose() const { return proposes_ && !open() && !upper_.proposal(); }
    /// The meeting's id is chosen here.
    void propose(Meeting meeting);

    /// What has to be sent to the partner, in each step.
    std::vector<Word> words() const;
    /// The values of a word that the partner sent.
    void hear(std::span<const std::int64_t> values);

  private:
    RobotId partner_;
    int number_;
    bool proposes_;
    ParentSide upper_;
    ChildSide lower_;
    std::int64_t closed_ = 0;  // the last meeting that was kept or missed for good
    std::int64_t partner_agreed_ = 0;
};

}  // namespace outrider
