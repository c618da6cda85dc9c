#include "slam/particle_slam.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/parallel.hpp"
#include "outrider/rng.hpp"
#include "slam/manifold/around_map.hpp"

namespace outrider {
namespace {

/// A likelihood is exp(-sum of d^2 / spread), taken to the power 1 / (gain * particles), since the beams of a scan are
/// far from independent.
constexpr double spread_m2 = 0.05, gain = 3;

double log_likelihood(const CountedMap& map, std::span<const Point> ends, const Pose& pose) {
    const auto [s, c] = sin_cos(pose.yaw);
    double sum = 0;
    for (const Point p : ends) {
        const double d = map.sample({pose.x + (c * p.x - s * p.y), pose.y + (s * p.x + c * p.y)}).distance_m;
        sum -= d * d / spread_m2;
    }
    return sum;
}

}  // namespace

std::vector<int> resample_systematic(std::span<const double> weights, double u) {
    const auto n = static_cast<double>(weights.size());
    std::vector<int> copies(weights.size(), 0);
    double sum = 0;
    std::size_t done = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        sum += weights[i];
        while (done < weights.size() && (static_cast<double>(done) + u) / n < sum) {
            ++copies[i];
            ++done;
        }
    }
    // What rounding left over goes to the last one that has a weight.
    for (std::size_t i = weights.size(); i-- > 0 && done < weights.size();)
        if (weights[i] > 0) {
            copies[i] += static_cast<int>(weights.size() - done);
            done = weights.size();
        }
    return copies;
}

ParticleSlam::ParticleSlam(const SlamOptions& options, const Pose& start, std::uint64_t seed, const PatchGraph* before)
    : Slam(options), seed_(seed), empty_(!before) {
    CountedMap map = map_of(before, map_options(options));
    if (before) begin_nearby();
    for (int i = 0; i < options.particles; ++i)
        particles_.push_back({map.fork(), start, {}, 0, 0, PoseTree::none, {}, {}});
}

/// The motion since the last update with noise, then refined by matching.
void ParticleSlam::move(Particle& particle, int index) const {
    Rng rng(seed_, index, Purpose::particle, static_cast<std::int64_t>(counters_.updates));
    const double dx = std::abs(since_update_.x), dy = std::abs(since_update_.y), turn = std::abs(since_update_.yaw);
    const double travelled = options_.odometry_travel, turning = options_.odometry_turn;
    const double sigma_x = travelled * dx + 2 * turning * turn + 0.3 * travelled * dy,
                 sigma_y = travelled * dy + 2 * turning * turn + 0.3 * travelled * dx,
                 sigma_yaw = turning * turn + 2 * travelled * norm(since_update_.position());
    // Half of it: where the noise cannot be told apart by the scan, the trajectories would wander.
    const Pose noisy{since_update_.x + 0.5 * sigma_x * rng.normal(), since_update_.y + 0.5 * sigma_y * rng.normal(),
                     since_update_.yaw + 0.5 * sigma_yaw * rng.normal()};
    particle.pose = compose(particle.pose, noisy);
}

void ParticleSlam::match(Particle& p, std::span<const Point> ends, const std::optional<Pose>& hint) {
    p.found = find_pose(p.map, ends, expect(p.pose, travelled_, options_), p.rejected_in_a_row, hint);
    if (believable(p.found.match)) {
        p.pose = p.found.match.pose;
        p.covariance = p.found.match.covariance;
        p.rejected_in_a_row = 0;
    } else {
        ++p.rejected_in_a_row;
    }
    p.log_weight += log_likelihood(p.map, ends, p.pose);
}

bool ParticleSlam::take(Point sensor, std::span<const Point> ends) {
    const bool first = std::exchange(empty_, false);
    if (first) {
        for (Particle& p : particles_) p.pose = compose(p.pose, since_update_);
    } else {
        // Where the best one is, seen from where it should be, is a hint for the others: they need no search.
        move(particles_[best_], static_cast<int>(best_));
        const Pose expected = best().pose;
        match(particles_[best_], ends, {});
        const Pose found = compose(inverse(expected), best().pose);
        parallel_for(static_cast<int>(particles_.size()), [&](int i) {
            if (static_cast<std::size_t>(i) == best_) return;
            Particle& p = particles_[static_cast<std::size_t>(i)];
            move(p, i);
            match(p, ends, compose(p.pose, found));
        });
    }
    if (!first) {
        const SlamCounters before = counters_;
        for (const Particle& p : particles_) {
            counters_.searches += p.found.searched;
            counters_.recovered += p.found.recovered;
        }
        counters_.rejected = before.rejected + (best().rejected_in_a_row > 0);
        note_fit(best().found.match, best().rejected_in_a_row == 0);
        weigh();
    }
    parallel_for(static_cast<int>(particles_.size()), [&](int i) {
        Particle& p = particles_[static_cast<std::size_t>(i)];
        if (p.rejected_in_a_row == 0 || p.rejected_in_a_row >= rejected_before_new)
            draw_scan(p.map, p.pose, sensor, ends, p.world, need_surfaces(travelled_, first));
        p.map.rest();
    });
    if (options_.pack_after > 0)
        for (Particle& p : particles_) p.map.pack_cold(options_.pack_after);
    std::vector<PoseTree::Node> last;
    for (Particle& p : particles_) last.push_back(paths_.add(p.last, p.pose));
    paths_.compact(last);
    for (std::size_t i = 0; i < particles_.size(); ++i) particles_[i].last = last[i];
    return true;
}

/// From what has been added up since the last resampling.
std::vector<double> ParticleSlam::weights() const {
    std::vector<double> weights;
    double sum = 0;
    for (const Particle& p : particles_) {
        weights.push_back(exp((p.log_weight - best().log_weight) / (gain * static_cast<double>(particles_.size()))));
        sum += weights.back();
    }
    for (double& w : weights) w /= sum;
    return weights;
}

std::vector<WeighedPose> ParticleSlam::guesses() const {
    const std::vector<double> shares = weights();
    std::vector<WeighedPose> out;
    for (std::size_t i = 0; i < shares.size(); ++i)
        out.push_back({compose(particles_[i].pose, since_update_), shares[i]});
    return out;
}

/// Finds the best one; resamples when few particles carry the weight.
void ParticleSlam::weigh() {
    const auto n = particles_.size();
    best_ = 0;
    for (std::size_t i = 1; i < n; ++i)  // of equal ones the first
        if (particles_[i].log_weight > particles_[best_].log_weight) best_ = i;
    const std::vector<double> shares = weights();
    double squares = 0;
    for (const double w : shares) squares += w * w;
    if (1 / squares < 0.5 * static_cast<double>(n)) resample(shares);
}

void ParticleSlam::resample(std::span<const double> weights) {
    Rng rng(seed_, -1, Purpose::particle, static_cast<std::int64_t>(counters_.updates));
    const std::vector<int> copies = resample_systematic(weights, rng.uniform());
    std::vector<Particle> next;
    next.reserve(particles_.size());
    std::size_t best_now = 0;
    for (std::size_t i = 0; i < particles_.size(); ++i) {
        Particle& p = particles_[i];
        if (i == best_) best_now = next.size();
        for (int k = 1; k < copies[i]; ++k)
            next.push_back({p.map.fork(), p.pose, p.covariance, 0, p.rejected_in_a_row, p.last, {}, {}});
        if (copies[i] > 0) {
            p.log_weight = 0;
            next.push_back(std::move(p));
        }
    }
    particles_ = std::move(next);
    best_ = std::min(best_now, particles_.size() - 1);
}

}  // namespace outrider
