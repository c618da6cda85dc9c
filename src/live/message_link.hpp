// The messages of one robot over a relay: what it says to each of the others, and what it hears.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "live/relay.hpp"
#include "live/viewers.hpp"
#include "messages/decision.hpp"
#include "wire/frame_inbox.hpp"

namespace outrider {

class MessageLink {
  public:
    MessageLink(const Briefing& briefing, std::unique_ptr<RelayClient> relay);
    using Complain = std::function<void(const std::string& what)>;
    /// Says who it is when the link has come to stand, as hear() and say() do; for who has nothing to say or hear yet.
    void greet();
    /// Where the link stands, waits until the relay has answered to that, for at most `patience`.
    void wait_for_welcome(std::chrono::milliseconds patience);
    /// Fills the inbox of the percept of `step`; it lasts until the next call. Returns the frames in which it came.
    /// `shared_step`: where the relay is in lock-step, waits until all messages of that step have come, up to
    /// `patience`.
    std::vector<std::string> hear(int step, std::optional<int> shared_step, std::chrono::milliseconds patience,
                                  std::vector<Received>& inbox, const Complain& complain);
    /// Sends messages to those of `receivers` that they are for. In lock-step, `shared_step` ends with them.
    void say(const std::vector<std::shared_ptr<const Message>>& outbox, std::span<const RobotId> receivers,
             std::optional<int> shared_step);
    /// Of the first base station: those who look on. nullptr: of another robot. Their requests are taken as it hears
    /// and says things, and answered when it has said something.
    Viewers* viewers() { return viewers_ ? &*viewers_ : nullptr; }

  private:
    void take_requests();

    const Briefing& briefing_;
    std::unique_ptr<RelayClient> relay_;
    FrameInbox inbox_;
    std::vector<std::optional<MessageEncoder>> encoders_;  // by receiver
    std::optional<Viewers> viewers_;
};

}  // namespace outrider
