// A group of metrics: the rows that a feature of the world adds to the summary of a run, and what it counts for them.
// A run without the feature has neither. The core does not know what is in a group.
#pragma once

#include <memory>
#include <span>
#include <type_traits>

#include "metrics/metric_list.hpp"
#include "metrics/step_metrics.hpp"
#include "metrics/true_view.hpp"
#include "outrider/detail/boxed.hpp"
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
    /// For a copy of the run, to be followed by count_in(); see Copied.
    virtual std::unique_ptr<Counter> clone() const = 0;
    /// What it counts is in this run from now on.
    virtual void count_in(const Measured&) {}
    /// After each step; the true view is that of now.
    virtual void on_step(const StepView& view) = 0;
    /// Whether there is something to be shown.
    virtual bool any() const { return true; }
};

/// The values of a run at its end, for sentences about it.
class SummaryWords {
  public:
    SummaryWords(std::span<const SummaryValue> values, const SimDriver& of) : driver(of), values_(values) {}
    /// Of the team. NaN: the run does not have it, or never reached it.
    double operator[](std::string_view metric) const;
    /// "17"; "-" where it was never reached.
    std::string whole(std::string_view metric) const;
    /// "17.00 %".
    std::string percent(std::string_view metric) const;

    const SimDriver& driver;

  private:
    std::span<const SummaryValue> values_;
};

struct MetricGroup {
    std::span<const MetricInfo> metrics;
    /// Whether a run has what is measured; null: every run has it.
    bool (*applies)(const Measured&) = nullptr;
    /// Made at the beginning of a run to which the group applies; null: the end of the run tells all.
    std::unique_ptr<Counter> (*counter)(const Measured&) = nullptr;
    std::string_view part{};  ///< of a scenario (scenario/exclusions.hpp), without which a run has none of it
    /// Of a run that has it, for people: lines such as "batteries            1.2 Wh used", their text from column 22
    /// on.
    std::string (*in_words)(const SummaryWords&) = nullptr;

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
