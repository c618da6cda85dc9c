#include "net/web_socket_link.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace outrider {

void WebSocketLink::set_up(beast::role_type role, std::chrono::seconds handshake, std::chrono::seconds idle) {
    beast::get_lowest_layer(stream_).expires_never();  // from here on the stream has times of its own
    websocket::stream_base::timeout times = websocket::stream_base::timeout::suggested(role);
    times.handshake_timeout = handshake;
    times.idle_timeout = idle;
    times.keep_alive_pings = true;
    stream_.set_option(times);
    stream_.read_message_max(limits_.message_bytes);
    beast::error_code ignored;
    beast::get_lowest_layer(stream_).socket().set_option(Tcp::no_delay(true), ignored);
}

void WebSocketLink::open() {
    open_ = true;
    inbox_.put({NetEvent::Kind::joined, id_, {}});
    buffer_.clear();
    read_next();
}

void WebSocketLink::send(std::string message, bool binary) {
    if (!open_ || closing_) return;
    count_unsent(message.size() + event_bytes);
    outgoing_.push_back({std::move(message), binary});
    if (outgoing_.size() == 1) write_next();
}

void WebSocketLink::fetched(std::size_t bytes) {
    waiting_ -= std::min(waiting_, bytes);
    if (std::exchange(paused_, false)) read_next();
}

void WebSocketLink::finish(const std::string& why, websocket::close_code code) {
    finishing_ = true;
    last_words_ = why;
    last_code_ = code;
    if (outgoing_.empty()) close(why, code);
}

void WebSocketLink::close(const std::string& why, websocket::close_code code) {
    if (std::exchange(closing_, true)) return;
    why_ = why;
    if (!open_) return leave();
    const std::string reason = why.substr(0, 120);  // a control frame holds 125 bytes
    stream_.async_close({code, reason}, kept([this](beast::error_code) { leave(); }));
}

void WebSocketLink::drop(const std::string& why) {
    closing_ = true;
    if (why_.empty()) why_ = why;
    leave();
}

void WebSocketLink::leave() {
    if (std::exchange(left_, true)) return;
    closing_ = true;
    beast::error_code ignored;
    beast::get_lowest_layer(stream_).socket().close(ignored);
    all_unsent_ -= std::exchange(unsent_, 0);
    has_left(std::exchange(open_, false), why_);
}

void WebSocketLink::read_next() {
    stream_.async_read(buffer_, kept([this](beast::error_code error) { read(error); }));
}

void WebSocketLink::read(beast::error_code error) {
    if (error) {
        if (closing_) return;  // leaves when the closing handshake is over
        const websocket::close_reason& reason = stream_.reason();
        if (error == websocket::error::message_too_big)
            why_ = fmt::format("a message of more than {} bytes", limits_.message_bytes);
        else if (error == beast::error::timeout)
            why_ = "nothing was received for too long";
        else if (error != websocket::error::closed)
            why_ = error.message();
        else if (reason.code == websocket::close_code::policy_error)  // no good-bye: it turned us out
            why_ = reason.reason.c_str();
        return leave();
    }
    NetEvent event{stream_.got_binary() ? NetEvent::Kind::binary : NetEvent::Kind::text, id_,
                   beast::buffers_to_string(buffer_.data())};
    buffer_.consume(buffer_.size());
    has_received_ = true;
    waiting_ += event.data.size() + event_bytes;
    paused_ = waiting_ > limits_.waiting_bytes;
    inbox_.put(std::move(event));
    if (!paused_) read_next();
}

void WebSocketLink::write_next() {
    stream_.binary(outgoing_.front().binary);
    stream_.async_write(asio::buffer(outgoing_.front().message),
                        kept([this](beast::error_code error) { written(error); }));
}

void WebSocketLink::written(beast::error_code error) {
    if (error || !open_) return drop(error.message());
    count_unsent(-(outgoing_.front().message.size() + event_bytes));
    outgoing_.pop_front();
    if (closing_) return;
    if (!outgoing_.empty())
        write_next();
    else if (finishing_)
        finish(last_words_, last_code_);
}

/// Modulo 2^64: also less.
void WebSocketLink::count_unsent(std::size_t bytes) {
    unsent_ += bytes;
    all_unsent_ += bytes;
}

}  // namespace outrider
