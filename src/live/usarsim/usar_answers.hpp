// What a world tells controllers of USARSim, line by line.
#pragma once

#include <string>
#include <vector>

#include "live/gateway.hpp"
#include "messages/live_options.hpp"
#include "outrider/briefing.hpp"
#include "wire/usarsim_line.hpp"

namespace outrider {

/// NFO {StartPoses n} {r1 x,y,z roll,pitch,yaw r2 x,y,z ...}: of the robots that can be driven, in the frames of their
/// briefings.
std::string usar_start_poses(const std::vector<Briefing>& briefings, const std::vector<RobotId>& served);
/// The answer to GETGEO {Type T} and to GETCONF {Type T}. Throw Error where the robot has no such thing.
std::string usar_geometry(const UsarsimLine& line, const Briefing& briefing, const LiveSection& options);
std::string usar_configuration(const UsarsimLine& line, const Briefing& briefing, const LiveSection& options);
/// The lines of a step for one robot; STA is the last one. Odometry begins at (0, 0, 0) where the robot starts. INS
/// adds it to the start, in the frame of the briefing. GroundTruth is in the team's frame, in which the first base is
/// at cell (0, 0): that of all robots whose poses are known. A robot that is out of service says STA with an empty
/// battery.
std::string usar_step_lines(const ServedStep& step, const Briefing& briefing, const LiveSection& options);

}  // namespace outrider
