#include "live/relay.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "base/input.hpp"
#include "live/complaints.hpp"
#include "live/relay_frames.hpp"
#include "net/visitors.hpp"
#include "net/web_socket_server.hpp"
#include "outrider/detail/hash.hpp"
#include "outrider/error.hpp"
#include "outrider/rng.hpp"

namespace outrider {
namespace {

using Steady = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::size_t most_robots = 256;                         // where whoever comes may take part
constexpr std::size_t most_viewers = 16;                         // who look on
constexpr double requests_per_s = 50, burst_requests = 50;       // of each of them
constexpr std::size_t unknown_clients = 32;                      // connections of which nobody knows yet who they are
constexpr std::size_t most_kept_bytes = 64 << 20;                // messages of one robot that were not passed on yet
constexpr std::chrono::seconds greeting_time{10};                // a client has to say who it is
constexpr int most_early_frames = 16;                            // frames of a client before it said that
constexpr double bytes_per_s = 8 << 20, burst_bytes = 32 << 20;  // from one robot to another one
constexpr std::size_t overhead_bytes = 4096;                     // what a message costs besides its bytes

struct Client {
    RobotId robot = -1;  // -1: it did not say yet
    Steady::time_point since{};
    int early_frames = 0;
    std::string viewer{}, looks_at{};  // of who looks on: what he is called, and the robot
    bool asked = false;                // he waits for a report
    double may_ask = burst_requests;
    Steady::time_point asked_at{};

    bool known() const { return robot >= 0 || !viewer.empty(); }
};

struct Member {
    std::string name;
    int client = 0;  // 0: not connected
    int ended = -1;  // the last step of which it has said all
    std::size_t kept_bytes = 0;
};

/// From one robot to another one.
struct Route {
    std::uint32_t sent = 0;  // messages: in lock-step of this step, else all
    double may_send = burst_bytes;
    Steady::time_point at{};
};

struct Parcel {
    RobotId from = 0, to = 0;
    std::uint32_t number = 0;  // on its route
    std::string bytes;
    Steady::time_point due{};
};

/// Takes as long whatever the first difference is.
bool is_same_key(const std::string& a, const std::string& b) {
    if (a.size() != b.size()) return false;
    int different = 0;
    for (std::size_t i = 0; i < a.size(); ++i) different |= a[i] ^ b[i];
    return different == 0;
}

WebSocketOptions relay_web_socket(const RelayOptions& options, std::size_t robots) {
    if (options.key.empty() && reaches_beyond_loopback(options.address))
        fail(
            "--listen {}: a relay that other machines reach asks robots for a key: expected --key FILE, here and with "
            "each outrider robot; to make one: head -c 24 /dev/urandom | base64 > FILE",
            options.address);
    WebSocketOptions out;
    out.address = options.address;
    out.port = options.port;
    out.protocols = {relay_protocol};
    out.origins = options.origins;
    out.most_clients = (robots > 0 ? robots : most_robots) + most_viewers + unknown_clients;
    out.most_message_bytes = most_relayed_bytes + 1024;
    out.most_waiting_bytes = 2 * most_relayed_bytes;
    return out;
}

}  // namespace

struct RelayServer::Parts {
    Parts(const RelayOptions& given, std::vector<std::string> names)
        : options(given), anybody(names.empty()), server(relay_web_socket(given, names.size())) {
        for (std::string& name : names) robots.push_back({.name = std::move(name)});
    }

    Member& robot(RobotId id) { return robots[static_cast<std::size_t>(id)]; }
    std::optional<RobotId> find(const std::string& name) const {
        const auto at = std::find_if(robots.begin(), robots.end(), [&](const Member& m) { return m.name == name; });
        return at == robots.end() ? std::nullopt : std::optional(static_cast<RobotId>(at - robots.begin()));
    }

