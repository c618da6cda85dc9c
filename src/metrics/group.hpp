// A group of metrics: the rows that a feature of the world adds to the summary of a run, and what it counts for them.
// A run without the feature has neither. The core does not know what is in a group.
#pragma once

#include <memory>
#include <span>
#include <type_traits>

#include "metrics/metric_list.hpp"
#include "metrics/true_view.hpp"
#include "run/run.hpp"
#include "simulator/sim_driver.hpp"

namespace outrider {

/// What is measured; all of it outlives what measures.
struct Measured {
    const SimDriver& driver;
    std::span<const Robot> team;
    const TrueView& truth;  ///< what the robots believe, in the team's frame
};

/// Counts along a run.
class Counter {
  public:
    virtual ~Counter() = default;
    /// After each step; the true view is that of now.
    virtual void on_step(const StepView& view) = 0;
    /// Whether there is something to be shown.
    virtual bool any() const { return true; }
};

struct MetricGroup {
    std::span<const MetricInfo> metrics;
    /// Whether a run has what is measured; null: every run has it.
    bool (*applies)(const Measured&) = nullptr;
    /// Made at the beginning of a run to which the group applies; null: the end of the run tells all.
    std::unique_ptr<Counter> (*counter)(const Measured&) = nullptr;
    std::string_view part{};  ///< of a scenario (scenario/exclusions.hpp), without which a run has none of it

    /// Whether the summary of every run has it.
    bool always() const { return !applies && !counter; }
};

template <class C>
std::unique_ptr<Counter> make_counter(const Measured& run) {
    if constexpr (std::is_constructible_v<C, const Measured&>)
        return std::make_unique<C>(run);
    else
        return std::make_unique<C>();
}

/// For a group that applies where the world has a part.
template <class Part>
bool has_part(const Measured& run) {
    return run.driver.part<Part>() != nullptr;
}

/// Those of the features (src/features/list.cpp).
std::span<const MetricGroup* const> metric_features();
/// All groups, in the order of the summary.
std::span<const MetricGroup* const> metric_groups();

}  // namespace outrider
