#include "net/line_connection.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>
#include <boost/asio/buffer.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>

#include "net/visitors.hpp"

namespace outrider {
namespace {

constexpr std::size_t cost_bytes = 64;  // of an event or of a text to send, besides its characters

}  // namespace

std::map<int, std::size_t> line_bytes(const std::vector<NetEvent>& events) {
    std::map<int, std::size_t> bytes;
    for (const NetEvent& event : events)
        if (event.kind == NetEvent::Kind::text) bytes[event.client] += event.data.size() + cost_bytes;
    return bytes;
}

LineConnection::LineConnection(Socket socket, std::string address, int id, const LineLimits& limits, Inbox& inbox,
                               Left left)
    : socket_(std::move(socket)),
      patience_(socket_.get_executor()),
      address_(std::move(address)),
      id_(id),
      limits_(limits),
      inbox_(inbox),
      left_(std::move(left)) {}

void LineConnection::begin() { read_next(); }

bool LineConnection::offer(std::string text) {
    const std::size_t bytes = text.size() + cost_bytes;
    if (unsent_.fetch_add(bytes) + bytes > limits_.most_unsent_bytes) {
        unsent_ -= bytes;
        return false;
    }
    asio::post(socket_.get_executor(), [self = shared_from_this(), text = std::move(text)]() mutable {
        if (!self->open_ || self->closing_) return;
        self->outgoing_.push_back(std::move(text));
        if (self->outgoing_.size() == 1) self->write_next();
    });
    return true;
}

void LineConnection::fetched(std::size_t bytes) {
    waiting_ -= std::min(waiting_, bytes);
    if (std::exchange(paused_, false)) take_lines();
}

void LineConnection::close(const std::string& why) {
    // After what was offered before, from whatever thread.
    asio::post(socket_.get_executor(), [self = shared_from_this(), why] {
        if (!self->open_ || std::exchange(self->closing_, true)) return;
        self->why_ = why;
        self->patience_.expires_after(std::chrono::milliseconds(500));
        self->patience_.async_wait([self](error_code stopped) {
            if (!stopped) self->drop(self->why_);
        });
        if (self->outgoing_.empty()) self->say_good_bye();
    });
}

/// Waits for the other side to say it too: what is closed while bytes of it come in takes back what was just sent.
void LineConnection::say_good_bye() {
    error_code ignored;
    socket_.shutdown(Socket::shutdown_send, ignored);
    if (!reading_) read_next();
}

void LineConnection::drop(const std::string& why) {
    if (!std::exchange(open_, false)) return;
    error_code ignored;
    socket_.close(ignored);
    patience_.cancel();
    std::exchange(left_, {})(closing_ ? why_ : why);
}

void LineConnection::read_next() {
    reading_ = true;
    socket_.async_read_some(asio::buffer(chunk_), [self = shared_from_this()](error_code error, std::size_t bytes) {
        self->reading_ = false;
        if (!self->open_) return;
        if (error) return self->drop(error == asio::error::eof ? "" : error.message());
        if (self->closing_) return self->read_next();  // nobody hears it
        self->text_.append(self->chunk_.data(), bytes);
        self->take_lines();
    });
}

/// Hands over the lines that are complete, as far as there is room for them, and reads on when there are no more.
void LineConnection::take_lines() {
    if (!open_ || closing_) return;
    while (true) {
        const std::size_t end = text_.find(limits_.end, looked_);
        const std::size_t length = std::min(end, text_.size()) - begin_;
        if (length > limits_.most_line_bytes + 1)  // "\r" does not count, nor may it have come yet
            return drop(fmt::format("a line of more than {} bytes", limits_.most_line_bytes));
        if (end == std::string::npos) break;
        std::string line = text_.substr(begin_, length);
        if (line.ends_with('\r')) line.pop_back();
        if (line.size() > limits_.most_line_bytes)
            return drop(fmt::format("a line of more than {} bytes", limits_.most_line_bytes));
        if (!has_received_ && limits_.serves && begins_like_a_browser(line))
            return drop("it speaks HTTP or TLS: a web page, which may not take part");
        begin_ = looked_ = end + 1;
        has_received_ = true;
        waiting_ += line.size() + cost_bytes;
        inbox_.put({NetEvent::Kind::text, id_, std::move(line)});
        if ((paused_ = waiting_ > limits_.most_waiting_bytes)) return;
    }
    text_.erase(0, begin_);
    begin_ = 0;
    looked_ = text_.size();
    if (!reading_) read_next();
}

void LineConnection::write_next() {
    asio::async_write(socket_, asio::buffer(outgoing_.front()),
                      [self = shared_from_this()](error_code error, std::size_t) {
                          if (!self->open_) return;
                          if (error) return self->drop(error.message());
                          self->unsent_ -= self->outgoing_.front().size() + cost_bytes;
                          self->outgoing_.pop_front();
                          if (!self->outgoing_.empty())
                              self->write_next();
                          else if (self->closing_)
                              self->say_good_bye();
                      });
}

}  // namespace outrider
