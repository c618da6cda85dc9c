// Steps at which something happens by chance, so often in an hour: exponential times apart.
#pragma once

#include "outrider/rng.hpp"

namespace outrider {

/// Steps until something happens that happens once in `mean` steps; at least 1.
double exponential_steps(double mean, Rng& rng);

/// Drawn one after the other, as they fall due: there may be as many as steps.
class RandomSteps {
  public:
    /// `rng`: what it draws from; it begins with the first one.
    RandomSteps(double per_hour, double step_s, Rng rng);
    /// Whether it happens in this step. Steps in order.
    bool at(int step);
    /// The next one.
    double next() const { return next_; }
    /// What is left to draw from once those before step `end` are drawn.
    Rng rng_after(int end) const;

  private:
    double between_;  // steps in the mean
    Rng rng_;
    double next_ = 0;
};

}  // namespace outrider
