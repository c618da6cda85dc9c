#include "net/tcp_forwarder.hpp"

#include <array>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>

#include "net/context_thread.hpp"
#include "net/tcp.hpp"
#include "outrider/error.hpp"

namespace outrider {
namespace {

/// From which ports of this side connections of doors go out.
class SourcePorts {
  public:
    void add(int port, int door) {
        const std::lock_guard lock(mutex_);
        doors_[port] = door;
    }
    void remove(int port) {
        const std::lock_guard lock(mutex_);
        doors_.erase(port);
    }
    std::optional<int> door_of(int port) const {
        const std::lock_guard lock(mutex_);
        const auto at = doors_.find(port);
        return at == doors_.end() ? std::nullopt : std::optional<int>(at->second);
    }

  private:
    mutable std::mutex mutex_;
    std::map<int, int> doors_;
};

struct Door;

/// A connection to a door and the one that it leads to.
class Stream : public std::enable_shared_from_this<Stream> {
  public:
    Stream(Tcp::socket from, Tcp::socket to, std::shared_ptr<Door> door, SourcePorts& sources)
        : from_(std::move(from)), to_(std::move(to)), door_(std::move(door)), sources_(sources) {}

    void begin(const Tcp::endpoint& target);
    void end();

  private:
    struct Direction {
        std::array<char, 16384> bytes;
        bool over = false;
    };

    /// Reads, then writes what was read, then reads again: the slower side sets the pace.
    void pass(Tcp::socket& in, Tcp::socket& out, Direction& direction) {
        in.async_read_some(asio::buffer(direction.bytes), [this, self = shared_from_this(), &in, &out, &direction](
                                                              error_code error, std::size_t bytes) {
            if (error == asio::error::eof) return over(out, direction);
            if (error) return end();
            asio::async_write(out, asio::buffer(direction.bytes, bytes),
                              [this, self, &in, &out, &direction](error_code failed, std::size_t) {
                                  failed ? end() : pass(in, out, direction);
                              });
        });
    }
    /// One side has said all; the other one may go on.
    void over(Tcp::socket& out, Direction& direction) {
        direction.over = true;
        if (forth_.over && back_.over) return end();
        error_code ignored;
        out.shutdown(Tcp::socket::shutdown_send, ignored);
    }

    Tcp::socket from_, to_;
    std::shared_ptr<Door> door_;  // nothing: the stream has ended
    SourcePorts& sources_;
    int source_port_ = 0;
    Direction forth_, back_;
};

struct Door {
    Door(asio::io_context& context, const std::string& address) : listener(context, address, 0) {}

    Listener listener;
    Tcp::endpoint target;
    std::set<std::shared_ptr<Stream>> streams;
    bool open = false;

    void cut() {
        const std::set<std::shared_ptr<Stream>> all = streams;  // each leaves the list
        for (const auto& stream : all) stream->end();
    }
};

void Stream::begin(const Tcp::endpoint& target) {
    error_code error;
    to_.open(target.protocol(), error);
    if (!error) to_.bind({target.protocol(), 0}, error);
    if (error) return end();
    prepare_socket(to_);
    source_port_ = to_.local_endpoint(error).port();  // known before anybody can see it
    sources_.add(source_port_, door_->listener.port());
    to_.async_connect(target, [this, self = shared_from_this()](error_code refused) {
        if (refused || !door_) return end();
        pass(from_, to_, forth_);
        pass(to_, from_, back_);
    });
}

void Stream::end() {
    if (source_port_ != 0) sources_.remove(std::exchange(source_port_, 0));  // before anybody can see the end
    error_code ignored;
    from_.close(ignored);
    to_.close(ignored);
    if (const auto door = std::exchange(door_, nullptr)) door->streams.erase(shared_from_this());
}

}  // namespace

struct TcpForwarder::Parts {
    explicit Parts(const TcpForwarderOptions& o) : options(o) {}

    void accepted(const std::shared_ptr<Door>& door, Tcp::socket socket) {
        if (!door->open || door->streams.size() >= options.most_streams_of_door) return;
        const auto stream = std::make_shared<Stream>(std::move(socket), Tcp::socket(context), door, sources);
        door->streams.insert(stream);
        stream->begin(door->target);
    }
    /// Lives on until the context has nothing left of it to do.
    void close(const std::shared_ptr<Door>& door) {
        door->open = false;
        door->cut();
        door->listener.close();
        asio::post(context, [door] {});
    }

    const TcpForwarderOptions options;
    asio::io_context context{1};
    SourcePorts sources;
    std::map<int, std::shared_ptr<Door>> doors;  // by port; of the owner's thread
    ContextThread thread{context};
};

TcpForwarder::TcpForwarder(const TcpForwarderOptions& options) : parts_(std::make_unique<Parts>(options)) {
    parts_->thread.begin();
}

TcpForwarder::~TcpForwarder() {
    parts_->thread.finish([&p = *parts_] {
        for (const auto& [port, door] : p.doors) p.close(door);
    });
}

std::optional<int> TcpForwarder::add_door(const std::string& address, int port) {
    Parts& p = *parts_;
    if (p.doors.size() >= p.options.most_doors) return {};
    error_code error;
    const asio::ip::address target = asio::ip::make_address(address, error);
    if (error) fail("{}: expected an address such as 127.0.0.1", address);
    const auto door = std::make_shared<Door>(p.context, p.options.address);
    door->target = {target, static_cast<unsigned short>(port)};
    p.doors[door->listener.port()] = door;
    asio::post(p.context, [&p, door] {
        door->listener.begin([&p, weak = std::weak_ptr(door)](Tcp::socket socket) {
            if (const auto there = weak.lock()) p.accepted(there, std::move(socket));
        });
    });
    return door->listener.port();
}

void TcpForwarder::set_open(int door, bool open) {
    const auto at = parts_->doors.find(door);
    if (at == parts_->doors.end()) return;
    asio::post(parts_->context, [door = at->second, open] {
        door->open = open;
        if (!open) door->cut();
    });
}

void TcpForwarder::remove_door(int door) {
    const auto at = parts_->doors.find(door);
    if (at == parts_->doors.end()) return;
    asio::post(parts_->context, [&p = *parts_, door = at->second] { p.close(door); });
    parts_->doors.erase(at);
}

std::optional<int> TcpForwarder::door_of(int source_port) const { return parts_->sources.door_of(source_port); }

}  // namespace outrider
