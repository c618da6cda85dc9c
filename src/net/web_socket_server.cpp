#include "net/web_socket_server.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>

#include "outrider/error.hpp"

namespace outrider {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using Tcp = asio::ip::tcp;

constexpr std::chrono::seconds handshake_time{10}, idle_time{60};
constexpr std::size_t event_bytes = 64;  // what an event costs besides its data

/// The first protocol that a client asks for and the server speaks. Nothing: there is none, though there has to be one.
std::optional<std::string> chosen_protocol(std::string_view asked, const std::vector<std::string>& spoken) {
    while (!asked.empty()) {
        const std::size_t end = std::min(asked.find(','), asked.size());
        std::string name(asked.substr(0, end));
        asked.remove_prefix(std::min(end + 1, asked.size()));
        name.erase(0, name.find_first_not_of(" \t"));
        name.erase(name.find_last_not_of(" \t") + 1);
        if (std::find(spoken.begin(), spoken.end(), name) != spoken.end()) return name;
    }
    return spoken.empty() ? std::optional<std::string>("") : std::nullopt;
}

/// Events for take(), from the server's thread.
class Inbox {
  public:
    void put(NetEvent event) {
        const std::lock_guard lock(mutex_);
        events_.push_back(std::move(event));
        filled_.notify_one();
    }
    std::vector<NetEvent> take(std::chrono::milliseconds wait) {
        std::unique_lock lock(mutex_);
        filled_.wait_for(lock, wait, [&] { return !events_.empty(); });
        return std::exchange(events_, {});
    }

  private:
    std::mutex mutex_;
    std::condition_variable filled_;
    std::vector<NetEvent> events_;
};

class Session;
using Sessions = std::map<int, std::shared_ptr<Session>>;

/// What the sessions share. Used by the server's thread alone, except for the inbox and `unsent`.
struct Hall {
    const WebSocketOptions& options;
    Inbox& inbox;
    Sessions sessions{};
    std::atomic<std::size_t> unsent{0};
};

/// One connection, from the handshake on.
class Session : public std::enable_shared_from_this<Session> {
  public:
    Session(Tcp::socket socket, int id, Hall& hall) : stream_(std::move(socket)), id_(id), hall_(hall) {}

    void begin() {
        parser_.header_limit(8192);
        parser_.body_limit(0);
        beast::get_lowest_layer(stream_).expires_after(handshake_time);
        http::async_read(stream_.next_layer(), buffer_, parser_,
                         [self = shared_from_this()](beast::error_code error, std::size_t) { self->asked(error); });
    }
    void send(std::string message, bool binary) {
        if (closing_) return;
        count_unsent(message.size() + event_bytes);
        if (unsent_ > hall_.options.most_unsent_bytes) return drop_slow();
        outgoing_.push_back({std::move(message), binary});
        if (outgoing_.size() == 1) write_next();
    }
    void drop_slow() {
        if (unsent_ > 0) drop("it reads too slowly");
    }
    /// What it sent was fetched: more may come.
    void fetched(std::size_t bytes) {
        waiting_ -= std::min(waiting_, bytes);
        if (std::exchange(paused_, false)) read_next();
    }
    /// Ends the connection when all that was sent has gone out.
    void finish() {
        finishing_ = true;
        if (outgoing_.empty()) close("the server ends", websocket::close_code::going_away);
    }
    void close(const std::string& why, websocket::close_code code = websocket::close_code::policy_error) {
        if (std::exchange(closing_, true)) return;
        why_ = why;
        if (!open_) return leave();
        const std::string said = why.substr(0, 120);  // a control frame holds 125 bytes
        stream_.async_close({code, said}, [self = shared_from_this()](beast::error_code) { self->leave(); });
    }

  private:
    struct Outgoing {
        std::string message;
        bool binary = false;
    };