    /// Takes in what clients say; waits for something up to `wait`.
    void take(milliseconds wait, bool in_step) {
        for (NetEvent& event : server.take(wait)) {
            if (event.kind == NetEvent::Kind::joined) {
                clients[event.client] = {.since = Steady::now()};
                continue;
            }
            if (event.kind == NetEvent::Kind::refused) {
                complaints.add(event.data);
                continue;
            }
            const auto at = clients.find(event.client);
            if (at == clients.end()) continue;  // it was sent away
            if (event.kind == NetEvent::Kind::left)
                leave(at, event.data);
            else if (event.kind == NetEvent::Kind::text)
                greet(at, event.data);
            else
                hear(at, event.data, in_step);
        }
        for (auto at = clients.begin(); at != clients.end();) {
            const auto next = std::next(at);
            if (!at->second.known() && Steady::now() - at->second.since > greeting_time)
                send_away(at, "it did not say who it is");
            at = next;
        }
    }
    using At = std::map<int, Client>::iterator;

    std::string name_of(const Client& client) {
        if (client.robot >= 0) return robot(client.robot).name;
        return client.viewer.empty() ? "a client" : client.viewer;
    }
    void leave(At at, const std::string& why) {
        if (at->second.known())
            complaints.add(why.empty() ? fmt::format("{} left", name_of(at->second))
                                       : fmt::format("{} left: {}", name_of(at->second), why));
        if (const RobotId id = at->second.robot; id >= 0) robot(id).client = 0;
        clients.erase(at);
    }
    void send_away(At at, const std::string& why) {
        const RobotId id = at->second.robot;
        complaints.add(fmt::format("{} is sent away: {}", name_of(at->second), why));
        if (id >= 0) robot(id).client = 0;
        server.close(at->first, why);
        clients.erase(at);
    }
    void greet(At at, const std::string& text) {
        if (at->second.known()) return send_away(at, "it says again who it is");
        RelayGreeting greeting;
        try {
            greeting = read_relay_greeting(text);
            if (!options.key.empty() && !is_same_key(greeting.key, options.key))
                fail("{}", greeting.key.empty() ? "this relay asks for a key (--key FILE)" : "its key is another one");
        } catch (const Error& error) {
            return send_away(at, error.what());
        }
        const std::string& name = greeting.robot;
        std::optional<RobotId> id = find(name);
        if (greeting.looks_on && (id || anybody)) return let_look_on(at, name);
        if (!id && (!anybody || robots.size() >= most_robots))
            return send_away(at, fmt::format("there is no robot {} here", name));
        if (!id) {
            id = static_cast<RobotId>(robots.size());
            robots.push_back({.name = name});
        }
        if (robot(*id).client != 0) {
            if (options.key.empty()) return send_away(at, fmt::format("{} is connected already", name));
            send_away(clients.find(robot(*id).client), "it has connected again");
        }
        at->second.robot = *id;
        robot(*id).client = at->first;
        robot(*id).ended = -1;
        complaints.add(fmt::format("{} connected", name));
        server.send(at->first, relay_welcome(name, options.lockstep), false);
        if (delivered >= 0) send(*id, {RelayFrame::Kind::step_has_come, {}, {}, delivered});
    }
    void let_look_on(At at, const std::string& robot_name) {
        const auto looks_on = [](const auto& client) { return !client.second.viewer.empty(); };
        if (std::count_if(clients.begin(), clients.end(), looks_on) >= static_cast<std::ptrdiff_t>(most_viewers))
            return send_away(at, fmt::format("{} look on already", most_viewers));
        at->second.viewer = fmt::format("viewer {}", ++viewers);
        at->second.looks_at = robot_name;
        complaints.add(fmt::format("{} looks at what {} knows", at->second.viewer, robot_name));
        server.send(at->first, relay_welcome(at->second.viewer, false), false);
    }
    /// Of who looks on, for the robot at which he looks.
    void pass_on_request(At at, const std::string& data) {
        Client& viewer = at->second;
        const auto now = Steady::now();
        const std::chrono::duration<double> passed = now - std::exchange(viewer.asked_at, now);
        viewer.may_ask = std::min(viewer.may_ask + requests_per_s * passed.count(), burst_requests) - 1;
        if (viewer.may_ask < 0 || data.size() > most_request_bytes) return send_away(at, "it asks for too much");
        RelayFrame frame;
        try {
            frame = read_relay_frame(data);
        } catch (const Error& error) {
            return send_away(at, error.what());
        }
        if (frame.kind != RelayFrame::Kind::request) return send_away(at, "it only looks on");
        viewer.asked = true;
        frame.name = viewer.viewer;
        if (const auto id = find(viewer.looks_at)) send(*id, frame);
    }
    /// One for each request: who does not read gets no more.
    void pass_on_report(RobotId from, const RelayFrame& frame) {
        for (auto& [number, client] : clients) {
            if (client.viewer != frame.name || client.looks_at != robot(from).name || !client.asked) continue;
            client.asked = false;
            server.send(number, write_relay_frame({RelayFrame::Kind::report, robot(from).name, frame.bytes}), true);
        }
    }
    void hear(At at, const std::string& data, bool in_step) {
        if (!at->second.viewer.empty()) return pass_on_request(at, data);
        const RobotId id = at->second.robot;
        if (id < 0) {  // its greeting may be under way, on the link before
            if (++at->second.early_frames > most_early_frames) send_away(at, "it did not say who it is");
            return;
        }
        RelayFrame frame;
        try {
            frame = read_relay_frame(data);
        } catch (const Error& error) {
            return send_away(at, error.what());
        }
        if (frame.kind == RelayFrame::Kind::message)
            accept(id, frame, in_step);
        else if (frame.kind == RelayFrame::Kind::end_of_step)
            robot(id).ended = std::max(robot(id).ended, frame.step);
        else if (frame.kind == RelayFrame::Kind::report)
            pass_on_report(id, frame);
        else
            send_away(at, "steps are not for it to say");
    }
    /// A message that came; it waits for its step or for its time.
    void accept(RobotId from, RelayFrame& frame, bool in_step) {
        const std::optional<RobotId> to = find(frame.name);
        if (!to && anybody) return;  // not there yet
        if (!to || *to == from)
            return complaints.add(fmt::format("{} writes to {}", robot(from).name, to ? "itself" : frame.name));
        Route& route = routes[{from, *to}];
        Parcel parcel{from, *to, route.sent++, std::move(frame.bytes), Steady::now() + options.delay};
        const std::size_t bytes = parcel.bytes.size() + overhead_bytes;
        if (!in_step && !afford(route, static_cast<double>(bytes))) return lose(parcel, "it sends too much");
        if (robot(from).kept_bytes + bytes > most_kept_bytes) return lose(parcel, "too many wait");
        robot(from).kept_bytes += bytes;
        kept.push_back(std::move(parcel));
    }
    static bool afford(Route& route, double bytes) {
        const auto now = Steady::now();
        const std::chrono::duration<double> passed = now - route.at;
        route.may_send = std::min(route.may_send + bytes_per_s * std::min(passed.count(), 3600.0), burst_bytes);
        route.at = now;
        if (route.may_send < bytes) return false;
        route.may_send -= bytes;
        return true;
    }
    void lose(const Parcel& parcel, const char* why) {
        complaints.add(
            fmt::format("a message of {} to {} is lost: {}", robot(parcel.from).name, robot(parcel.to).name, why));
    }
    /// What waited is passed on, if the radio lets it.
    void pass_on(const Parcel& parcel, std::int64_t step, std::uint32_t stream) {
        Member& from = robot(parcel.from);
        from.kept_bytes -= parcel.bytes.size() + overhead_bytes;
        if (linked && !linked(parcel.from, parcel.to)) return;
        const std::string pair = from.name + '\n' + robot(parcel.to).name;
        const auto key = static_cast<std::int64_t>(hash_bytes(pair.data(), pair.size()).low & 0xffffffff);
        if (options.loss > 0 && Rng(options.seed, key, Purpose::message_loss, step, stream).uniform() < options.loss)
            return;
        send(parcel.to, {RelayFrame::Kind::message, from.name, parcel.bytes});
    }
    void send(RobotId to, const RelayFrame& frame) {
        if (const int client = robot(to).client; client != 0) server.send(client, write_relay_frame(frame), true);
    }
    void pass_on_what_is_due() {
        for (; !kept.empty() && kept.front().due <= Steady::now(); kept.pop_front())
            pass_on(kept.front(), kept.front().number, 0);
    }

