#include "slam/hyper_slam.hpp"

#include <algorithm>
#include <cstdint>

#include "base/parallel.hpp"
#include "outrider/rng.hpp"

namespace outrider {
namespace {

/// Maps are compared after this many scans, or this distance.
constexpr std::uint64_t scans_between = 100;
constexpr double path_between_m = 5;
/// Weights are products of powers of contrast and order, and of a factor for each scan that was not where the filter
/// expected it: a map that is folded onto itself may look tidy. Good maps differ by 0.2 % of contrast and 5 % of order
/// for no reason, broken ones by ten times that. So filters whose weight is less than this share of the largest are
/// dropped: hardly ever by chance, and broken ones at once.
constexpr double contrast_power = 200, order_power = 4, surprised = 0.5, broken = 0.15;
/// Copies differ by this share of what the first filters differ by.
constexpr double renewed = 0.2;

}  // namespace

HyperSlam::HyperSlam(const SlamOptions& options, const Pose& start, std::uint64_t seed, const PatchGraph* before)
    : Slam(options), seed_(seed), last_(static_cast<std::size_t>(options.filters), PoseTree::none) {
    if (before) begin_nearby();
    const int particles = std::max(20, options.shared_particles / 5);
    for (int i = 0; i < options.filters; ++i) {
        SharedFilter& f = filters_.emplace_back(options_, particles, start, seed, i, before);
        if (i == 0) continue;  // one believes odometry
        Rng rng(seed, i, Purpose::calibration, 0);
        f.calibration = {1 + options.odometry_travel * rng.normal(), 1 + options.odometry_turn * rng.normal(),
                         0.5 * options.odometry_travel * rng.normal()};
    }
}

std::vector<WeighedPose> HyperSlam::guesses() const {
    std::vector<WeighedPose> out;
    for (const SharedFilter& f : filters_)
        out.push_back(
            {compose(f.pose(), f.calibration.applied(since_update_)), 1 / static_cast<double>(filters_.size())});
    return out;
}

bool HyperSlam::take(Point sensor, std::span<const Point> ends) {
    travelled_m_ += norm(since_update_.position());
    if (counters_.updates > compared_ + scans_between || travelled_m_ > path_between_m) resample();
    parallel_for(static_cast<int>(filters_.size()), [&](int i) {
        SharedFilter& filter = filters_[static_cast<std::size_t>(i)];
        filter.update(since_update_, travelled_, sensor, ends, counters_.updates);
        filter.rest();
    });
    for (const SharedFilter& f : filters_) {
        counters_.searches += f.found().searched;
        counters_.recovered += f.found().recovered;
    }
    counters_.rejected += best().rejected();
    if (counters_.updates > 1) note_fit(best().found().match, !best().rejected());
    for (std::size_t i = 0; i < filters_.size(); ++i) last_[i] = paths_.add(last_[i], filters_[i].pose());
    paths_.compact(last_);
    return best().drawn();
}

/// The weight of each filter.
std::vector<double> HyperSlam::compare() const {
    std::vector<double> weights(filters_.size());
    parallel_for(static_cast<int>(filters_.size()), [&](int i) {
        const auto k = static_cast<std::size_t>(i);
        const MapQuality q = map_quality(filters_[k].map());
        weights[k] = pow(q.contrast + 1e-9, contrast_power) * pow(q.order + 1e-9, order_power) *
                     pow(surprised, filters_[k].surprises());
    });
    return weights;
}

/// Filters whose maps are much worse than the best one are dropped; copies of the others, by weight, take their places.
void HyperSlam::resample() {
    compared_ = counters_.updates;
    travelled_m_ = 0;
    std::vector<double> weights = compare();
    const auto tidiest = static_cast<std::size_t>(std::max_element(weights.begin(), weights.end()) - weights.begin());
    const double bound = broken * weights[tidiest];
    double sum = 0;
    for (double& w : weights) sum += w = w < bound ? 0 : w;
    odometry_holds_ = odometry_holds_ && weights[0] > 0;
    if (!odometry_holds_) best_ = tidiest;
    const auto gone = static_cast<std::size_t>(std::count(weights.begin(), weights.end(), 0.0));
    if (gone == 0 || gone == weights.size()) return;
    // By one random number, floor or ceiling of each one's share of the places.
    Rng rng(seed_, -1, Purpose::particle, static_cast<std::int64_t>(counters_.updates));
    double reached = rng.uniform();
    std::vector<std::size_t> from;
    double up_to = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        up_to += weights[i] / sum * static_cast<double>(gone);
        for (; reached < up_to && from.size() < gone; reached += 1) from.push_back(i);
    }
    from.resize(gone, tidiest);  // what rounding left over
    for (std::size_t i = 0, k = 0; i < weights.size(); ++i) {
        if (weights[i] > 0) continue;
        filters_[i] = filters_[from[k]].fork(static_cast<int>(i));
        last_[i] = last_[from[k]];
        ++k;
        Calibration& c = filters_[i].calibration;
        Rng other(seed_, static_cast<std::int64_t>(i), Purpose::calibration,
                  static_cast<std::int64_t>(counters_.updates));
        c.travelled += renewed * options_.odometry_travel * other.normal();
        c.turn += renewed * options_.odometry_turn * other.normal();
        c.turn_per_m += renewed * 0.5 * options_.odometry_travel * other.normal();
    }
}

}  // namespace outrider
