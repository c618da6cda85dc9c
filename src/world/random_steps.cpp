#include "world/random_steps.hpp"

#include <cmath>

#include "outrider/geometry.hpp"

namespace outrider {

double exponential_steps(double mean, Rng& rng) { return 1 + std::floor(-mean * log(1 - rng.uniform())); }

RandomSteps::RandomSteps(double per_hour, double step_s, Rng rng) : between_(3600 / (per_hour * step_s)), rng_(rng) {
    next_ += exponential_steps(between_, rng_);
}

bool RandomSteps::at(int step) {
    while (next_ < step) next_ += exponential_steps(between_, rng_);
    return next_ == step;
}

Rng RandomSteps::rng_after(int end) const {
    RandomSteps rest = *this;
    while (rest.next_ < end) rest.next_ += exponential_steps(rest.between_, rest.rng_);
    return rest.rng_;
}

}  // namespace outrider
