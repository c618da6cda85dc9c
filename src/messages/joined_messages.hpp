// What many robots said in a step, merged with each other once for all who hear the same of them. In a large team each
// robot hears hundreds; robots near each other hear nearly the same ones.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "messages/map_payload.hpp"

namespace outrider {

/// Some messages of a step as one.
struct JoinedMessages {
    struct Part {
        const Message* message = nullptr;
        RobotId from = 0;
        std::uint32_t seq = 0;
    };
    std::span<const Part> messages;
    /// The two halves; nullptr: single messages.
    std::array<const JoinedMessages*, 2> halves{};
    /// What changed in the maps of these messages since the ones before: all that is new to who has merged those.
    MapSnapshot news;
    TeamTable records;
};

/// A binary tree over the messages of a step, whose leaves are in a given order: the better neighbours in that order
/// hear the same, the fewer nodes cover what a robot hears.
class MessageTree {
  public:
    /// Senders that are near each other should be near each other in `order`. Only messages that can be joined take
    /// part: to all, with a whole map of cells alone, all in one frame. The messages must outlive this.
    void begin(std::span<const Message* const> messages, std::span<const int> order);
    bool empty() const { return parts_.empty(); }

    /// The nodes of at least two messages that cover what a robot heard, as far as it heard all messages of a node. Its
    /// own counts as heard: it knows all that is in it.
    std::vector<std::uint32_t> cover(RobotId hearer, std::span<const Received> inbox) const;
    /// Joins the messages of those nodes, in parallel.
    void join(std::span<const std::vector<std::uint32_t>> covers);
    const JoinedMessages& node(std::uint32_t index) const { return nodes_[index]; }

  private:
    static constexpr unsigned levels = 7;  // nodes of 1, 2, 4 ... 64 messages: a word of bits
    std::uint32_t index_of(unsigned level, std::size_t k) const {
        return static_cast<std::uint32_t>(first_[level] + k);
    }
    void make(unsigned level, std::size_t k);

    std::vector<JoinedMessages::Part> parts_;      // in order
    std::vector<int> place_;                       // by robot, in parts_; -1: its message cannot be joined
    std::array<std::size_t, levels + 1> first_{};  // by level: its first node
    std::vector<JoinedMessages> nodes_;            // by level; those of level 0 are not used
};

}  // namespace outrider
