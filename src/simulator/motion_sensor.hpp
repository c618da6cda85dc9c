// How a body measures its motion: with wheel encoders, an inertial system, or an inertial system with satellite
// positions.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "outrider/options.hpp"
#include "outrider/percept.hpp"
#include "simulator/aided_inertial.hpp"

namespace outrider {

struct NoiseOptions {
    double odometry_share = 0;
    double range_m = 0;
    double ins_share = 0.02;
    double ins_deg = 0.05;
    double gps_m = 0.5;
    bool operator==(const NoiseOptions&) const = default;
    void fields(Fields& f) {
        f("odometry_share", odometry_share, 0, 10,
          "standard deviation of odometry: this share of the way of a step in x and y, and of its turn plus 0.1 rad "
          "per "
          "metre");
        f("range_m", range_m, 0, 100, "standard deviation of a measured range");
        f("ins_share", ins_share, 0, 10,
          "with slam.seed = ins or gps_ins: standard deviation of an inertial system, this share of the way of a step");
        f("ins_deg", ins_deg, 0, 180, "and so many degrees of heading in a second, whatever the turn");
        f("gps_m", gps_m, 0, 1000,
          "with slam.seed = gps_ins: standard deviation of a position from satellites in x and y; it does not grow "
          "with "
          "the way");
    }
};

enum class Instrument : std::uint8_t { wheels, ins, gps_ins };

/// The sensor of one body. Wheels: an independent error in each step, in the frame of the body. Inertial: likewise, but
/// the heading error grows with time. With satellites: the inertial system as a position at the end of each step
/// corrects it.
class MotionSensor {
  public:
    /// The body stands at `start`, which is known.
    MotionSensor(Instrument instrument, const NoiseOptions& noise, const Pose& start, double step_s, std::uint64_t seed,
                 RobotId robot);

    /// The parts of the path of a step that ended at `to`, one after the other, as measured. The variance of the step
    /// is divided among them by distance and turn: it does not depend on how many parts there are.
    std::vector<Motion> measure(std::span<const Pose> parts, const Pose& to, int step);
    /// Whether it measures without error.
    bool exact() const { return instrument_ == Instrument::wheels && noise_.odometry_share == 0; }

  private:
    Instrument instrument_;
    NoiseOptions noise_;
    double step_s_;
    std::uint64_t seed_;
    RobotId robot_;
    AidedInertial aided_;
};

}  // namespace outrider
