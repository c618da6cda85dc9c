// Private to this room: one TCP connection on which lines of text come and any text goes, of a server or a client.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "net/inbox.hpp"
#include "net/net_event.hpp"
#include "net/tcp.hpp"

namespace outrider {

struct LineLimits {
    char end = '\n';  ///< of a line; "\r" before it is dropped
    std::size_t most_line_bytes = 0;
    std::size_t most_waiting_bytes = 0;  ///< lines that were not fetched: no more is read then
    std::size_t most_unsent_bytes = 0;
    bool serves = false;  ///< of a server: who begins like a browser is no client
};

/// How much of what take() gave is lines of each client, as fetched() counts it.
std::map<int, std::size_t> line_bytes(const std::vector<NetEvent>& events);

/// Used by the thread of its context alone, except for offer().
class LineConnection : public std::enable_shared_from_this<LineConnection> {
  public:
    using Socket = Tcp::socket;
    using Left = std::function<void(const std::string& why)>;

    /// Lines go to the inbox, as of client `id`. `left` is called once, when the connection is over; why is empty when
    /// the other side said good-bye.
    LineConnection(Socket socket, std::string address, int id, const LineLimits& limits, Inbox& inbox, Left left);

    void begin();
    /// From any thread: sends the text. False: too much is unsent; nothing is sent.
    bool offer(std::string text);
    /// So many bytes of its lines were fetched: more may come.
    void fetched(std::size_t bytes);
    /// Reads no more, and ends the connection when all that was offered has gone out, or after half a second.
    void close(const std::string& why);
    /// Ends it at once.
    void drop(const std::string& why);
    /// Whether a line ever came.
    bool has_received() const { return has_received_; }
    const std::string& address() const { return address_; }  ///< of the other side

  private:
    void read_next();
    void take_lines();
    void write_next();
    void say_good_bye();

    Socket socket_;
    Timer patience_;
    std::string address_;
    int id_;
    LineLimits limits_;
    Inbox& inbox_;
    Left left_;
    std::array<char, 4096> chunk_{};
    std::string text_;        // not yet split into lines, from begin_ on
    std::size_t begin_ = 0;   // of the next line
    std::size_t looked_ = 0;  // up to here no end of it was found
    std::deque<std::string> outgoing_;
    std::atomic<std::size_t> unsent_{0};
    std::size_t waiting_ = 0;
    std::string why_;
    bool open_ = true, closing_ = false, reading_ = false, paused_ = false, has_received_ = false;
};

}  // namespace outrider
