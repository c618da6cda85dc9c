#include "live/usarsim/usar_radio.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "outrider/error.hpp"
#include "wire/words.hpp"

namespace outrider {
namespace {

constexpr double no_link_dbm = -200;
constexpr std::size_t most_ports = 8;      // of a robot
constexpr std::size_t most_stations = 64;  // robots that somebody speaks for

int port_of(std::string_view text) {
    const std::optional<double> port = whole_number(text);
    if (!port || !(*port >= 1 && *port <= 65535) || *port != std::floor(*port))
        fail("expected a port, found '{}'", text.substr(0, 40));
    return static_cast<int>(*port);
}

std::unique_ptr<LineServer> server_at(const std::string& address, int port, char end, std::size_t robots) {
    if (port < 0) return nullptr;
    return std::make_unique<LineServer>(LineServerOptions{
        .address = address, .port = port, .end = end, .most_clients = 32 + robots, .most_line_bytes = 4096});
}

}  // namespace

UsarRadio::UsarRadio(const std::string& address, const UsarPorts& ports, std::vector<std::string> names)
    : names_(std::move(names)),
      newer_(server_at(address, ports.radio, '\n', names_.size())),
      older_(server_at(address, ports.old_radio, ';', names_.size())),
      forwarder_({.address = address}) {}

void UsarRadio::set_links(std::span<const Link> links) {
    links_.clear();
    for (const Link& link : links) links_[{std::min(link.a, link.b), std::max(link.a, link.b)}] = link.signal_dbm;
    for (const auto& [direction, port] : doors_) forwarder_.set_open(port, linked(direction.from, direction.to));
}

void UsarRadio::serve() {
    for (const bool old : {false, true}) {
        LineServer* server = old ? older_.get() : newer_.get();
        if (!server) continue;
        LineQuota& quota = old ? old_quota_ : quota_;
        for (const NetEvent& event : server->take({})) {
            if (event.kind == NetEvent::Kind::joined) {
                addresses_[{old, event.client}] = event.data;
            } else if (event.kind == NetEvent::Kind::left) {
                addresses_.erase({old, event.client});
                remove_stations(old, event.client);
            } else if (quota.hears(event.client)) {
                try {
                    if (event.data.find_first_not_of(" \t\r\n") == std::string::npos) continue;
                    server->send(event.client, old ? answer_old(event.client, event.data)
                                                   : answer(event.client, parse_usarsim_line(event.data)));
                } catch (const Error& error) {
                    server->send(event.client, old ? fmt::format("Fail: {};", error.what())
                                                   : usarsim_text(usarsim_type(event.data).substr(0, 20),
                                                                  {{"Status", "Failed"}, {"Reason", error.what()}}));
                }
            }
        }
    }
}

void UsarRadio::over(Complaints& complaints) {
    quota_.over(complaints, "radio client");
    old_quota_.over(complaints, "older radio client");
}

std::string UsarRadio::answer(int client, const UsarsimLine& line) {
    if (line.type == "INIT") {
        const RobotId robot = robot_of(line.word("Robot"));
        std::vector<int> ports;
        Words words(line.find("Port").value_or(""), ',');
        while (const auto word = words.word()) {
            if (ports.size() == most_ports) fail("expected {} ports at most", most_ports);
            ports.push_back(port_of(*word));
        }
        if (const RobotId before = speaker(client); before >= 0 && before != robot)
            fail("this connection speaks for {}", names_[static_cast<std::size_t>(before)]);
        add_station(robot, {false, client, addresses_[{false, client}], ports});
        return usarsim_text("INIT", {{"Robot", std::string(line.word("Robot"))}, {"Status", "OK"}});
    }
    const RobotId self = speaker(client);
    if (self < 0) fail("expected INIT {{Robot n}} {{Port p}} first");
    if (line.type == "REVERSEDNS") {
        const int port = port_of(line.word("Port"));
        const std::optional<int> used = forwarder_.door_of(port);
        for (const auto& [direction, number] : doors_)
            if (number == used)
                return usarsim_text("REVERSEDNS", {{"Port", std::to_string(port)},
                                                   {"Robot", names_[static_cast<std::size_t>(direction.from)]}});
        fail("no connection comes from port {}", port);
    }
    const RobotId other = robot_of(line.word("Robot"));
    const std::string name(line.word("Robot"));
    if (line.type == "GETSS")
        return usarsim_text("GETSS", {{"Robot", name}, {"Strength", fmt::format("{:.3f}", signal_dbm(self, other))}});
    if (line.type != "DNS") fail("expected INIT, DNS, REVERSEDNS or GETSS");
    const auto station = stations_.find(other);
    if (station == stations_.end() || station->second.ports.empty()) fail("{} does not listen", name);
    std::vector<int> doors;
    for (const int port : station->second.ports) doors.push_back(door({self, other, port}));
    return usarsim_text("DNS", {{"Robot", name}, {"Port", fmt::format("{}", fmt::join(doors, ","))}});
}

std::string UsarRadio::answer_old(int client, std::string_view text) {
    std::string line(text);
    std::replace_if(
        line.begin(), line.end(), [](char c) { return c == '\r' || c == '\n'; }, ' ');
    Words words(line, ' ');
    const auto next = [&](const char* what) {
        const auto word = words.word();
        if (!word) fail("expected {}, found the end of the line", what);
        return *word;
    };
    const std::string_view type = next("a command");
    if (type == "REGISTER") {
        const RobotId robot = robot_of(next("a robot"));
        const std::string address(next("its address")), own = addresses_[{true, client}];
        if (address != own && address != "localhost")
            fail("a robot listens where its connection comes from: {}", own);  // no way to other hosts
        add_station(robot, {true, client, own, {}});
        return "OK;";
    }
    if (type == "GETSS") {
        const RobotId a = robot_of(next("a robot")), b = robot_of(next("another robot"));
        return fmt::format("OK:{:.3f};", signal_dbm(a, b));
    }
    if (type != "LISTEN" && type != "OPEN") fail("expected REGISTER, LISTEN, OPEN or GETSS");
    const RobotId robot = robot_of(next("a robot"));
    const int port = port_of(next("a port"));
    const auto station = stations_.find(robot);
    if (station == stations_.end() || !station->second.old || station->second.client != client)
        fail("expected REGISTER {} first", names_[static_cast<std::size_t>(robot)]);
    std::vector<int>& ports = station->second.ports;
    if (type == "LISTEN") {
        if (std::find(ports.begin(), ports.end(), port) != ports.end()) return "OK;";
        if (ports.size() == most_ports) fail("expected {} ports at most", most_ports);
        ports.push_back(port);
        return "OK;";
    }
    const RobotId other = robot_of(next("another robot"));
    const int target = port_of(next("its port"));
    const auto listens = stations_.find(other);
    if (listens == stations_.end() ||
        std::count(listens->second.ports.begin(), listens->second.ports.end(), target) == 0)
        fail("{} does not listen at port {}", names_[static_cast<std::size_t>(other)], target);
    if (!linked(robot, other)) fail("no link");
    return fmt::format("OK:{};", door({robot, other, target}));
}

/// Throws Error.
RobotId UsarRadio::robot_of(std::string_view name) const {
    const auto at = std::find(names_.begin(), names_.end(), name);
    if (at == names_.end()) fail("no robot is called '{}'", name.substr(0, 40));
    return static_cast<RobotId>(at - names_.begin());
}

/// For whom a client of the newer server speaks; -1: for nobody yet.
RobotId UsarRadio::speaker(int client) const {
    for (const auto& [robot, station] : stations_)
        if (!station.old && station.client == client) return robot;
    return -1;
}

void UsarRadio::add_station(RobotId robot, Station station) {
    const auto at = stations_.find(robot);
    if (at != stations_.end() && (at->second.old != station.old || at->second.client != station.client))
        fail("another connection speaks for {}", names_[static_cast<std::size_t>(robot)]);
    if (at != stations_.end() && at->second.ports != station.ports) remove_doors(robot);
    if (at == stations_.end() && stations_.size() == most_stations) fail("too many robots");
    stations_[robot] = std::move(station);
}

void UsarRadio::remove_stations(bool old, int client) {
    for (auto at = stations_.begin(); at != stations_.end();) {
        const bool gone = at->second.old == old && at->second.client == client;
        if (gone) remove_doors(at->first);
        at = gone ? stations_.erase(at) : std::next(at);
    }
}

/// From and to the robot.
void UsarRadio::remove_doors(RobotId robot) {
    for (auto at = doors_.begin(); at != doors_.end();) {
        const bool gone = at->first.from == robot || at->first.to == robot;
        if (gone) forwarder_.remove_door(at->second);
        at = gone ? doors_.erase(at) : std::next(at);
    }
}

/// The port that leads there. Throws Error when there are too many.
int UsarRadio::door(const Direction& direction) {
    if (direction.from == direction.to) fail("expected another robot");
    if (const auto at = doors_.find(direction); at != doors_.end()) return at->second;
    const std::optional<int> port = forwarder_.add_door(stations_.at(direction.to).address, direction.port);
    if (!port) fail("too many ways between robots");
    forwarder_.set_open(*port, linked(direction.from, direction.to));
    return doors_[direction] = *port;
}

double UsarRadio::signal_dbm(RobotId a, RobotId b) const {
    if (a == b) return 0;
    const auto link = links_.find({std::min(a, b), std::max(a, b)});
    return link == links_.end() ? no_link_dbm : link->second;
}

bool UsarRadio::linked(RobotId a, RobotId b) const { return links_.contains({std::min(a, b), std::max(a, b)}); }

}  // namespace outrider
