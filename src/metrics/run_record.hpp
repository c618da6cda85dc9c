// A run up to now, as the functions of the metrics see it (metric_list.cpp).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "metrics/map_paths.hpp"
#include "metrics/map_skeleton.hpp"
#include "metrics/metrics.hpp"

namespace outrider {

/// The distances that the mobile robots drove.
struct TravelTotals {
    double sum = 0, squares = 0, longest = 0, off_mean = 0;  ///< off_mean: squared differences from the mean
    int mobile = 0, dead = 0;
};

/// Cells of the union of all maps, against the truth.
struct MapAccuracy {
    std::int64_t free = 0, occupied = 0, falsely_free = 0, falsely_occupied = 0;
};

/// Results of the tests on the map of a mobile robot.
struct MapTrials {
    PathShares paths;
    SkeletonShares skeleton;
};

struct RunRecord {
    std::span<const StepMetrics> steps;
    std::span<const double> longest_paths;  ///< by step: the longest path of a mobile robot so far, in metres
    const Coverage& coverage;
    const SimDriver& driver;
    const World& world;
    std::span<const Robot> team;
    const TrueView& truth;
    const RunTotals& totals;
    std::span<const Boxed<Counter>> counters;  ///< of the groups
    EndReason reason;
    int steps_limit;  ///< T_max, over which areas under curves are taken

    // Values that several metrics use.
    StepMetrics last;
    TravelTotals paths;
    double seen_by_each = 0, seen_by_any = 0;  ///< cells that robots saw themselves: summed over robots, of all
    MapAccuracy accuracy;
    std::vector<double> walls_off;                 ///< by robot, where scans are matched
    std::vector<std::optional<MapTrials>> trials;  ///< likewise; none of a base

    RunRecord(std::span<const StepMetrics> steps, std::span<const double> longest_paths, const Coverage& coverage,
              const Measured& run, const RunTotals& totals, std::span<const Boxed<Counter>> counters, EndReason reason,
              int steps_limit);
    /// The counter of this class; null: this run has none.
    template <class C>
    const C* find() const {
        for (const auto& counter : counters)
            if (const C* found = dynamic_cast<const C*>(counter.get())) return found;
        return nullptr;
    }
    /// The same, where the group applies.
    template <class C>
    const C& counts() const {
        return *find<C>();
    }
    double cell_area() const { return world.lattice().cell_m * world.lattice().cell_m; }
};

/// part / whole; 0 when whole is 0.
inline double share_of(double part, double whole) { return whole > 0 ? part / whole : 0; }

}  // namespace outrider
