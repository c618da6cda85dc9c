// Robots and worlds that speak the text lines of USARSim: "SEN {Time 12.4} {Type Odometry} ...", over TCP.
#pragma once

#include <memory>

#include "live/gateway.hpp"
#include "live/vehicle.hpp"
#include "messages/live_options.hpp"

namespace outrider {

/// The robot `briefing.self` in the USARSim (or what speaks like it) at host:port, spawned at its start.
std::unique_ptr<Vehicle> make_usar_vehicle(const std::string& host, int port, const Briefing& briefing,
                                           const LiveSection& options);

struct UsarPorts {
    int robots = 3000;   ///< 0: any that is free
    int radio = 50000;   ///< of the wireless simulation server; 0: any that is free; -1: none
    int old_radio = -1;  ///< of the older one (5874); 0: any that is free; -1: none
};

/// A world that looks like USARSim with its wireless simulation server. `served`: the robots that clients can spawn.
/// Throws Error when the address or a port cannot be used.
std::unique_ptr<Gateway> make_usar_gateway(const std::string& address, const UsarPorts& ports,
                                           const std::vector<Briefing>& briefings, const std::vector<RobotId>& served,
                                           const LiveSection& options);

}  // namespace outrider