    void asked(beast::error_code error) {
        if (error) return leave();
        const http::request<http::empty_body>& request = parser_.get();
        const auto field = request[http::field::sec_websocket_protocol];
        const auto protocol = chosen_protocol({field.data(), field.size()}, hall_.options.protocols);
        const bool full = hall_.sessions.size() > hall_.options.most_clients;
        if (!websocket::is_upgrade(request)) return refuse(http::status::upgrade_required, "expected a WebSocket\n");
        if (!protocol) return refuse(http::status::bad_request, "expected another Sec-WebSocket-Protocol\n");
        if (full) return refuse(http::status::service_unavailable, "too many clients\n");
        beast::get_lowest_layer(stream_).expires_never();  // from here on the stream has times of its own
        websocket::stream_base::timeout times = websocket::stream_base::timeout::suggested(beast::role_type::server);
        times.handshake_timeout = handshake_time;
        times.idle_timeout = idle_time;
        times.keep_alive_pings = true;
        stream_.set_option(times);
        stream_.read_message_max(hall_.options.most_message_bytes);
        if (!protocol->empty())
            stream_.set_option(websocket::stream_base::decorator(
                [name = *protocol](websocket::response_type& r) { r.set(http::field::sec_websocket_protocol, name); }));
        stream_.async_accept(request, [self = shared_from_this()](beast::error_code failed) {
            if (failed) return self->leave();
            self->open_ = true;
            self->hall_.inbox.put({NetEvent::Kind::joined, self->id_, {}});
            self->buffer_.clear();
            self->read_next();
        });
    }
    void refuse(http::status status, const char* text) {
        answer_ = {status, parser_.get().version()};
        answer_.set(http::field::content_type, "text/plain");
        answer_.body() = text;
        answer_.keep_alive(false);
        answer_.prepare_payload();
        http::async_write(stream_.next_layer(), answer_, [self = shared_from_this()](beast::error_code, std::size_t) {
            beast::error_code ignored;
            beast::get_lowest_layer(self->stream_).socket().shutdown(Tcp::socket::shutdown_send, ignored);
            self->leave();
        });
    }
    void read_next() {
        stream_.async_read(buffer_,
                           [self = shared_from_this()](beast::error_code error, std::size_t) { self->read(error); });
    }
    void read(beast::error_code error) {
        if (error) {
            if (closing_) return;  // leaves when the closing handshake is over
            if (error == websocket::error::message_too_big)
                why_ = fmt::format("a message of more than {} bytes", hall_.options.most_message_bytes);
            else if (error != websocket::error::closed)
                why_ = error.message();
            return leave();
        }
        NetEvent event{stream_.got_binary() ? NetEvent::Kind::binary : NetEvent::Kind::text, id_,
                       beast::buffers_to_string(buffer_.data())};
        buffer_.consume(buffer_.size());
        waiting_ += event.data.size() + event_bytes;
        paused_ = waiting_ > hall_.options.most_waiting_bytes;
        hall_.inbox.put(std::move(event));
        if (!paused_) read_next();
    }
    void write_next() {
        stream_.binary(outgoing_.front().binary);
        stream_.async_write(asio::buffer(outgoing_.front().message),
                            [self = shared_from_this()](beast::error_code error, std::size_t) {
                                if (error || !self->open_) return self->drop(error.message());
                                self->count_unsent(-(self->outgoing_.front().message.size() + event_bytes));
                                self->outgoing_.pop_front();
                                if (self->closing_) return;
                                if (!self->outgoing_.empty())
                                    self->write_next();
                                else if (self->finishing_)
                                    self->finish();
                            });
    }
    /// Modulo 2^64: also less.
    void count_unsent(std::size_t bytes) {
        unsent_ += bytes;
        hall_.unsent += bytes;
    }
    /// Without the closing handshake, for which a client that does not read would let us wait.
    void drop(const std::string& why) {
        closing_ = true;
        if (why_.empty()) why_ = why;
        leave();
    }
    void leave() {
        beast::error_code ignored;
        beast::get_lowest_layer(stream_).socket().close(ignored);
        closing_ = true;
        hall_.unsent -= std::exchange(unsent_, 0);
        const bool told = std::exchange(open_, false);
        if (hall_.sessions.erase(id_) > 0 && told) hall_.inbox.put({NetEvent::Kind::left, id_, why_});
    }

    websocket::stream<beast::tcp_stream> stream_;
    beast::flat_buffer buffer_;
    http::request_parser<http::empty_body> parser_;
    http::response<http::string_body> answer_;
    int id_;
    Hall& hall_;
    std::deque<Outgoing> outgoing_;
    std::size_t unsent_ = 0, waiting_ = 0;
    std::string why_;
    bool open_ = false, closing_ = false, finishing_ = false, paused_ = false;
};

}  // namespace

struct WebSocketServer::Parts {
    explicit Parts(const WebSocketOptions& o) : options(o), hall{options, inbox} {}

