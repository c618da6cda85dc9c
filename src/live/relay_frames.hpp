// What passes between a relay and its clients: WebSocket with the sub-protocol "outrider.relay.v1".
//
// A client begins with a text that says who it is, {"robot": "r1"}, with {"robot": "r1", "key": "..."} where the relay
// asks for a key; the relay, when it knows that robot, answers with
// {"welcome": "r1"}. All else is binary, a byte for the kind and what belongs to it:
//
//     message         1, the name of the other robot (of the receiver on the way to the relay, of the sender on the way
//                     from it) with its length before it, and the bytes of the message up to the end
//     end of step     2, step    to the relay: all that this robot says in that step has been sent
//     step has come   3, step    from the relay: all that was said before that step has been passed on
//     request         4, as a message: of who looks on, to the robot at which he looks (viewers.hpp)
//     report          5, as a message: the answer to it
//
// Who only looks on says {"view": "base"}, the robot that knows what he wants to see, and becomes "viewer 1"; no radio
// stands between the two.
//
// Numbers and lengths are those of ByteWriter. Who does not step in lock with others never needs the last two. Whom the
// relay welcomes is told at once which step came last.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace outrider {

inline constexpr const char* relay_protocol = "outrider.relay.v1";
inline constexpr std::size_t most_relayed_bytes = 16 << 20;  ///< of a message
inline constexpr std::size_t most_relay_name = 100;          ///< bytes of a robot's name
inline constexpr std::size_t most_request_bytes = 64 << 10;  ///< of who looks on

/// Whether robots may be called so: not empty, not too long, no control characters.
bool is_relay_name(std::string_view name);

struct RelayFrame {
    enum class Kind : char { message = 1, end_of_step, step_has_come, request, report } kind = Kind::message;
    std::string name{};   ///< of the other robot, or of who looks on
    std::string bytes{};  ///< of the message
    int step = 0;
};

std::string write_relay_frame(const RelayFrame& frame);
/// Throws Error when it is none.
RelayFrame read_relay_frame(std::string_view bytes);
/// What a client says first, and who it says to be. Throws Error when that is no such text.
std::string relay_greeting(const std::string& robot, const std::string& key = "", bool looks_on = false);
struct RelayGreeting {
    std::string robot, key;  ///< key: empty where there is none
    bool looks_on = false;   ///< it is not the robot, but looks at what it knows
};
RelayGreeting read_relay_greeting(std::string_view text);
/// What it is answered. `lockstep`: the relay says which step has come.
std::string relay_welcome(const std::string& robot, bool lockstep);
bool welcome_to_lockstep(std::string_view text);

}  // namespace outrider
