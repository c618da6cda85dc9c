// The border of two sectors, whose robots meet there again and again, as the robot on one side sees it.
#pragma once

#include <span>
#include <vector>

#include "outrider/message.hpp"
#include "shared/meeting.hpp"
#include "shared/topics.hpp"

namespace outrider {

inline constexpr std::uint32_t topic_border = topic("sect");

/// Of the two neighbours the one in the lower sector proposes (kind 0: what is agreed, 1: what it proposes, then a
/// meeting), the other one answers (kind 2: the id that it holds, that it agreed to, and of the last meeting that is
/// over).
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
    /// Nobody came: once more at the backup, if there is one.
    void miss();
    /// Both hold the meeting to come, as far as this one knows.
    bool settled() const { return open() && (!proposes_ || partner_agreed_ >= agreed().id); }
    bool may_propose() const { return proposes_ && !open() && !upper_.proposal(); }
    /// The meeting's id is chosen here.
    void propose(Meeting meeting);

    /// What is to be said to the partner, in each step.
    std::vector<Word> words() const;
    /// The values of a word of the partner.
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
