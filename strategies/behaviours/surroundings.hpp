// What motions that do without a map look at: beams, team-mates and people around the robot.
#pragma once

#include <vector>

#include "outrider/belief.hpp"

namespace outrider {

/// All in the frame of the body: ahead is 0, angles to the left are above 0.
struct Surroundings {
    /// How far it is to something in a direction, from the middle of the body.
    struct Beam {
        double angle = 0, length_m = 0;
    };
    struct Mate {
        RobotId id = 0;
        Pose at;
        bool base = false;
    };
    std::vector<Beam> laser;    ///< of all scanners with thin beams
    std::vector<Beam> sonar;    ///< of all with wide ones
    std::vector<Mate> mates;    ///< as they last said where they are, or as they are seen
    std::vector<Point> people;  ///< in view
    double roll = 0, pitch = 0;
    double time_s = 0;
    Pose pose;  ///< in the map
    RobotId self = 0;
    bool homeward = false;            ///< it has finished, and goes to where the others are: gives way to nobody
    bool operator_in_contact = true;  ///< the base station was heard lately

    /// Beams of sonars or, of a robot that has none, of scanners; and the other way round.
    const std::vector<Beam>& wide() const { return sonar.empty() ? laser : sonar; }
    const std::vector<Beam>& thin() const { return laser.empty() ? sonar : laser; }
};

/// The shortest beam between two directions; 0 when there is none: nothing is known to be free there.
double shortest(const std::vector<Surroundings::Beam>& beams, double from, double to);
/// The mean of the beams between two directions; 0 when there is none.
double mean(const std::vector<Surroundings::Beam>& beams, double from, double to);

/// contact_lately: see Surroundings::operator_in_contact.
Surroundings look_around(const Belief& belief, bool contact_lately);

}  // namespace outrider
