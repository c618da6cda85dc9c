#include "slam/hyper_slam.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "outrider/rng.hpp"
#include "slam/particle_slam.hpp"

namespace outrider {
namespace {

/// Maps are compared after so many scans, or so far a way.
constexpr std::uint64_t scans_between = 100;
constexpr double way_between_m = 5;
/// Weights are products of powers of contrast and order. Good maps differ by 0.2 % of contrast and 5 % of order for no
/// reason, broken ones by ten times that: so few filters go by chance, and broken ones at once.
constexpr double contrast_power = 200, order_power = 4;
/// Copies differ by this share of what the first filters differ by.
constexpr double renewed = 0.2;

}  // namespace

HyperSlam::HyperSlam(const SlamOptions& options, const Pose& start, std::uint64_t seed)
    : Slam(options), seed_(seed), last_(static_cast<std::size_t>(options.filters), PoseTree::none) {
    const int particles = std::max(20, options.shared_particles / 5);
    for (int i = 0; i < options.filters; ++i) {
        SharedFilter& f = filters_.emplace_back(options_, particles, start, seed, i);
        if (i == 0) continue;  // one believes odometry
        Rng rng(seed, i, Purpose::particle, 0);
        f.calibration = {1 + options.odometry_way * rng.normal(), 1 + options.odometry_turn * rng.normal(),
                         0.5 * options.odometry_way * rng.normal()};
    }
}

bool HyperSlam::take(const Motion& motion, Point sensor, std::span<const Point> all_ends) {
    since_update_ = compose(since_update_, motion.delta);
    travelled_.add(motion);
    const std::span<const Point> ends = usable_ends(all_ends, usable_);
    if (ends.size() < least_ends || (counters_.updates > 0 && !moved_enough(since_update_, options_))) return false;
    ++counters_.updates;
    way_m_ += norm(since_update_.position());
    if (counters_.updates > compared_ + scans_between || way_m_ > way_between_m) resample();
    parallel_for(static_cast<int>(filters_.size()), [&](int i) {
        filters_[static_cast<std::size_t>(i)].update(since_update_, travelled_, sensor, ends, counters_.updates);
    });
    for (const SharedFilter& f : filters_) {
        counters_.searches += f.found().searched;
        counters_.recovered += f.found().recovered;
    }
    counters_.rejected += best().rejected();
    for (std::size_t i = 0; i < filters_.size(); ++i) last_[i] = ways_.add(last_[i], filters_[i].pose());
    ways_.compact(last_);
    since_update_ = {};
    travelled_ = {};
    return true;
}

/// The weight of each filter; notes the best one, of equal ones the first.
std::vector<double> HyperSlam::compare() {
    std::vector<double> weights(filters_.size());
    parallel_for(static_cast<int>(filters_.size()), [&](int i) {
        const auto k = static_cast<std::size_t>(i);
        const MapQuality q = map_quality(filters_[k].map());
        weights[k] = pow(q.contrast + 1e-9, contrast_power) * pow(q.order + 1e-9, order_power);
    });
    best_ = static_cast<std::size_t>(std::max_element(weights.begin(), weights.end()) - weights.begin());
    return weights;
}

void HyperSlam::resample() {
    compared_ = counters_.updates;
    way_m_ = 0;
    std::vector<double> weights = compare();
    double sum = 0;
    for (const double w : weights) sum += w;
    if (!(sum > 0)) return;
    for (double& w : weights) w /= sum;
    Rng rng(seed_, -1, Purpose::particle, static_cast<std::int64_t>(counters_.updates));
    std::vector<int> copies = resample_systematic(weights, rng.uniform());
    std::vector<SharedFilter> next;
    std::vector<PoseTree::Node> last;
    next.reserve(filters_.size() + 1);
    std::size_t best_now = 0;
    for (std::size_t i = 0; i < filters_.size(); ++i) {
        if (i == best_) best_now = next.size();  // its share is the largest: it has a copy
        for (int k = 0; k < copies[i]; ++k) {
            const int slot = static_cast<int>(next.size());
            next.push_back(filters_[i].fork(slot));
            last.push_back(last_[i]);
            if (k == 0) continue;
            Calibration& c = next.back().calibration;
            Rng other(seed_, slot, Purpose::particle, -1 - static_cast<std::int64_t>(counters_.updates));
            c.way += renewed * options_.odometry_way * other.normal();
            c.turn += renewed * options_.odometry_turn * other.normal();
            c.turn_per_m += renewed * 0.5 * options_.odometry_way * other.normal();
        }
    }
    filters_ = std::move(next);
    last_ = std::move(last);
    best_ = best_now;
}

}  // namespace outrider
