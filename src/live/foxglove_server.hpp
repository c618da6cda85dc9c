// Shows a run in Foxglove as it goes: the server side of its WebSocket protocol, version 1, with messages as JSON.
// Specification: github.com/foxglove/ws-protocol.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/json.hpp"
#include "mcap/coding.hpp"
#include "mcap/topic_sink.hpp"
#include "net/web_socket_server.hpp"

namespace outrider {

/// Belongs to one thread, that of the run; clients are served while it calls serve() or flush().
class FoxgloveServer final : public TopicSink {
  public:
    /// `name`: of what is shown; `origins`: of web pages that may look on. Throws Error when the address or port cannot
    /// be used.
    FoxgloveServer(const std::string& address, int port, std::string name, std::vector<std::string> origins = {});

    /// "ws://127.0.0.1:8765"
    std::string url() const;
    /// Keeps the message as the newest of its topic, and sends it to those who subscribed to that.
    void write(const std::string& topic, std::uint64_t time_ns, const ToolMessage& message,
               const std::map<std::string, std::string>& about = {}) override;
    /// Tells the time of the newest message, and serves clients.
    void flush() override;
    /// Does what clients ask for, and waits for that up to `wait`.
    void serve(std::chrono::milliseconds wait);
    /// Waits for viewers that read slowly; one that reads nothing for five seconds is dropped.
    void wait_for_readers() { server_.wait_for_readers(4 << 20, std::chrono::seconds(5)); }
    /// Clients that subscribed to something.
    std::size_t viewers() const;
    /// What clients did wrong since the last call.
    std::vector<std::string> take_complaints() { return std::exchange(complaints_, {}); }

  private:
    struct Channel {
        std::uint32_t id = 0;
        MessageKind kind{};
        std::uint64_t time_ns = 0;
        ToolMessage newest;
        std::map<std::string, std::string> about;
    };
    /// By number of the subscription: the channel.
    using Subscriptions = std::map<std::uint32_t, std::uint32_t>;

    void hear(int client, const std::string& text);
    void subscribe(int client, const Json& request);
    void unsubscribe(int client, const Json& request);
    void complain(int client, const std::string& what);
    std::string advertisement(const Channel& channel, const std::string& topic) const;
    void send(int client, std::uint32_t subscription, std::uint64_t time_ns, const std::string& bytes);

    std::string name_, address_;
    WebSocketServer server_;
    std::map<std::string, Channel> channels_;      // by topic
    std::map<std::uint32_t, std::string> topics_;  // of channels
    std::map<int, Subscriptions> clients_;
    std::vector<std::string> complaints_;
    std::uint64_t time_ns_ = 0;
};

}  // namespace outrider
