#include "features/failures/failures.hpp"

#include <numeric>

#include "outrider/geometry.hpp"
#include "outrider/rng.hpp"
#include "world/random_steps.hpp"

namespace outrider {
namespace {

FailureKind draw_kind(const FailureOptions& options, double all, Rng& rng) {
    double left = all * rng.uniform();
    std::size_t last = 0;
    for (std::size_t k = 0; k < options.weights.size(); ++k) {
        if (options.weights[k] <= 0) continue;
        last = k;
        if (left < options.weights[k]) break;
        left -= options.weights[k];
    }
    return static_cast<FailureKind>(last);
}

}  // namespace

std::vector<Failure> draw_failures(const FailureOptions& options, std::span<const std::uint8_t> fails, int steps,
                                   double step_s, std::uint64_t seed) {
    std::vector<Failure> out;
    const double all = std::accumulate(options.weights.begin(), options.weights.end(), 0.0);
    if (options.rate_per_hour <= 0 || all <= 0) return out;
    const double between = 3600 / (options.rate_per_hour * step_s);
    for (std::size_t i = 0; i < fails.size(); ++i) {
        if (!fails[i]) continue;
        Rng rng(seed, static_cast<std::int64_t>(i), Purpose::failure, 0);
        for (double at = 0;;) {
            at += exponential_steps(between, rng);
            if (at >= steps) break;
            Failure f{static_cast<RobotId>(i), draw_kind(options, all, rng), static_cast<int>(at)};
            const bool ends = f.kind != FailureKind::dead && options.repair_steps > 0;
            if (ends) at += exponential_steps(options.repair_steps, rng);
            if (ends && at < steps) f.until = static_cast<int>(at);
            out.push_back(f);
            if (!ends) break;
        }
    }
    return out;
}

Faults faults_at(std::span<const Failure> failures, int step) {
    Faults now;
    for (const Failure& f : failures) {
        if (step < f.from || step >= f.until) continue;
        now.dead |= f.kind == FailureKind::dead;
        now.stuck |= f.kind == FailureKind::stuck;
        now.deaf |= f.kind == FailureKind::deaf;
        now.blind |= f.kind == FailureKind::blind;
        now.slow |= f.kind == FailureKind::slow;
    }
    return now;
}

}  // namespace outrider
