#include "mcap/topics.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "outrider/error.hpp"

namespace outrider {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

std::uint16_t McapTopics::schema(MessageKind kind) {
    const auto [at, is_new] = schemas_.try_emplace(kind);
    if (is_new) {
        const SchemaText text = coding_.schema(kind);
        at->second = mcap_.add_schema(text.name, coding_.schema_encoding, text.text);
    }
    return at->second;
}

void McapTopics::write(const std::string& name, std::uint64_t time_ns, const ToolMessage& message,
                       const McapWriter::Texts& about) {
    const auto kind = static_cast<MessageKind>(message.index());
    auto topic = topics_.find(name);
    if (topic == topics_.end()) {
        McapWriter::Texts metadata = about;
        if (coding_.profile == "ros2") metadata.try_emplace("offered_qos_profiles");  // asked for; empty: the default
        const std::uint16_t channel = mcap_.add_channel(schema(kind), name, coding_.message_encoding, metadata);
        topic = topics_.emplace(name, Topic{channel, kind}).first;
    }
    OUTRIDER_CHECK(static_cast<int>(topic->second.kind), ==, static_cast<int>(kind));
    kept_.push_back({time_ns, topic->second.channel, coding_.encode(message, time_ns)});
}

void McapTopics::flush() {
    std::stable_sort(kept_.begin(), kept_.end(), [](const Kept& a, const Kept& b) { return a.time_ns < b.time_ns; });
    for (const Kept& kept : kept_) mcap_.write(kept.channel, kept.time_ns, kept.bytes);
    kept_.clear();
}

std::string topic_name(std::string_view text) {
    std::string out;
    for (const char c : text) out += is_letter(c) || is_digit(c) ? c : '_';
    // ROS allows no two underscores in a row.
    out.erase(std::unique(out.begin(), out.end(), [](char a, char b) { return a == '_' && b == '_'; }), out.end());
    if (out.ends_with('_')) out.pop_back();
    if (out.empty() || !is_letter(out.front())) out = "n" + out;
    return out;
}

std::vector<std::string> topic_names(const std::vector<std::string>& texts) {
    std::set<std::string> taken;
    std::vector<std::string> out;
    for (const std::string& text : texts) {
        const std::string name = topic_name(text);
        std::string free = name;
        for (int k = 2; !taken.insert(free).second; ++k) free = fmt::format("{}_{}", name, k);
        out.push_back(free);
    }
    return out;
}

}  // namespace outrider
