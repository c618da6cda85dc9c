// Messages between robots as bytes, for robots that are processes of their own. Of a map only what the receiver is
// missing travels: encoder and decoder both remember what was delivered, and each message says up to which one its
// sender has those of the other robot. A message that is lost costs nothing but its tiles, which come again with the
// next one; a robot that forgot everything is sent everything.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "messages/map_payload.hpp"
#include "outrider/percept.hpp"

namespace outrider {

/// How far two robots are with each other's maps: numbers of messages (TeamRecord::seq); 0: none. These are messages
/// that arrived themselves. The numbers of a team's records are something else: a third robot passes records on, and no
/// maps.
struct ReceivedMessages {
    std::uint32_t from_other = 0;  ///< the newest message of the other robot whose map is known here
    std::uint32_t by_other = 0;    ///< the newest message of this robot whose map the other one said to know
};

/// What one robot sends to another one, in the order of its messages.
class MessageEncoder {
  public:
    MessageEncoder(const Briefing& sender, RobotId to);
    ~MessageEncoder();
    MessageEncoder(MessageEncoder&&) noexcept;
    MessageEncoder& operator=(MessageEncoder&&) noexcept;
    /// `heard`: what the sender's own decoder says of the receiver (MessageDecoder::heard). Of a message that shares
    /// its map in part (Share::summary), that part is sent; of a map with very much that is new, the rest follows with
    /// the next messages. Throws Error when words alone are longer than a message can be.
    std::string encode(const Message& message, const ReceivedMessages& received);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// A message as it arrived, and what it brought of the sender's map.
struct DecodedMessage {
    /// Its map: all that the sender has delivered so far; without `order` and what the sender had heard of others. No
    /// payload where the sender counted on a map that is not known here (one of both started again): what it has to
    /// know comes with one of its next messages.
    std::shared_ptr<const Message> message;
    bool all_tiles = false;
    std::vector<TileCoord> tiles;  ///< sorted; when not all
};

/// What one robot receives of all others. The same bytes in the same order give the same messages.
class MessageDecoder {
  public:
    explicit MessageDecoder(const Briefing& receiver);
    ~MessageDecoder();
    MessageDecoder(MessageDecoder&&) noexcept;
    MessageDecoder& operator=(MessageDecoder&&) noexcept;
    /// Throws Error when the bytes are damaged, or say what no member of the team can say; nothing changes then.
    DecodedMessage decode(std::string_view bytes);
    ReceivedMessages received(RobotId other) const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace outrider
