#include "net/web_socket_client.hpp"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <utility>

#include <fmt/format.h>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include "net/context_thread.hpp"
#include "net/web_socket_link.hpp"
#include "outrider/error.hpp"

namespace outrider {
namespace {

constexpr std::chrono::seconds silence_time{20};
constexpr std::size_t most_url_bytes = 2000;

struct Address {
    std::string host;  ///< name or number, without the brackets of IPv6
    int port = 80;
    std::string host_and_port, path;  ///< as they go into the handshake
};

Address parse_url(const std::string& url) {
    const auto refuse = [&](const char* why) {
        fail("{}: expected a URL such as ws://127.0.0.1:9090{}", url.substr(0, most_url_bytes), why);
    };
    constexpr std::string_view scheme = "ws://";
    if (url.size() > most_url_bytes || !url.starts_with(scheme)) refuse("");
    if (std::any_of(url.begin(), url.end(), [](char c) { return c <= ' ' || c > '~' || c == '#'; }))
        refuse(": there is a character that a URL cannot have");
    const std::size_t path = std::min(url.find_first_of("/?", scheme.size()), url.size());
    Address out;
    out.host_and_port = url.substr(scheme.size(), path - scheme.size());
    out.path = url.substr(path);
    if (!out.path.starts_with('/')) out.path = "/" + out.path;
    const bool is_ipv6 = out.host_and_port.starts_with('[');
    const std::size_t host_end = is_ipv6 ? out.host_and_port.find(']') : out.host_and_port.find(':');
    if (is_ipv6 && host_end == std::string::npos) refuse(": there is no ]");
    out.host = out.host_and_port.substr(is_ipv6, host_end - is_ipv6);
    if (out.host.empty() || out.host.find('@') != std::string::npos) refuse(": there is no name of a host");
    std::string_view rest(out.host_and_port);
    rest.remove_prefix(std::min(host_end, rest.size()));
    if (is_ipv6) rest.remove_prefix(1);
    if (rest.empty()) return out;
    const auto [end, error] = std::from_chars(rest.data() + 1, rest.data() + rest.size(), out.port);
    if (rest[0] != ':' || error != std::errc() || end != rest.data() + rest.size() || out.port < 1 || out.port > 65535)
        refuse(": expected a port from 1 to 65535");
    return out;
}

/// What the links of one client share.
struct ClientHall {
    const WebSocketClientOptions options;
    const Address address;
    Inbox inbox{};
    std::atomic<std::size_t> unsent{0};
    std::atomic<bool> connected{false};
};

/// One attempt to connect, and the link when it succeeds.
class Attempt final : public WebSocketLink {
  public:
    /// `ended(stood, why)` is called at its end.
    Attempt(asio::io_context& context, int id, ClientHall& hall, std::function<void(bool, const std::string&)> ended)
        : WebSocketLink(Tcp::socket(context), id, {hall.options.most_message_bytes, hall.options.most_waiting_bytes},
                        hall.inbox, hall.unsent),
          names_(context),
          hall_(hall),
          ended_(std::move(ended)) {}

    void begin() {
        beast::error_code error;
        const asio::ip::address number = asio::ip::make_address(hall_.address.host, error);
        const auto port = static_cast<unsigned short>(hall_.address.port);
        if (!error) return connect(std::vector{Tcp::endpoint(number, port)});
        names_.async_resolve(
            hall_.address.host, std::to_string(port),
            [this, self = shared_from_this()](beast::error_code failed, const Tcp::resolver::results_type& found) {
                if (left()) return;
                if (failed) return drop(failed.message());
                connect(found);
            });
    }

