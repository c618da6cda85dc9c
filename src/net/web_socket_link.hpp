// One WebSocket connection: what a server and a client do alike once it stands. Belongs to the thread of its context.
#pragma once

#include <atomic>
#include <cstddef>
#include <deque>
#include <memory>
#include <string>

#include <boost/beast/core.hpp>
#include <boost/beast/websocket.hpp>

#include "net/inbox.hpp"
#include "net/tcp.hpp"

namespace outrider {

namespace beast = boost::beast;
namespace websocket = beast::websocket;

class WebSocketLink : public std::enable_shared_from_this<WebSocketLink> {
  public:
    struct Limits {
        std::size_t message_bytes;  ///< a longer message ends the connection
        std::size_t waiting_bytes;  ///< messages that were not fetched: no more is read then
    };
    /// `unsent`: of all links together.
    WebSocketLink(Tcp::socket socket, int id, const Limits& limits, Inbox& inbox, std::atomic<std::size_t>& unsent)
        : stream_(std::move(socket)), id_(id), limits_(limits), inbox_(inbox), all_unsent_(unsent) {}
    virtual ~WebSocketLink() = default;
    WebSocketLink(const WebSocketLink&) = delete;
    WebSocketLink& operator=(const WebSocketLink&) = delete;

    int id() const { return id_; }
    bool stands() const { return open_ && !closing_; }
    bool has_received() const { return has_received_; }  ///< whether a message ever came
    void send(std::string message, bool binary);
    std::size_t unsent() const { return unsent_; }
    /// So much of what it read was fetched: more may come.
    void fetched(std::size_t bytes);
    /// Ends the connection when all that was sent has gone out.
    void finish(const std::string& why, websocket::close_code code);
    /// Tells the other side why.
    void close(const std::string& why, websocket::close_code code = websocket::close_code::policy_error);
    /// Without the closing handshake, for which a side that does not read would let us wait.
    void drop(const std::string& why);

  protected:
    static constexpr std::size_t most_header_bytes = 8192;

    /// Times of the stream itself, and the longest message. Before the handshake.
    void set_up(beast::role_type role, std::chrono::seconds handshake, std::chrono::seconds idle);
    /// The handshake is over.
    void open();
    /// At the end, once. `stood`: it was open.
    virtual void has_left(bool stood, const std::string& why) = 0;
    bool left() const { return left_; }
    void leave();

    websocket::stream<beast::basic_stream<asio::ip::tcp, Executor>, false> stream_;  // without compression
    beast::flat_buffer buffer_;

  private:
    struct Outgoing {
        std::string message;
        bool binary = false;
    };

    template <class Handler>
    auto kept(Handler handler) {
        return [self = shared_from_this(), handler](beast::error_code error, auto&&...) { handler(error); };
    }
    void read_next();
    void read(beast::error_code error);
    void write_next();
    void written(beast::error_code error);
    void count_unsent(std::size_t bytes);

    int id_;
    Limits limits_;
    Inbox& inbox_;
    std::atomic<std::size_t>& all_unsent_;
    std::deque<Outgoing> outgoing_;
    std::size_t unsent_ = 0, waiting_ = 0;
    std::string why_, last_words_;  // last words: for finish()
    websocket::close_code last_code_ = websocket::close_code::normal;
    bool open_ = false, closing_ = false, finishing_ = false, paused_ = false, left_ = false, has_received_ = false;
};

}  // namespace outrider
