// The log of one process of a live team: who is in it, and what they sent and received.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "log/replay.hpp"
#include "run/end_reason.hpp"

namespace outrider {

/// By which a message is known in the log of its sender.
struct MessageMark {
    std::uint32_t seq = 0;
    Pose pose;
    explicit MessageMark(const TeamRecord& sender) : seq(sender.seq), pose(sender.pose) {}
    bool operator==(const MessageMark&) const = default;
};

/// A message that was received. Steps are those of the sender's log and of this one.
struct Arrival {
    RobotId from = 0;
    int sent = 0, received = 0;
    MessageMark mark;
};

class LiveLog {
  public:
    /// Throws Error when it is no log of a live robot.
    explicit LiveLog(const std::string& path);
    /// Reads all steps. Throws Error when it is not of the full level, damaged or without steps.
    void read();

    const std::string& path() const { return log_.path(); }
    LogReader& log() { return log_; }
    /// Names of the whole team, between commas.
    std::string team();

    // After read():
    const Scenario& scenario() const { return replay_->scenario(); }
    const std::vector<Briefing>& briefings() const { return replay_->briefings(); }
    int steps() const { return steps_; }
    const std::vector<RobotId>& members() const { return members_; }  ///< whom the process decided for
    const std::string& name(RobotId robot) const;
    std::string member_names() const;
    const std::vector<Arrival>& arrivals() const { return arrivals_; }
    /// Whether a member sent that message in that step.
    bool sent(RobotId member, int step, const MessageMark& mark) const;
    /// What went wrong, in words, with the step.
    std::vector<std::pair<int, std::string>> notes();
    EndReason end_reason() const;
    /// Begins again before the first step.
    void rewind() { replay_ = std::make_unique<Replay>(log_); }
    /// The next step, by robot; nullptr: that was the last.
    const std::vector<RobotStep>* next() { return replay_->next() ? &replay_->recorded() : nullptr; }

  private:
    void note_arrival(MessageDecoder& decoder, const std::string& frame);

    LogReader log_;
    std::unique_ptr<Replay> replay_;
    int steps_ = 0;
    std::vector<RobotId> members_;
    std::vector<std::vector<std::optional<MessageMark>>> sent_;  // by robot and step
    std::vector<Arrival> arrivals_;
};

}  // namespace outrider
