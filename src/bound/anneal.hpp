// Who visits what in which order: greedy at first, then simulated annealing (Kirkpatrick et al. 1983).
#pragma once

#include <atomic>
#include <optional>

#include "bound/tours.hpp"
#include "outrider/rng.hpp"

namespace outrider {

/// Robots take turns, the one whose tour is the shortest first: each goes where it sees most that is new for the way.
Tours greedy_tours(const BoundTask& task, const Roads& roads, const Blocks& targets);

/// The same on every machine: what is drawn follows from the seed, and effort is counted in evaluations.
class Annealer {
  public:
    /// Begins with the tours that the model has.
    Annealer(const BoundTask& task, const Roads& roads, TourModel& model, std::uint64_t seed)
        : task_(task), roads_(roads), model_(model), rng_(seed, -1, Purpose::strategy, 0) {}
    /// So many more evaluations, while the temperature falls; then the model has the best tours found in these. Returns
    /// early when interrupted.
    void run(std::int64_t evaluations, double hot, double cold, const std::atomic<bool>* interrupted);

  private:
    const BoundTask& task_;
    const Roads& roads_;
    TourModel& model_;
    Rng rng_;
};

}  // namespace outrider