    void listen() {
        beast::error_code error;
        const asio::ip::address address = asio::ip::make_address(options.address, error);
        if (error) fail("{}: expected an address to listen at, such as 127.0.0.1", options.address);
        const Tcp::endpoint end(address, static_cast<unsigned short>(options.port));
        acceptor.open(end.protocol(), error);
        if (!error) acceptor.set_option(asio::socket_base::reuse_address(true), error);
        if (!error) acceptor.bind(end, error);
        if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
        if (error) fail("cannot listen at {}:{}: {}", options.address, options.port, error.message());
    }
    void accept_next() {
        acceptor.async_accept([this](beast::error_code error, Tcp::socket socket) {
            if (error == asio::error::operation_aborted) return;
            if (error) {  // such as too many open files: again, a little later
                pause.expires_after(std::chrono::milliseconds(100));
                pause.async_wait([this](beast::error_code stopped) {
                    if (!stopped) accept_next();
                });
                return;
            }
            // A few more than may stay, so that the others are told why.
            if (hall.sessions.size() < 2 * options.most_clients) {
                const auto session = std::make_shared<Session>(std::move(socket), ++last_id, hall);
                hall.sessions.emplace(last_id, session);
                session->begin();
            }
            accept_next();
        });
    }
    template <class Function>
    void with(int client, Function&& function) {
        asio::post(context, [this, client, function = std::forward<Function>(function)]() mutable {
            if (const auto at = hall.sessions.find(client); at != hall.sessions.end()) function(*at->second);
        });
    }

    const WebSocketOptions options;
    Inbox inbox;
    asio::io_context context{1};
    Tcp::acceptor acceptor{context};
    asio::steady_timer pause{context};
    Hall hall;
    int last_id = 0;
    std::thread thread;
};

WebSocketServer::WebSocketServer(const WebSocketOptions& options) : parts_(std::make_unique<Parts>(options)) {
    parts_->listen();
    parts_->accept_next();
    parts_->thread = std::thread([this] { parts_->context.run(); });
}

WebSocketServer::~WebSocketServer() {
    Parts& p = *parts_;
    asio::post(p.context, [&p] {
        p.acceptor.close();
        p.pause.cancel();
        const Sessions sessions = p.hall.sessions;  // each leaves the list when it is closed
        for (const auto& [id, session] : sessions) session->finish();
    });
    // Runs until nothing is left to do, but not for a client that does not answer.
    std::mutex mutex;
    std::condition_variable ended;
    bool done = false;
    std::thread guard([&] {
        std::unique_lock lock(mutex);
        if (!ended.wait_for(lock, std::chrono::milliseconds(500), [&] { return done; })) p.context.stop();
    });
    p.thread.join();
    {
        const std::lock_guard lock(mutex);
        done = true;
    }
    ended.notify_one();
    guard.join();
}

int WebSocketServer::port() const { return parts_->acceptor.local_endpoint().port(); }

std::vector<NetEvent> WebSocketServer::take(std::chrono::milliseconds wait) {
    std::vector<NetEvent> events = parts_->inbox.take(wait);
    std::map<int, std::size_t> bytes;
    for (const NetEvent& event : events)
        if (event.kind == NetEvent::Kind::text || event.kind == NetEvent::Kind::binary)
            bytes[event.client] += event.data.size() + event_bytes;
    for (const auto& [client, count] : bytes)
        parts_->with(client, [count = count](Session& session) { session.fetched(count); });
    return events;
}

void WebSocketServer::send(int client, std::string message, bool binary) {
    parts_->with(client, [message = std::move(message), binary](Session& session) mutable {
        session.send(std::move(message), binary);
    });
}

std::size_t WebSocketServer::unsent() const { return parts_->hall.unsent; }

void WebSocketServer::wait_for_readers(std::size_t bytes, std::chrono::milliseconds patience) {
    const auto end = std::chrono::steady_clock::now() + patience;
    while (unsent() > bytes && std::chrono::steady_clock::now() < end)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (unsent() <= bytes) return;
    asio::post(parts_->context, [this] {
        const Sessions sessions = parts_->hall.sessions;  // those that are dropped leave the list
        for (const auto& [id, session] : sessions) session->drop_slow();
    });
}

void WebSocketServer::close(int client, const std::string& why) {
    parts_->with(client, [why](Session& session) { session.close(why); });
}

}  // namespace outrider
