// What a connection tells its owner.
#pragma once

#include <string>

namespace outrider {

struct NetEvent {
    enum class Kind { joined, text, binary, left, refused } kind = Kind::joined;
    int client = 0;    ///< a number of its own for each connection, from 1
    std::string data;  ///< the message; of `left`: why, empty when the other side said good-bye; of `joined`: see
                       ///< there; of `refused`, by a server of WebSockets: who was not let in, and why
};

}  // namespace outrider
