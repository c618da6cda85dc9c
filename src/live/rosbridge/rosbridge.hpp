// Robots and worlds behind rosbridge: JSON over WebSocket (protocol 2.0 of rosbridge_suite), which robots with ROS 1
// and ROS 2 run. No part of ROS is needed.
#pragma once

#include <memory>

#include "live/gateway.hpp"
#include "live/vehicle.hpp"
#include "messages/live_options.hpp"

namespace outrider {

/// The robot `briefing.self` behind the rosbridge at `url` (ws://HOST:PORT). Throws Error when that is no URL,
/// or two of its topics are the same. A scanner after the first has its number behind the topic: /r1/scan, /r1/scan2.
std::unique_ptr<Vehicle> make_ros_vehicle(const std::string& url, const Briefing& briefing, const LiveSection& options);

/// A world that looks like robots with rosbridge. `served`: the robots that clients can drive; all can be watched.
/// Throws Error when the address or port cannot be used, or two topics are the same. It tells where odometry began (the
/// frame map) as the robots know it, not where they are. `origins`: of web pages that may take part.
std::unique_ptr<Gateway> make_ros_gateway(const std::string& address, int port, const std::vector<Briefing>& briefings,
                                          const std::vector<RobotId>& served, const LiveSection& options,
                                          std::vector<std::string> origins = {});

}  // namespace outrider
