// A client for protocols of text lines over TCP, on a thread of its own. It connects, and connects again when the link
// breaks, waiting longer after each attempt that fails.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "net/net_event.hpp"

namespace outrider {

struct LineClientOptions {
    std::string host;
    int port = 0;
    char end = '\n';                               ///< of a line; "\r" before it is dropped
    std::chrono::milliseconds first_wait{100};     ///< after the first attempt that failed; then twice as long each
    std::chrono::milliseconds longest_wait{5000};  ///< time, up to this
    std::chrono::milliseconds least_answer{2000};  ///< so long, or longest_wait if that is longer, a host has to answer
    std::size_t most_line_bytes = 1 << 20;         ///< a longer line ends the connection
    std::size_t most_waiting_bytes = 16 << 20;     ///< lines that take() did not fetch yet: no more is read then
    std::size_t most_unsent_bytes = 16 << 20;      ///< what the server did not read yet: new text is lost
};

class LineClient {
  public:
    /// Begins to connect.
    explicit LineClient(const LineClientOptions& options);
    /// Sends what is left, for at most half a second.
    ~LineClient();
    LineClient(const LineClient&) = delete;
    LineClient& operator=(const LineClient&) = delete;

    /// What happened since the last call, in order; waits for something up to `wait`. `joined`: the link stands
    /// (again); `left`: it broke, or could not be made, and why (said once for attempts in a row that fail alike). The
    /// number of the client is how many times the link stood.
    std::vector<NetEvent> take(std::chrono::milliseconds wait);
    /// From any thread: the text as it is, its line end included. False: the link is down, or too much is unsent; the
    /// text is lost.
    bool send(std::string text);
    bool connected() const;
    /// How often it has begun to connect. What take() has to say of one attempt is there before the next one begins.
    int attempts() const;

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace outrider