    const RelayOptions options;
    const bool anybody;
    std::vector<Member> robots;
    std::map<int, Client> clients;
    std::map<std::pair<RobotId, RobotId>, Route> routes;
    std::deque<Parcel> kept;  // in the order in which they came
    std::function<bool(RobotId, RobotId)> linked;
    Complaints complaints{50};
    int delivered = -1;
    int viewers = 0;  // so far
    WebSocketServer server;
};

std::string read_relay_key(const std::string& path) {
    constexpr std::size_t least = 16, most = 200;
    std::string key = read_file(path, "the key of a relay");
    while (key.ends_with('\n') || key.ends_with('\r')) key.pop_back();
    const bool plain = std::all_of(key.begin(), key.end(), [](char c) { return c > ' ' && c <= '~'; });
    if (key.size() < least || key.size() > most || !plain)
        fail("{}: expected the key of a relay: one line of {} to {} letters, digits and marks", path, least, most);
    return key;
}

RelayServer::RelayServer(const RelayOptions& options, std::vector<std::string> names)
    : parts_(std::make_unique<Parts>(options, std::move(names))) {}
RelayServer::~RelayServer() = default;

std::string RelayServer::url() const {
    const std::string& address = parts_->options.address;
    const bool ipv6 = address.find(':') != std::string::npos;
    return fmt::format("ws://{}{}{}:{}", ipv6 ? "[" : "", address, ipv6 ? "]" : "", parts_->server.port());
}

bool RelayServer::connected(RobotId robot) const {
    const auto i = static_cast<std::size_t>(robot);
    return i < parts_->robots.size() && parts_->robots[i].client != 0;
}

void RelayServer::set_links(std::function<bool(RobotId from, RobotId to)> linked) {
    parts_->linked = std::move(linked);
}

void RelayServer::serve(milliseconds wait) {
    Parts& p = *parts_;
    p.pass_on_what_is_due();
    if (!p.kept.empty()) wait = std::min(wait, std::chrono::ceil<milliseconds>(p.kept.front().due - Steady::now()));
    p.take(std::max(wait, milliseconds(0)), false);
    p.pass_on_what_is_due();
}

bool RelayServer::collect(int step, std::span<const RobotId> robots, milliseconds patience) {
    Parts& p = *parts_;
    const auto end = Steady::now() + patience;
    const auto waited_for = [&](RobotId id) { return connected(id) && p.robot(id).ended < step; };
    p.take(milliseconds(0), true);
    while (std::any_of(robots.begin(), robots.end(), waited_for)) {
        const auto left = std::chrono::ceil<milliseconds>(end - Steady::now());
        if (left.count() <= 0) break;
        p.take(std::min(left, milliseconds(100)), true);
    }
    bool all = true;
    for (const RobotId id : robots)
        if (waited_for(id)) {
            all = false;
            p.complaints.add(
                fmt::format("{} did not end step {} within {} ms", p.robot(id).name, step, patience.count()));
        }
    return all;
}

void RelayServer::deliver(int step) {
    Parts& p = *parts_;
    p.take(milliseconds(0), true);  // who has just come is told of the step, too
    std::stable_sort(p.kept.begin(), p.kept.end(), [](const Parcel& a, const Parcel& b) { return a.from < b.from; });
    for (const Parcel& parcel : p.kept) p.pass_on(parcel, step, parcel.number & 0xffffff);
    p.kept.clear();
    for (auto& [pair, route] : p.routes) route.sent = 0;
    p.delivered = step;
    for (std::size_t i = 0; i < p.robots.size(); ++i)
        p.send(static_cast<RobotId>(i), {RelayFrame::Kind::step_has_come, {}, {}, step});
}

std::vector<std::string> RelayServer::take_complaints() { return parts_->complaints.take(); }

}  // namespace outrider
