// Passes byte streams on, on a thread of its own: each of its doors is a port whose connections lead to a port of
// another host, while the door is open. Of each connection it holds no more than it can pass on at once.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

namespace outrider {

struct TcpForwarderOptions {
    std::string address = "127.0.0.1";  ///< of the doors
    std::size_t most_doors = 64;
    std::size_t most_streams_of_door = 16;  ///< connections at a time; more are turned away
};

class TcpForwarder {
  public:
    explicit TcpForwarder(const TcpForwarderOptions& options);
    ~TcpForwarder();
    TcpForwarder(const TcpForwarder&) = delete;
    TcpForwarder& operator=(const TcpForwarder&) = delete;

    /// A door, closed at first, to `port` of a host with this address; its own port. Nothing: there are as many as
    /// there may be. Throws Error when `address` is none, or no port is free.
    std::optional<int> add_door(const std::string& address, int port);
    /// A closed door turns connections away, and cuts those that are there.
    void set_open(int door, bool open);
    void remove_door(int door);
    /// The door of a connection whose target sees it come from `source_port`; nothing: there is none.
    std::optional<int> door_of(int source_port) const;

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace outrider
