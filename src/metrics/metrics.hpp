// The metrics of a run: a row per step and a summary. All in steps, seconds of simulated time and metres.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <vector>

#include "metrics/coverage.hpp"
#include "metrics/group.hpp"
#include "metrics/step_metrics.hpp"
#include "metrics/time_spent.hpp"
#include "metrics/true_view.hpp"
#include "run/run.hpp"
#include "simulator/sim_driver.hpp"

namespace outrider {

/// Running sums of ages in steps.
struct Ages {
    double sum = 0;
    std::int64_t count = 0;
    double max = 0;
    void add(double age) {
        sum += age;
        ++count;
        max = std::max(max, age);
    }
    double mean() const { return count > 0 ? sum / static_cast<double>(count) : 0; }
};

/// What is counted along a run.
struct RunTotals {
    Ages at_robots, at_base, since_update;
    int last_base_update = -1, last_team_news = 0;
    std::int64_t connected_robot_steps = 0, robot_steps = 0;
    std::int64_t stood = 0, same_target = 0, fruitless = 0;  ///< robot-steps, see the metrics of these names
    std::array<std::int64_t, strategy_event_names.size()>
        strategy_events{};  ///< kept, missed, swapped: how many; else steps
    TimeSpent spent;        ///< until the team knows the last share of time_to() metrics
};

class Metrics final : public Observer {
  public:
    /// `sensable`: in the team's frame. `driver` and `team` outlive this.
    Metrics(const SimDriver& driver, std::span<const Robot> team, const Grid<std::uint8_t>& sensable);
    /// For a copy of the run; both are of it.
    Metrics(const Metrics& other, const SimDriver& driver, std::span<const Robot> team);
    Metrics& operator=(const Metrics&) = delete;

    void on_step(const StepView& view) override;
    const std::vector<StepMetrics>& steps() const { return steps_; }
    const Coverage& coverage() const { return coverage_; }
    /// What the robots believe, in the team's frame.
    const TrueView& truth() const { return truth_; }
    /// steps_limit: the T_max over which areas under curves are taken.
    std::vector<SummaryValue> summary(EndReason reason, int steps_limit) const;

  private:
    Metrics(const Metrics&) = default;  // counters refer to what it holds
    Measured measured() const { return {*driver_, team_, truth_}; }
    void add_ages(const StepView& view);
    void add_progress(const StepView& view, const StepMetrics& row);

    const SimDriver* driver_;
    std::span<const Robot> team_;
    TrueView truth_;
    Coverage coverage_;
    std::vector<StepMetrics> steps_;
    std::vector<double> longest_paths_;  // by step, of a mobile robot
    RunTotals totals_;
    std::vector<double> driven_m_;  // by each robot up to the step before
    // By group; null: it does not apply, or needs none.
    std::vector<Boxed<Counter>> counters_;
};

/// Time series helpers, for the summary and for tests.
/// First step at which the share reaches `level`; not a number when it never does.
double time_to(std::span<const StepMetrics> steps, double StepMetrics::*share, double level);
/// Mean of the share over [0, limit), the last value held.
double mean_share(std::span<const StepMetrics> steps, double StepMetrics::*share, int limit);
/// Integral of base d(team) over integral of team d(team), for team shares in [low, high]: 1 when the base always knows
/// what the team knows, whatever the speed. Not a number when the team never gets beyond `low`.
double base_awareness(std::span<const StepMetrics> steps, double low, double high);

}  // namespace outrider
