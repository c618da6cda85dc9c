// The filter of somebody who walks. This file sees no world.
#include <Eigen/Core>
#include <Eigen/LU>

#include "features/people/person_filter.hpp"

namespace outrider {
namespace {

using Rows4 = Eigen::Matrix<double, 4, 4, Eigen::RowMajor>;
using Places = Eigen::Matrix<double, 2, 4>;

constexpr double first_speed_mps = 1;  ///< standard deviation of each component of the first velocity

Eigen::Matrix2d matrix_of(const Spread& s) { return (Eigen::Matrix2d() << s.xx, s.xy, s.xy, s.yy).finished(); }
Places places() { return Places::Identity(); }

Eigen::Map<const Rows4> rows(const std::array<double, 16>& a) { return Eigen::Map<const Rows4>(a.data()); }
Eigen::Map<const Eigen::Vector4d> column(const std::array<double, 4>& a) {
    return Eigen::Map<const Eigen::Vector4d>(a.data());
}

/// What a sighting adds to what was expected, and the covariance of that.
struct Innovation {
    Eigen::Vector2d difference;
    Eigen::Matrix2d covariance;
};
Innovation innovation(const Eigen::Vector4d& mean, const Rows4& covariance, Point at, const Spread& spread) {
    return {Eigen::Vector2d(at.x, at.y) - mean.head<2>(), covariance.topLeftCorner<2, 2>() + matrix_of(spread)};
}

}  // namespace

PersonFilter::PersonFilter(Point at, const Spread& spread) : mean_{at.x, at.y, 0, 0} {
    Rows4 p = Rows4::Identity() * (first_speed_mps * first_speed_mps);
    p.topLeftCorner<2, 2>() = matrix_of(spread);
    Eigen::Map<Rows4>(covariance_.data()) = p;
}

void PersonFilter::predict(double dt_s, double agility) {
    const double t = dt_s;
    Rows4 motion = Rows4::Identity(), noise = Rows4::Zero();
    motion.topRightCorner<2, 2>().diagonal().setConstant(t);
    noise.topLeftCorner<2, 2>().diagonal().setConstant(agility * t * t * t / 3);
    noise.topRightCorner<2, 2>().diagonal().setConstant(agility * t * t / 2);
    noise.bottomLeftCorner<2, 2>().diagonal().setConstant(agility * t * t / 2);
    noise.bottomRightCorner<2, 2>().diagonal().setConstant(agility * t);
    const Eigen::Vector4d mean = motion * column(mean_);
    const Rows4 covariance = motion * rows(covariance_) * motion.transpose() + noise;
    Eigen::Map<Eigen::Vector4d>(mean_.data()) = mean;
    Eigen::Map<Rows4>(covariance_.data()) = covariance;
}

void PersonFilter::update(Point at, const Spread& spread) {
    const Rows4 p = rows(covariance_);
    const Innovation news = innovation(column(mean_), p, at, spread);
    const Eigen::Matrix<double, 4, 2> gain = p * places().transpose() * news.covariance.inverse();
    const Eigen::Vector4d mean = column(mean_) + gain * news.difference;
    // Joseph's form: symmetric and positive, whatever is rounded.
    const Rows4 rest = Rows4::Identity() - gain * places();
    const Rows4 covariance = rest * p * rest.transpose() + gain * matrix_of(spread) * gain.transpose();
    Eigen::Map<Eigen::Vector4d>(mean_.data()) = mean;
    Eigen::Map<Rows4>(covariance_.data()) = covariance;
}

double PersonFilter::squared_distance(Point at, const Spread& spread) const {
    const Innovation news = innovation(column(mean_), rows(covariance_), at, spread);
    return news.difference.dot(news.covariance.inverse() * news.difference);
}

}  // namespace outrider
