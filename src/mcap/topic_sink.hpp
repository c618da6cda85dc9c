// Where messages by topic go: into a file, or to programs that look on.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "mcap/messages.hpp"

namespace outrider {

class TopicSink {
  public:
    virtual ~TopicSink() = default;
    /// All messages of a topic are of one kind. `about`: facts about the topic, noted with its first message.
    virtual void write(const std::string& topic, std::uint64_t time_ns, const ToolMessage& message,
                       const std::map<std::string, std::string>& about = {}) = 0;
    /// After the messages of a step.
    virtual void flush() = 0;
};

}  // namespace outrider
