// Carries the messages of robots that are processes of their own: a server that all of them connect to, by WebSocket
// (relay_frames.hpp). It passes on what the radio lets through. A robot is known by its name. Where a key is asked for,
// and it connects again, the older connection ends; otherwise who came first under a name keeps it while its connection
// stands. Whatever clients do, memory is bounded and the others are served: frames that are none end
// their connection, and of a robot that sends faster than any robot has to, messages are lost. Who looks on at what a
// robot knows (viewers.hpp) gets one report for each request.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "outrider/briefing.hpp"

namespace outrider {

/// What a relay does to messages. Which ones are lost follows from the seed, the names of both robots, and the number
/// of the message among those from one to the other (in lock-step: the step, and its number in it): not from who came
/// first.
struct RelayOptions {
    std::string address = "127.0.0.1";
    int port = 0;                        ///< 0: any that is free
    double loss = 0;                     ///< share of the messages that are lost
    std::chrono::milliseconds delay{0};  ///< all come so much later; not in lock-step, where they come with the step
    std::uint64_t seed = 1;
    bool lockstep = false;               ///< whether deliver() will say which step has come
    std::string key{};                   ///< that each robot has to say; empty: none
    std::vector<std::string> origins{};  ///< of web pages that may take part
};

/// The key of a relay: the one line of a file, of 16 to 200 letters, digits and marks. Throws Error.
std::string read_relay_key(const std::string& path);

class RelayServer {
  public:
    /// `names`: of the robots, by number; empty: whoever comes. Throws Error when the address or port cannot be used,
    /// and when other machines reach it and there is no key.
    RelayServer(const RelayOptions& options, std::vector<std::string> names);
    ~RelayServer();
    RelayServer(const RelayServer&) = delete;
    RelayServer& operator=(const RelayServer&) = delete;

    std::string url() const;
    bool connected(RobotId robot) const;
    /// Whether a message of `from` reaches `to` now; nothing: all do. Asked for each message.
    void set_links(std::function<bool(RobotId from, RobotId to)> linked);
    /// Takes messages and passes them on at once; waits for some up to `wait`. For a relay that nobody steps.
    void serve(std::chrono::milliseconds wait);
    /// In lock-step: takes messages of robots until each connected one of `robots` said that it has sent all of `step`,
    /// or `patience` is over. False: somebody did not, and is named among the complaints.
    bool collect(int step, std::span<const RobotId> robots, std::chrono::milliseconds patience);
    /// In lock-step: passes on what was collected, then tells all robots that `step` has come: all that was said before
    /// it has arrived.
    void deliver(int step);
    /// What clients did wrong since the last call, and who came and left.
    std::vector<std::string> take_complaints();

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

/// Where a relay is, and what it asks for.
struct RelayAccess {
    std::string url;  ///< empty: there is none
    std::string key{};
};

/// The link of one robot to a relay. It connects, and connects again, by itself; what is sent meanwhile is lost.
/// Belongs to one thread.
class RelayClient {
  public:
    /// Throws Error when the URL is none.
    RelayClient(const std::string& url, const std::string& robot, const std::string& key = "");
    ~RelayClient();
    RelayClient(const RelayClient&) = delete;
    RelayClient& operator=(const RelayClient&) = delete;

    struct Arrived {
        std::string from;  ///< name of the sender
        std::string bytes;
    };
    void send(const std::string& to, const std::string& bytes);
    /// In lock-step: all of this step has been sent. Said again when the link breaks and comes back.
    void end_step(int step);
    /// What arrived since the last call; waits for something up to `wait`.
    std::vector<Arrived> take(std::chrono::milliseconds wait);
    /// What those who look on at what this robot knows asked since the last call; `from`: what they are called.
    std::vector<Arrived> take_requests();
    /// The answer.
    void report(const std::string& viewer, const std::string& bytes);
    /// In lock-step: waits until `step` has come, for at most `patience`. False: it did not. What arrives meanwhile,
    /// all messages of that step among it, is there for take().
    bool wait_for(int step, std::chrono::milliseconds patience);
    /// Where the link stands, waits for the relay's answer to who this is, for at most `patience`. False: there is
    /// none.
    bool wait_for_welcome(std::chrono::milliseconds patience);
    /// Whether the link stands and the relay says which step has come.
    bool in_lockstep() const;
    /// Whether the link stands and the relay knows who this is: what is sent now arrives there.
    bool connected() const;
    std::vector<std::string> take_complaints();

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace outrider
