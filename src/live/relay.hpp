// Carries the messages of robots that are processes of their own: a server that all of them connect to, by WebSocket.
// It passes on what the radio lets through.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "outrider/briefing.hpp"

namespace outrider {

/// What a relay does to messages: the same chances in the same order for the same seed.
struct RelayOptions {
    std::string address = "127.0.0.1";
    int port = 0;                        ///< 0: any that is free
    double loss = 0;                     ///< share of the messages that are lost
    std::chrono::milliseconds delay{0};  ///< all come so much later
    std::uint64_t seed = 1;
};

class RelayServer {
  public:
    /// `names`: of the robots, by number; empty: whoever comes. Throws Error when the address or port cannot be used.
    RelayServer(const RelayOptions& options, std::vector<std::string> names);
    ~RelayServer();

    std::string url() const;
    /// Whether a message of `from` reaches `to` now; nothing: all do. Asked for each message.
    void set_links(std::function<bool(RobotId from, RobotId to)> linked);
    /// Takes messages and passes them on at once; waits for some up to `wait`. For a relay that nobody steps.
    void serve(std::chrono::milliseconds wait);
    /// In lock-step: takes messages of robots until each connected one of `robots` said that it has sent all of `step`,
    /// or `patience` is over. False: somebody did not.
    bool collect(int step, std::span<const RobotId> robots, std::chrono::milliseconds patience);
    /// In lock-step: passes on what was collected, then tells all robots that `step` has come.
    void deliver(int step);
    std::vector<std::string> take_complaints();

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

/// The link of one robot to a relay. It connects, and connects again, by itself.
class RelayClient {
  public:
    RelayClient(const std::string& url, const std::string& robot);
    ~RelayClient();
    struct Arrived {
        std::string from;  ///< name of the sender
        std::string bytes;
    };
    void send(const std::string& to, const std::string& bytes);
    /// In lock-step: all of this step has been sent.
    void end_step(int step);
    /// What arrived since the last call; waits for something up to `wait`.
    std::vector<Arrived> take(std::chrono::milliseconds wait);
    /// In lock-step: waits until `step` has come, for at most `patience`. False: it did not.
    bool wait_for(int step, std::chrono::milliseconds patience);
    bool connected() const;
    std::vector<std::string> take_complaints();

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace outrider
