#include "net/web_socket_server.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <optional>
#include <set>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http.hpp>

#include "net/context_thread.hpp"
#include "net/silent.hpp"
#include "net/visitors.hpp"
#include "net/web_socket_link.hpp"
#include "outrider/error.hpp"

namespace outrider {
namespace {

namespace http = beast::http;

constexpr std::chrono::seconds handshake_time{10}, idle_time{60};
constexpr std::size_t most_refusals = 20;  // that are told of

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

class Session;
using Sessions = std::map<int, std::shared_ptr<Session>>;

/// What the sessions share. Used by the server's thread alone, except for the inbox and `unsent`.
struct Hall {
    const WebSocketOptions& options;
    Inbox& inbox;
    Sessions sessions{};
    std::atomic<std::size_t> unsent{0};
    std::set<std::string> refusals{};
};

/// One connection, from the handshake on.
class Session final : public WebSocketLink {
  public:
    Session(Tcp::socket socket, int id, Hall& hall)
        : WebSocketLink(std::move(socket), id, {hall.options.most_message_bytes, hall.options.most_waiting_bytes},
                        hall.inbox, hall.unsent),
          hall_(hall) {
        beast::error_code gone;
        address_ = beast::get_lowest_layer(stream_).socket().remote_endpoint(gone).address().to_string();
    }

    const std::string& address() const { return address_; }
    void begin() {
        parser_.header_limit(most_header_bytes);
        parser_.body_limit(0);
        beast::get_lowest_layer(stream_).expires_after(handshake_time);
        http::async_read(stream_.next_layer(), buffer_, parser_,
                         [this, self = shared_from_this()](beast::error_code error, std::size_t) { asked(error); });
    }
    void send_or_drop(std::string message, bool binary) {
        send(std::move(message), binary);
        if (unsent() > hall_.options.most_unsent_bytes) drop_slow();
    }
    void drop_slow() {
        if (unsent() > 0) drop("it reads too slowly");
    }

  private:
    void asked(beast::error_code error) {
        if (error) return leave();
        const http::request<http::empty_body>& request = parser_.get();
        const auto field = request[http::field::sec_websocket_protocol];
        const auto protocol = chosen_protocol({field.data(), field.size()}, hall_.options.protocols);
        const std::string refusal = refusal_of({fields(http::field::host), fields(http::field::origin)},
                                               hall_.options.address, hall_.options.origins);
        if (!websocket::is_upgrade(request)) return refuse(http::status::upgrade_required, "expected a WebSocket\n");
        if (!protocol) return refuse(http::status::bad_request, "expected another Sec-WebSocket-Protocol\n");
        if (!refusal.empty()) {
            if (hall_.refusals.size() < most_refusals && hall_.refusals.insert(refusal).second)
                hall_.inbox.put({NetEvent::Kind::refused, id(), refusal});
            return refuse(http::status::forbidden, refusal + '\n');
        }
        if (!make_room()) return refuse(http::status::service_unavailable, "too many clients\n");
        set_up(beast::role_type::server, handshake_time, idle_time);
        if (!protocol->empty())
            stream_.set_option(websocket::stream_base::decorator(
                [name = *protocol](websocket::response_type& r) { r.set(http::field::sec_websocket_protocol, name); }));
        // At once: so short an answer fits into the buffer of a connection that nothing was sent on.
        beast::error_code failed;
        stream_.accept(request, failed);
        if (failed) return leave();
        open();
    }
    std::vector<std::string> fields(http::field name) const {
        std::vector<std::string> out;
        const auto [begin, end] = parser_.get().equal_range(name);
        for (auto at = begin; at != end; ++at) out.emplace_back(at->value().data(), at->value().size());
        return out;
    }
    /// For one more that stands.
    bool make_room() {
        const auto stand = std::count_if(hall_.sessions.begin(), hall_.sessions.end(),
                                         [](const auto& at) { return at.second->stands(); });
        if (static_cast<std::size_t>(stand) < hall_.options.most_clients) return true;
        const int silent =
            longest_silent(hall_.sessions, [](const Session& s) { return s.stands() && !s.has_received(); });
        if (silent > 0) hall_.sessions.at(silent)->close("it sent nothing, and others wait");
        return silent > 0;
    }
    void refuse(http::status status, const std::string& text) {
        // As text: a message of Beast's, with its ways to write it in parts, takes the compiler as long as the rest.
        answer_ = fmt::format(
            "HTTP/1.1 {} {}\r\nContent-Type: text/plain\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{}",
            static_cast<unsigned>(status), std::string(http::obsolete_reason(status)), text.size(), text);
        asio::async_write(beast::get_lowest_layer(stream_), asio::buffer(answer_),
                          [this, self = shared_from_this()](beast::error_code, std::size_t) {
                              beast::error_code ignored;
                              beast::get_lowest_layer(stream_).socket().shutdown(Tcp::socket::shutdown_send, ignored);
                              leave();
                          });
    }
    void has_left(bool stood, const std::string& why) override {
        hall_.sessions.erase(id());
        if (stood) hall_.inbox.put({NetEvent::Kind::left, id(), why});
    }

    http::request_parser<http::empty_body> parser_;
    std::string answer_, address_;
    Hall& hall_;
};

}  // namespace

struct WebSocketServer::Parts {
    explicit Parts(const WebSocketOptions& o) : options(o), listener(context, o.address, o.port) {}

    void accepted(Tcp::socket socket) {
        // A few more than may stay, so that the others are told why.
        if (hall.sessions.size() >= 2 * options.most_clients) {
            const int silent = longest_silent(hall.sessions, [](const Session& s) { return !s.has_received(); });
            if (silent == 0) return;
            const std::shared_ptr<Session> gone = hall.sessions.at(silent);  // which leaves the list
            gone->drop("it sent nothing, and others wait");
        }
        const auto session = std::make_shared<Session>(std::move(socket), ++last_id, hall);
        hall.sessions.emplace(last_id, session);
        session->begin();
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
    Listener listener;
    Hall hall{options, inbox};
    int last_id = 0;
    ContextThread thread{context};
};

WebSocketServer::WebSocketServer(const WebSocketOptions& options) : parts_(std::make_unique<Parts>(options)) {
    parts_->listener.begin([p = parts_.get()](Tcp::socket socket) { p->accepted(std::move(socket)); });
    parts_->thread.begin();
}

WebSocketServer::~WebSocketServer() {
    Parts& p = *parts_;
    p.thread.finish([&p] {
        p.listener.close();
        const Sessions sessions = p.hall.sessions;  // each leaves the list when it is closed
        for (const auto& [id, session] : sessions)
            session->finish("the server ends", websocket::close_code::going_away);
    });
}

int WebSocketServer::port() const { return parts_->listener.port(); }

std::vector<NetEvent> WebSocketServer::take(std::chrono::milliseconds wait) {
    std::vector<NetEvent> events = parts_->inbox.take(wait);
    for (const auto& [client, count] : message_bytes(events))
        parts_->with(client, [count = count](Session& session) { session.fetched(count); });
    return events;
}

void WebSocketServer::send(int client, std::string message, bool binary) {
    parts_->with(client, [message = std::move(message), binary](Session& session) mutable {
        session.send_or_drop(std::move(message), binary);
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
