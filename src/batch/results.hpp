// The results of a sweep: reads the file that merge_sweep writes, a metric at a time.
#pragma once

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "batch/statistics.hpp"
#include "batch/sweep_plan.hpp"

namespace outrider {

/// Mean of a curve over runs, and its 95 % band. Maps are taken as fixed, runs within a map as random draws; maps with
/// a single run count together as one map.
struct Band {
    std::vector<double> mean, low, high;
};

class Results {
  public:
    /// Throws Error when the file is no merged sweep.
    explicit Results(const std::string& path);

    /// The plan; a cell whose runs were decided by different programs is several here, each with its fingerprint in its
    /// label and in its value of the strategy's or the compared axis.
    const SweepPlan& plan() const { return split_ ? *split_ : planned_; }
    /// The plan as it was run.
    const SweepPlan& planned() const { return planned_; }
    /// Of what decided in the runs of a cell of plan(); empty where nothing says so: in results of version 1, or no
    /// run.
    const std::string& fingerprint(std::size_t cell) const { return fingerprints_[cell]; }
    /// The same in parts; nullptr where nothing says so.
    const Provenance* decided_by(std::size_t cell) const;
    bool mixed() const { return split_.has_value(); }
    /// What decided in some run.
    const std::vector<Provenance>& provenance() const { return provenance_; }
    const std::string& digest() const { return digest_; }
    const std::string& path() const { return db_.path(); }
    std::int64_t done() const { return done_; }
    std::int64_t failed() const { return failed_; }  ///< among the done
    std::vector<std::pair<std::int64_t, std::string>> failures(int most);
    /// Runs that are, step by step, equal to a run of another start or repetition of their map and cell: they add no
    /// evidence.
    std::int64_t repeated();

    /// A pair is a map, a start and a repetition; runs of one pair have the same random numbers.
    std::size_t pairs() const { return pairs_; }
    int map_of(std::size_t pair) const;
    std::int64_t start_of(std::size_t pair) const;
    /// Whether the run of the cell on that pair was done and did not fail.
    bool there(std::size_t cell, std::size_t pair) const { return there_[cell][pair] != 0; }
    /// Whether some pair was done by both cells.
    bool common_start(std::size_t a, std::size_t b) const {
        return std::inner_product(there_[a].begin(), there_[a].end(), there_[b].begin(), 0) > 0;
    }
    std::int64_t run_of(std::size_t cell, std::size_t pair) const;
    /// The cell of plan() and the pair of a run.
    std::pair<std::size_t, std::size_t> place_of(std::int64_t run) const;
    /// A metric by cell, then pair; not a number where it was never reached, is not defined, or the run is missing.
    std::vector<std::vector<double>> metric(const std::string& name);
    /// The longest step limit of a cell's runs.
    int step_limit(std::size_t cell) const { return limits_[cell]; }
    /// The longest of all.
    int longest_limit() const { return *std::max_element(limits_.begin(), limits_.end()); }
    /// The limit of one run of the cell: maps may have limits of their own.
    int step_limit_of(std::size_t cell, std::size_t pair) const {
        return map_limits_[cell][static_cast<std::size_t>(map_of(pair))];
    }

    struct CoverageBands {
        Band team, base;
    };
    /// Of each cell, at plan().curve_points points from step 0 to step_limit - 1; a run's last value is held where it
    /// ended before. Empty without curves.
    std::vector<CoverageBands> coverage();
    Database& database() { return db_; }

  private:
    void read_runs();
    void split(const std::vector<std::vector<std::string>>& fingerprints);

    Database db_;
    SweepPlan planned_;
    std::optional<SweepPlan> split_;
    std::vector<std::size_t> origin_;              // by cell of plan(): that of planned_
    std::vector<std::vector<std::size_t>> parts_;  // by cell of planned_: those of plan()
    std::vector<std::string> fingerprints_;        // by cell of plan()
    std::vector<Provenance> provenance_;
    std::string digest_;
    std::int64_t done_ = 0, failed_ = 0;
    std::size_t pairs_ = 0;
    std::vector<std::vector<std::uint8_t>> there_;
    std::vector<int> limits_;                   // by cell
    std::vector<std::vector<int>> map_limits_;  // by cell, then map
};

/// Whether a metric is the time until something, which a run may never reach: "t90_base".
bool is_time_to(std::string_view metric);

}  // namespace outrider
