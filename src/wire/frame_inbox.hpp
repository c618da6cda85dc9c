// The inbox of a robot whose team-mates are other processes: messages as they came off the air become the inbox of a
// percept. The same frames in the same steps give the same inbox: so a log replays them.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "wire/message_codec.hpp"

namespace outrider {

class FrameInbox {
  public:
    explicit FrameInbox(const Briefing& receiver);
    /// Fills the inbox of the percept of `step` by sender; it lasts until the next call. Steps that messages name are
    /// those of their senders, who began at other times: they become steps of this robot, as if the fastest message of
    /// a sender so far had taken one step. Damaged frames are left out, and told.
    void take(int step, std::span<const std::string> frames, std::vector<Received>& inbox,
              const std::function<void(const std::string& what)>& complain = {});
    /// For the encoder of messages to that robot.
    ReceivedMessages received(RobotId other) const { return decoder_.received(other); }

  private:
    std::shared_ptr<const Message> in_own_steps(std::shared_ptr<const Message> message, int step);

    RobotId self_;
    MessageDecoder decoder_;
    std::vector<std::shared_ptr<const Message>> messages_;  // that the last inbox refers to
    std::vector<std::optional<int>> ahead_;                 // by sender: of its steps, those of this robot are
};

}  // namespace outrider
