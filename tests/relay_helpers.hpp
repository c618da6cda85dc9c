// A relay and its robots in one thread, and clients that say what they like.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "helpers.hpp"
#include "live/relay.hpp"
#include "live/relay_frames.hpp"
#include "net/web_socket_client.hpp"

namespace outrider::relayed {

using namespace std::chrono_literals;
using Arrived = RelayClient::Arrived;

constexpr auto patience = 20s;  // machines are slow, and sanitizers slower

/// A relay and its robots, all of one thread.
struct Team {
    explicit Team(const RelayOptions& options = {}, std::vector<std::string> names = {"r1", "r2", "r3"},
                  const std::string& key = "")
        : server(options, names) {
        for (const std::string& name : names) clients.push_back(std::make_unique<RelayClient>(server.url(), name, key));
        for (std::size_t i = 0; i < names.size(); ++i) REQUIRE(comes(static_cast<RobotId>(i)));
    }
    bool comes(RobotId robot) {
        return happens([&] {
            for (const auto& client : clients)
                if (client) client->take(0ms);  // says who it is
            return server.connected(robot);
        });
    }
    bool goes(RobotId robot) {
        return happens([&] { return !server.connected(robot); });
    }
    /// Serves until it is so; false: it never was.
    template <class Condition>
    bool happens(Condition&& condition) {
        const auto end = std::chrono::steady_clock::now() + patience;
        while (!condition()) {
            if (std::chrono::steady_clock::now() > end) return false;
            server.serve(1ms);
        }
        return true;
    }
    /// What arrives at a robot, until so many did.
    std::vector<Arrived> arrive(std::size_t robot, std::size_t count) {
        std::vector<Arrived> out;
        happens([&] {
            for (Arrived& a : clients[robot]->take(0ms)) out.push_back(std::move(a));
            return out.size() >= count;
        });
        return out;
    }
    /// Whether one of the complaints says that.
    bool complains(const std::string& what) {
        return happens([&] {
            for (const std::string& c : server.take_complaints()) said += c + '\n';
            return said.find(what) != std::string::npos;
        });
    }

    RelayServer server;
    std::vector<std::unique_ptr<RelayClient>> clients;
    std::string said;
};

/// A client that says what it likes.
struct UnknownClient {
    explicit UnknownClient(const RelayServer& server) : client({.url = server.url(), .protocol = relay_protocol}) {}
    /// Sends when the link stands.
    bool say(Team& team, const std::string& message, bool binary) {
        return team.happens([&] { return client.connected(); }) && client.send(message, binary);
    }
    /// Why the relay ended the connection.
    std::string good_bye(Team& team) {
        std::string why;
        team.happens([&] {
            for (const NetEvent& event : client.take(0ms))
                if (event.kind == NetEvent::Kind::left) why = event.data;
            return !why.empty();
        });
        return why;
    }
    WebSocketClient client;
};

inline std::string message_frame(const std::string& to, const std::string& bytes) {
    return write_relay_frame({RelayFrame::Kind::message, to, bytes});
}

}  // namespace outrider::relayed
