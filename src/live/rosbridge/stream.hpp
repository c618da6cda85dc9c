// How a client wants the messages of a topic: how often, how many that had to wait, in which words, in which parts.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "live/rosbridge/ros_coding.hpp"

namespace outrider {

struct StreamTerms {
    RosDialect dialect = RosDialect::ros1;
    RosCoding coding = RosCoding::json;
    std::chrono::milliseconds pause{0};  ///< throttle_rate: at least, between messages
    std::size_t queue = 0;               ///< queue_length: messages that wait for the end of a pause; 0: they are lost
    std::size_t fragment = 0;            ///< most bytes of a text in one message; 0: any number
};

/// Those of a request to subscribe. Throws Error.
StreamTerms read_terms(const Json& request, RosDialect dialect);
/// Those of a client that subscribed twice: the shorter pause, queue and parts; the more compact coding.
StreamTerms common_terms(const StreamTerms& first, const StreamTerms& second);

/// Messages to one client on one topic.
class MessageStream {
  public:
    using Clock = std::chrono::steady_clock;
    using Message = std::shared_ptr<const std::string>;

    /// Whether a message would be used that comes now.
    bool wants(const StreamTerms& terms, Clock::time_point now) const { return terms.queue > 0 || now >= next_; }
    /// Of a queue that is full, the oldest message is lost.
    void put(Message message, const StreamTerms& terms);
    /// The next message whose time has come; nullptr: there is none.
    Message take(const StreamTerms& terms, Clock::time_point now);

  private:
    static constexpr std::size_t most_bytes = 4 << 20;  // that wait

    std::deque<Message> waiting_;
    std::size_t bytes_ = 0;
    Clock::time_point next_{};
};

}  // namespace outrider