  private:
    template <class Ends>
    void connect(const Ends& ends) {
        beast::get_lowest_layer(stream_).expires_after(hall_.options.answer_time);
        beast::get_lowest_layer(stream_).async_connect(
            ends, [this, self = shared_from_this()](beast::error_code error, const Tcp::endpoint&) {
                if (!refused(error)) shake_hands();
            });
    }
    void shake_hands() {
        set_up(beast::role_type::client, hall_.options.answer_time, silence_time);
        if (!hall_.options.protocol.empty())
            stream_.set_option(
                websocket::stream_base::decorator([name = hall_.options.protocol](websocket::request_type& r) {
                    r.set(beast::http::field::sec_websocket_protocol, name);
                }));
        stream_.async_handshake(answer_, hall_.address.host_and_port, hall_.address.path,
                                [this, self = shared_from_this()](beast::error_code error) {
                                    if (refused(error)) return;
                                    const std::string& asked = hall_.options.protocol;
                                    if (!asked.empty() && answer_[beast::http::field::sec_websocket_protocol] != asked)
                                        return drop(fmt::format("it does not speak {}", asked));
                                    hall_.connected = true;
                                    open();
                                });
    }
    /// Whether the attempt is over.
    bool refused(beast::error_code error) {
        if (left()) return true;
        if (!error) return false;
        if (error == beast::error::timeout)
            drop(fmt::format("no answer within {} seconds", hall_.options.answer_time.count()));
        else if (error == websocket::error::upgrade_declined)
            drop(fmt::format("it answered with status {} of HTTP", answer_.result_int()));
        else
            drop(error.message());
        return true;
    }
    void has_left(bool stood, const std::string& why) override {
        names_.cancel();
        hall_.connected = false;
        ended_(stood, why);
    }

    Tcp::resolver names_;
    websocket::response_type answer_;
    ClientHall& hall_;
    std::function<void(bool, const std::string&)> ended_;
};

}  // namespace

struct WebSocketClient::Parts {
    explicit Parts(const WebSocketClientOptions& options) : hall{options, parse_url(options.url)} {}

    void attempt() {
        ++attempts;
        began = std::chrono::steady_clock::now();
        link = std::make_shared<Attempt>(context, stood_times + 1, hall,
                                         [this](bool stood, const std::string& why) { ended(stood, why); });
        link->begin();
    }
    void ended(bool stood, const std::string& why) {
        link.reset();
        if (stood) {
            hall.inbox.put({NetEvent::Kind::left, ++stood_times, why});
            last_failure.clear();
        } else if (!ending && why != last_failure) {
            last_failure = why;
            hall.inbox.put({NetEvent::Kind::left, stood_times,
                            fmt::format("cannot connect to ws://{}: {}", hall.address.host_and_port, why)});
        }
        if (ending) return;
        // A link that breaks at once, again and again, is no better than none.
        if (stood && std::chrono::steady_clock::now() - began > hall.options.longest_wait)
            wait = hall.options.first_wait;
        pause.expires_after(wait);
        wait = std::min(2 * wait, hall.options.longest_wait);
        pause.async_wait([this](beast::error_code stopped) {
            if (!stopped && !ending) attempt();
        });
    }
    void end() {
        ending = true;
        pause.cancel();
        if (const auto last = link) last->finish("good-bye", websocket::close_code::normal);
    }

    ClientHall hall;
    asio::io_context context{1};
    Timer pause{context};
    std::shared_ptr<Attempt> link;
    std::chrono::steady_clock::time_point began{};
    std::chrono::milliseconds wait = hall.options.first_wait;
    int stood_times = 0;
    std::atomic<int> attempts{0};
    std::string last_failure;
    bool ending = false;
    ContextThread thread{context};
};

WebSocketClient::WebSocketClient(const WebSocketClientOptions& options) : parts_(std::make_unique<Parts>(options)) {
    parts_->attempt();
    parts_->thread.begin();
}

WebSocketClient::~WebSocketClient() {
    parts_->thread.finish([p = parts_.get()] { p->end(); });
}

std::vector<NetEvent> WebSocketClient::take(std::chrono::milliseconds wait) {
    std::vector<NetEvent> events = parts_->hall.inbox.take(wait);
    for (const auto& [id, bytes] : message_bytes(events))
        asio::post(parts_->context, [p = parts_.get(), id = id, bytes = bytes] {
            if (p->link && p->link->id() == id) p->link->fetched(bytes);
        });
    return events;
}

bool WebSocketClient::send(std::string message, bool binary) {
    ClientHall& hall = parts_->hall;
    const std::size_t bytes = message.size() + event_bytes;
    if (!hall.connected) return false;
    if (hall.unsent.fetch_add(bytes) + bytes > hall.options.most_unsent_bytes) {
        hall.unsent -= bytes;
        return false;
    }
    asio::post(parts_->context, [p = parts_.get(), message = std::move(message), binary, bytes]() mutable {
        p->hall.unsent -= bytes;  // the link counts from here on
        if (p->link && p->hall.connected) p->link->send(std::move(message), binary);
    });
    return true;
}

bool WebSocketClient::connected() const { return parts_->hall.connected; }

int WebSocketClient::attempts() const { return parts_->attempts; }

}  // namespace outrider
