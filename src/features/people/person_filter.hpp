// Where somebody is and how fast they walk: a Kalman filter of constant velocity, whose changes are white noise
// (Bar-Shalom, Li and Kirubarajan 2001, 6.2.2).
#pragma once

#include <array>

#include "outrider/geometry.hpp"

namespace outrider {

/// The covariance of a place, in square metres.
struct Spread {
    double xx = 0, xy = 0, yy = 0;
    bool operator==(const Spread&) const = default;
};

class PersonFilter {
  public:
    /// Seen for the first time: nothing is known of the velocity but how large it can be.
    PersonFilter(Point at, const Spread& spread);

    /// `dt_s` later. agility: how much the velocity varies, in m^2/s^3.
    void predict(double dt_s, double agility);
    /// Seen at this place, in the frame of the others.
    void update(Point at, const Spread& spread);
    /// Mahalanobis distance of a sighting, squared.
    double squared_distance(Point at, const Spread& spread) const;

    Point place() const { return {mean_[0], mean_[1]}; }
    Point velocity() const { return {mean_[2], mean_[3]}; }
    Spread spread() const { return {covariance_[0], covariance_[1], covariance_[5]}; }
    /// Of x, y and their velocities, by rows.
    const std::array<double, 16>& covariance() const { return covariance_; }

  private:
    std::array<double, 4> mean_{};  // x, y, and their velocities
    std::array<double, 16> covariance_{};
};

}  // namespace outrider
