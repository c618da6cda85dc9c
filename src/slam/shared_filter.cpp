#include "slam/shared_filter.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/parallel.hpp"
#include "outrider/rng.hpp"
#include "slam/manifold/around_map.hpp"
#include "slam/particle_slam.hpp"

namespace outrider {
namespace {

/// An end nearer than this to the one used before adds nothing new.
constexpr double thinned_m = 0.1;
/// The share of the particles of which the pose is the mean.
constexpr int best_of = 20;
/// Noise without any motion.
constexpr double least_sigma_m = 0.005;
/// Particles are spread by so many standard deviations of the match that moved them.
constexpr double spread_sigmas = 2;
/// Particles of one task.
constexpr int block = 50;

}  // namespace

Pose Calibration::applied(const Pose& motion) const {
    return {travelled * motion.x, travelled * motion.y,
            wrap_angle(turn * motion.yaw + turn_per_m * norm(motion.position()))};
}

SharedFilter::SharedFilter(const SlamOptions& options, int particles, const Pose& start, std::uint64_t seed, int stream,
                           const PatchGraph* before)
    : options_(&options),
      seed_(seed),
      stream_(stream),
      map_(map_of(before, map_options(options))),
      particles_(static_cast<std::size_t>(particles), start),
      weights_(particles_.size(), 1.0),
      pose_(start),
      empty_(!before) {}

SharedFilter::SharedFilter(const SharedFilter& other, CountedMap map)
    : calibration(other.calibration),
      options_(other.options_),
      seed_(other.seed_),
      stream_(other.stream_),
      map_(std::move(map)),
      particles_(other.particles_),
      weights_(other.weights_),
      pose_(other.pose_),
      covariance_(other.covariance_),
      rejected_in_a_row_(other.rejected_in_a_row_),
      surprises_(other.surprises_),
      empty_(other.empty_) {}

SharedFilter SharedFilter::fork(int stream) {
    SharedFilter copy(*this, map_.fork());
    copy.stream_ = stream;
    return copy;
}

void SharedFilter::update(const Pose& measured, const Travelled& travelled, Point sensor, std::span<const Point> ends,
                          std::uint64_t number) {
    Pose motion = calibration.applied(measured);
    found_ = {};
    drawn_ = true;
    if (!empty_) {
        resample(number);
        found_ = find_pose(map_, ends, expect(compose(pose_, motion), travelled, *options_), rejected_in_a_row_);
        const bool matched = believable(found_.match);
        if (matched) {
            motion = compose(inverse(pose_), found_.match.pose);
            covariance_ = found_.match.covariance;
            rejected_in_a_row_ = 0;
        } else {
            drawn_ = ++rejected_in_a_row_ >= rejected_before_new;
        }
        surprises_ += found_.recovered || rejected_in_a_row_ > 0;
        drift(motion, matched && covariance_[0] > 0, number);
        measure(ends);
    } else {
        pose_ = compose(pose_, motion);
        std::fill(particles_.begin(), particles_.end(), pose_);
    }
    if (drawn_) draw_scan(map_, pose_, sensor, ends, world_, need_surfaces(travelled, empty_));
    empty_ = false;
}

void SharedFilter::add_guesses(const Pose& since, double share, std::vector<WeighedPose>& out) const {
    const double sum = std::accumulate(weights_.begin(), weights_.end(), 0.0);
    for (std::size_t i = 0; i < particles_.size(); ++i)
        out.push_back({compose(particles_[i], calibration.applied(since)),
                       share * (sum > 0 ? weights_[i] / sum : 1 / static_cast<double>(particles_.size()))});
}

void SharedFilter::resample(std::uint64_t number) {
    double sum = 0;
    for (const double w : weights_) sum += w;
    if (!(sum > 0)) return;
    std::vector<double> shares;
    for (const double w : weights_) shares.push_back(w / sum);
    Rng rng(seed_, stream_, Purpose::particle, -1 - static_cast<std::int64_t>(number));
    const std::vector<int> copies = resample_systematic(shares, rng.uniform());
    std::vector<Pose> next;
    next.reserve(particles_.size());
    for (std::size_t i = 0; i < particles_.size(); ++i)
        next.insert(next.end(), static_cast<std::size_t>(copies[i]), particles_[i]);
    particles_ = std::move(next);
}

/// Moves all particles alike, and spreads them: by what a match leaves open, or else by what odometry does.
void SharedFilter::drift(const Pose& motion, bool matched, std::uint64_t number) {
    Rng rng(seed_, stream_, Purpose::particle, static_cast<std::int64_t>(number));
    if (matched) {
        const Matrix3 root = square_root(covariance_);
        for (Pose& p : particles_) {
            const double x = spread_sigmas * rng.normal(), y = spread_sigmas * rng.normal(),
                         turn = spread_sigmas * rng.normal();
            p = compose(p, motion);
            const Vector3 noise = product(root, {x, y, turn});
            p = {p.x + noise[0], p.y + noise[1], wrap_angle(p.yaw + noise[2])};
        }
        return;
    }
    const double travelled = norm(motion.position()), turn = std::abs(motion.yaw);
    const double sigma = options_->odometry_travel * travelled + least_sigma_m,
                 sigma_yaw = options_->odometry_turn * turn + 0.5 * options_->odometry_travel * travelled;
    for (Pose& p : particles_)
        p = compose(p, {motion.x + sigma * rng.normal(), motion.y + sigma * rng.normal(),
                        motion.yaw + sigma_yaw * rng.normal()});
}

/// Weights, and the mean of the best as the pose.
void SharedFilter::measure(std::span<const Point> ends) {
    thin_.clear();
    for (const Point p : ends)
        if (thin_.empty() || distance(p, thin_.back()) >= thinned_m) thin_.push_back(p);
    const int count = static_cast<int>(particles_.size());
    parallel_for((count + block - 1) / block, [&](int task) {
        for (int i = task * block; i < std::min(count, (task + 1) * block); ++i) {
            const Pose& at = particles_[static_cast<std::size_t>(i)];
            const auto [s, c] = sin_cos(at.yaw);
            double sum = 0;
            for (const Point p : thin_) sum += map_.share({at.x + (c * p.x - s * p.y), at.y + (s * p.x + c * p.y)});
            weights_[static_cast<std::size_t>(i)] = sum;
        }
    });
    std::vector<std::size_t> order(particles_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto best = static_cast<std::ptrdiff_t>(std::max<std::size_t>(1, order.size() / best_of));
    std::partial_sort(order.begin(), order.begin() + best, order.end(), [&](std::size_t a, std::size_t b) {
        return weights_[a] != weights_[b] ? weights_[a] > weights_[b] : a < b;
    });
    const Pose& first = particles_[order[0]];
    double x = 0, y = 0, yaw = 0;
    for (auto k = order.begin(); k != order.begin() + best; ++k) {
        x += particles_[*k].x - first.x;
        y += particles_[*k].y - first.y;
        yaw += wrap_angle(particles_[*k].yaw - first.yaw);
    }
    const auto n = static_cast<double>(best);
    pose_ = {first.x + x / n, first.y + y / n, wrap_angle(first.yaw + yaw / n)};
}

bool SharedSlam::take(Point sensor, std::span<const Point> ends) {
    filter_.update(since_update_, travelled_, sensor, ends, counters_.updates);
    counters_.searches += filter_.found().searched;
    counters_.recovered += filter_.found().recovered;
    counters_.rejected += filter_.rejected();
    if (counters_.updates > 1) note_fit(filter_.found().match, !filter_.rejected());
    return filter_.drawn();
}

}  // namespace outrider
