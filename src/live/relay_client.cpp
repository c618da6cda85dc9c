#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "live/complaints.hpp"
#include "live/relay.hpp"
#include "live/relay_frames.hpp"
#include "net/web_socket_client.hpp"
#include "outrider/error.hpp"

namespace outrider {
namespace {

using Steady = std::chrono::steady_clock;

constexpr std::size_t most_arrived_bytes = 64 << 20;  // that nobody took yet
constexpr std::size_t frame_overhead_bytes = 256;     // what a message costs besides its bytes
constexpr std::size_t most_requests = 200;            // that nobody took yet

std::chrono::milliseconds time_to(Steady::time_point end) {
    return std::max(std::chrono::ceil<std::chrono::milliseconds>(end - Steady::now()), std::chrono::milliseconds(0));
}

}  // namespace

struct RelayClient::Parts {
    Parts(const std::string& url, const std::string& name, const std::string& secret)
        : robot(name),
          key(secret),
          client({.url = url,
                  .protocol = relay_protocol,
                  .most_message_bytes = most_relayed_bytes + 1024,
                  .most_waiting_bytes = 2 * most_relayed_bytes}) {}

    /// Takes in what came; waits for something up to `wait`.
    void pump(std::chrono::milliseconds wait) {
        for (NetEvent& event : client.take(wait)) {
            if (event.kind == NetEvent::Kind::joined) {
                greeted = true;
                client.send(relay_greeting(robot, key), false);
                if (ended >= 0) say({RelayFrame::Kind::end_of_step, {}, {}, ended});
            } else if (event.kind == NetEvent::Kind::left) {
                complaints.add(greeted ? fmt::format("the link to the relay broke: {}",
                                                     event.data.empty() ? "it said good-bye" : event.data)
                                       : "the relay: " + event.data);
                greeted = welcome = false;
            } else if (event.kind == NetEvent::Kind::text) {
                welcome = true;  // it says nothing else
                lockstep = welcome_to_lockstep(event.data);
            } else {
                hear(event.data);
            }
        }
    }
    void hear(const std::string& data) try {
        RelayFrame frame = read_relay_frame(data);
        if (frame.kind == RelayFrame::Kind::step_has_come) come = std::max(come, frame.step);
        if (frame.kind == RelayFrame::Kind::request && requests.size() < most_requests)
            requests.push_back({std::move(frame.name), std::move(frame.bytes)});
        if (frame.kind != RelayFrame::Kind::message) return;
        const std::size_t bytes = frame.bytes.size() + frame_overhead_bytes;
        if (arrived_bytes + bytes > most_arrived_bytes)
            return complaints.add(fmt::format("a message of {} is lost: too many wait", frame.name));
        arrived_bytes += bytes;
        arrived.push_back({std::move(frame.name), std::move(frame.bytes)});
    } catch (const Error& error) {
        complaints.add(error.what());
    }
    void say(const RelayFrame& frame) {
        if (greeted) client.send(write_relay_frame(frame), true);
    }
    /// Notices a link that has just come.
    void greet() {
        constexpr std::chrono::milliseconds a_little(50);
        pump(std::chrono::milliseconds(0));
        if (!greeted && client.connected()) pump(a_little);
    }

    const std::string robot, key;
    WebSocketClient client;
    bool greeted = false, welcome = false;  // the relay was told who this is, and answered
    bool lockstep = false;
    int ended = -1, come = -1;
    std::vector<Arrived> arrived, requests;
    std::size_t arrived_bytes = 0;
    Complaints complaints{50};
};

RelayClient::RelayClient(const std::string& url, const std::string& robot, const std::string& key)
    : parts_(std::make_unique<Parts>(url, robot, key)) {}
RelayClient::~RelayClient() = default;

void RelayClient::send(const std::string& to, const std::string& bytes) {
    parts_->greet();
    parts_->say({RelayFrame::Kind::message, to, bytes});
}

void RelayClient::end_step(int step) {
    parts_->greet();
    parts_->ended = step;
    parts_->say({RelayFrame::Kind::end_of_step, {}, {}, step});
}

std::vector<RelayClient::Arrived> RelayClient::take(std::chrono::milliseconds wait) {
    const auto end = Steady::now() + wait;
    parts_->pump(std::chrono::milliseconds(0));
    while (parts_->arrived.empty() && time_to(end).count() > 0) parts_->pump(time_to(end));
    parts_->arrived_bytes = 0;
    return std::exchange(parts_->arrived, {});
}

std::vector<RelayClient::Arrived> RelayClient::take_requests() {
    parts_->pump(std::chrono::milliseconds(0));
    return std::exchange(parts_->requests, {});
}

void RelayClient::report(const std::string& viewer, const std::string& bytes) {
    parts_->say({RelayFrame::Kind::report, viewer, bytes});
}

bool RelayClient::wait_for(int step, std::chrono::milliseconds patience) {
    const auto end = Steady::now() + patience;
    parts_->pump(std::chrono::milliseconds(0));
    while (parts_->come < step && time_to(end).count() > 0) parts_->pump(time_to(end));
    return parts_->come >= step;
}

bool RelayClient::wait_for_welcome(std::chrono::milliseconds patience) {
    const auto end = Steady::now() + patience;
    parts_->pump(std::chrono::milliseconds(0));
    while (!parts_->welcome && parts_->client.connected() && time_to(end).count() > 0) parts_->pump(time_to(end));
    return parts_->welcome;
}

bool RelayClient::in_lockstep() const { return connected() && parts_->lockstep; }

bool RelayClient::connected() const {
    parts_->pump(std::chrono::milliseconds(0));
    return parts_->welcome && parts_->client.connected();
}

std::vector<std::string> RelayClient::take_complaints() {
    parts_->pump(std::chrono::milliseconds(0));
    return parts_->complaints.take();
}

}  // namespace outrider
