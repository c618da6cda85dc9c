// The wireless simulation servers of USARSim, the newer and the older one: robots learn from them how strong a link is,
// and connect to each other through ports of theirs, which pass bytes on as long as the two robots are linked.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "live/usarsim/client_limits.hpp"
#include "live/usarsim/usarsim.hpp"
#include "net/line_server.hpp"
#include "net/tcp_forwarder.hpp"
#include "outrider/briefing.hpp"
#include "radio/links.hpp"
#include "wire/usarsim_line.hpp"

namespace outrider {

/// Belongs to one thread.
///
/// Newer server, lines of "TYPE {Key value}": `INIT {Robot n} {Port p}` says that robot n listens at port p (or at
/// some, p,q), at the address that the line comes from; `DNS {Robot n}` asks for the ports of ours that lead there,
/// `REVERSEDNS {Port p}` who is behind a connection that comes from port p, `GETSS {Robot n}` for the signal in dBm.
/// Older server, lines that end with ';': `REGISTER n ip`, `LISTEN n port`, `OPEN a pa b pb` for a port of ours that
/// leads from a to pb of b, `GETSS a b`; the answers are `OK;`, `OK:value;`, `Fail: why;`.
class UsarRadio {
  public:
    /// Throws Error when the address or a port cannot be used.
    UsarRadio(const std::string& address, const UsarPorts& ports, std::vector<std::string> names);

    /// Who hears whom from now on: other streams are cut.
    void set_links(std::span<const Link> links);
    /// Answers what was asked since the last call.
    void serve();
    /// Says who asked too much since the last call of this; more than that was not answered.
    void over(Complaints& complaints);
    /// Where it listens; 0: not at all.
    int port() const { return newer_ ? newer_->port() : 0; }
    int old_port() const { return older_ ? older_->port() : 0; }

  private:
    /// A robot that somebody speaks for.
    struct Station {
        bool old = false;
        int client = 0;
        std::string address;
        std::vector<int> ports;
    };
    /// From one robot to a port of another one.
    struct Direction {
        RobotId from = 0, to = 0;
        int port = 0;
        auto operator<=>(const Direction&) const = default;
    };

    std::string answer(int client, const UsarsimLine& line);
    std::string answer_old(int client, std::string_view text);
    RobotId robot_of(std::string_view name) const;
    RobotId speaker(int client) const;
    void add_station(RobotId robot, Station station);
    void remove_stations(bool old, int client);
    void remove_doors(RobotId robot);
    int door(const Direction& direction);
    double signal_dbm(RobotId a, RobotId b) const;
    bool linked(RobotId a, RobotId b) const;

    std::vector<std::string> names_;
    std::unique_ptr<LineServer> newer_, older_;
    TcpForwarder forwarder_;
    std::map<RobotId, Station> stations_;
    std::map<std::pair<bool, int>, std::string> addresses_;  // of clients
    std::map<Direction, int> doors_;
    std::map<std::pair<RobotId, RobotId>, double> links_;  // the lower number first: dBm
    LineQuota quota_, old_quota_;
};

}  // namespace outrider
