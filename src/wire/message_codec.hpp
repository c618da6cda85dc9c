// Messages between robots as bytes, for robots that are processes of their own. Of a map only those tiles travel that
// the receiver is missing: encoder and decoder both remember what was delivered, and the receiver's own messages say up
// to which one it heard (the number of its record of the sender). A message that is lost costs nothing but its tiles,
// which come again with the next one.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "messages/map_payload.hpp"
#include "outrider/percept.hpp"

namespace outrider {

/// What one robot sends to another one, in the order of its messages.
class MessageEncoder {
  public:
    MessageEncoder(const Briefing& sender, RobotId to);
    ~MessageEncoder();
    MessageEncoder(MessageEncoder&&) noexcept;
    MessageEncoder& operator=(MessageEncoder&&) noexcept;
    /// `acknowledged`: the number of the newest message of this sender that the receiver said it has; 0: none, and the
    /// whole map is sent. Of a message that shares its map in part (Share::summary), that part.
    std::string encode(const Message& message, std::uint32_t acknowledged);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// A message as it arrived, and what it brought of the sender's map.
struct DecodedMessage {
    std::shared_ptr<const Message> message;  ///< its map: all that the sender has delivered so far
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

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace outrider
