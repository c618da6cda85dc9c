// Topics of an MCAP file that appear with their first message.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "mcap/coding.hpp"
#include "mcap/container.hpp"
#include "mcap/topic_sink.hpp"

namespace outrider {

class McapTopics final : public TopicSink {
  public:
    /// Both outlive this.
    McapTopics(McapWriter& mcap, const MessageCoding& coding) : mcap_(mcap), coding_(coding) {}
    /// Keeps a message until flush().
    void write(const std::string& topic, std::uint64_t time_ns, const ToolMessage& message,
               const McapWriter::Texts& about = {}) override;
    /// Writes what was kept in the order of time; of equal times in the order in which it came.
    void flush() override;

  private:
    struct Kept {
        std::uint64_t time_ns;
        std::uint16_t channel;
        std::string bytes;
    };
    struct Topic {
        std::uint16_t channel;
        MessageKind kind;
    };
    std::uint16_t schema(MessageKind kind);

    McapWriter& mcap_;
    const MessageCoding& coding_;
    std::map<MessageKind, std::uint16_t> schemas_;
    std::map<std::string, Topic> topics_;
    std::vector<Kept> kept_;
};

/// A text as a part of a topic's name: letters, digits and _, beginning with a letter, as ROS wants it.
std::string topic_name(std::string_view text);
/// The same for several texts; no two of the names are equal.
std::vector<std::string> topic_names(const std::vector<std::string>& texts);

}  // namespace outrider
