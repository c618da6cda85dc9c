#include "simulator/motion_sensor.hpp"

#include <cmath>

#include "outrider/rng.hpp"
#include "simulator/place_noise.hpp"

namespace outrider {
namespace {

constexpr double satellite_square_m = 10, magnetic_field_m = 3;

}  // namespace

MotionSensor::MotionSensor(Instrument instrument, const NoiseOptions& noise, const Pose& start, double step_s,
                           std::uint64_t seed, RobotId robot)
    : instrument_(instrument),
      noise_(noise),
      step_s_(step_s),
      seed_(seed),
      robot_(robot),
      aided_(start),
      heading_(start.yaw) {}

/// A filter of the heading: that of the wheels, corrected by what the compass shows at the end of the step.
void MotionSensor::read_compass(std::vector<Motion>& measured, const Pose& to, Rng& rng) {
    const double field = noise_.compass_field_deg > 0
                             ? noise_.compass_field_deg * smooth_normal(seed_, to.position(), magnetic_field_m, 2)
                             : 0,
                 shown = to.yaw + radians(field + noise_.compass_deg * rng.normal()),
                 sigma = radians(std::hypot(noise_.compass_deg, noise_.compass_field_deg));
    for (const Motion& m : measured) {
        heading_ += m.delta.yaw;
        heading_variance_ += m.covariance[8];
    }
    if (heading_variance_ == 0) return;  // it is known better than any compass says
    const double sum = heading_variance_ + sigma * sigma, gain = heading_variance_ / sum,
                 turn = gain * wrap_angle(shown - heading_);
    Motion& last = measured.back();
    last.delta.yaw = wrap_angle(last.delta.yaw + turn);
    last.covariance[8] += gain * gain * sum;
    heading_ += turn;
    heading_variance_ *= 1 - gain;
}

std::vector<Motion> MotionSensor::measure(std::span<const Pose> parts, const Pose& to, int step) {
    std::vector<Motion> measured;
    for (const Pose& part : parts) measured.push_back({part, {}});
    if (exact()) return measured;
    const bool wheels = instrument_ == Instrument::wheels || instrument_ == Instrument::compass;
    const double share = wheels ? noise_.odometry_share : noise_.ins_share;
    const auto travelled = [](const Pose& part) { return norm(part.position()); };
    const auto turn = [&](const Pose& part) { return std::abs(part.yaw) + 0.1 * travelled(part); };
    double whole_length = 0, whole_turn = 0;
    for (const Pose& part : parts) {
        whole_length += travelled(part);
        whole_turn += turn(part);
    }
    const bool whole = measured.size() == 1;
    const double inertial_yaw = radians(noise_.ins_deg) * std::sqrt(step_s_ / static_cast<double>(parts.size()));
    Rng rng(seed_, robot_, Purpose::odometry, step);
    for (Motion& m : measured) {
        const double sigma = share * (whole ? whole_length : std::sqrt(travelled(m.delta) * whole_length)),
                     sigma_wheels = share * (whole ? whole_turn : std::sqrt(turn(m.delta) * whole_turn)),
                     sigma_yaw = wheels ? sigma_wheels : inertial_yaw;
        m.delta.x += sigma * rng.normal();
        m.delta.y += sigma * rng.normal();
        m.delta.yaw = wrap_angle(m.delta.yaw + sigma_yaw * rng.normal());
        m.covariance = {sigma * sigma, 0, 0, 0, sigma * sigma, 0, 0, 0, sigma_yaw * sigma_yaw};
    }
    if (instrument_ == Instrument::compass) read_compass(measured, to, rng);
    if (instrument_ != Instrument::gps_ins) return measured;
    Pose before = aided_.pose();
    for (const Motion& m : measured) {
        before = aided_.pose();
        aided_.move(m.delta, m.covariance[0]);
    }
    if (noise_.gps_lost_share > 0 && square_chance(seed_, to.position(), satellite_square_m, 1) < noise_.gps_lost_share)
        return measured;
    Point position = to.position();
    position.x += noise_.gps_m * rng.normal();
    position.y += noise_.gps_m * rng.normal();
    const double more = aided_.correct(position, noise_.gps_m * noise_.gps_m);
    Motion& last = measured.back();
    last.delta = compose(inverse(before), aided_.pose());
    last.covariance[0] += more;
    last.covariance[4] += more;
    return measured;
}

}  // namespace outrider
