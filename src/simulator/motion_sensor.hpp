// How a body measures its motion: with wheel encoders, these with a compass, an inertial system, or an inertial system
// with satellite positions.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "outrider/percept.hpp"
#include "simulator/aided_inertial.hpp"
#include "simulator/noise.hpp"

namespace outrider {

enum class Instrument : std::uint8_t { wheels, compass, ins, gps_ins };

/// The sensor of one body. Wheels: an independent error in each step, in the frame of the body. With a compass: it
/// corrects the heading at the end of each step, whose error does not grow. Inertial: as wheels, but the heading
/// error grows with time. With satellites: the inertial system as a position at the end of each step corrects it,
/// where there is one.
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
    void read_compass(std::vector<Motion>& measured, const Pose& to, Rng& rng);

    Instrument instrument_;
    NoiseOptions noise_;
    double step_s_;
    std::uint64_t seed_;
    RobotId robot_;
    AidedInertial aided_;
    double heading_;  // with a compass: as believed up to now
    double heading_variance_ = 0;
};

}  // namespace outrider
