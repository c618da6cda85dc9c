// Two samples against each other: the difference, its test, and how often which is better.
//
// Runs of one map are alike, so the map is the unit: what counts as one observation is the mean difference of a map.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "batch/statistics.hpp"

namespace outrider {

/// Where the runs of a pair were.
struct PairPlace {
    int map = 0;
    std::int64_t start = 0;
};

struct Difference {
    /// What the p value is of: whole maps change their sign; on a single map its starts do; or, where no start is
    /// common, runs of a single map are ranked (Mann-Whitney).
    enum class Test { none, maps, starts, runs };
    Test test = Test::none;
    bool paired = true;
    std::size_t pairs = 0, better_a = 0, better_b = 0;  ///< pairs with both values; those in which which is better
    std::size_t maps = 0, better_maps_a = 0, better_maps_b = 0;  ///< maps with both; by the mean of the map
    std::size_t units = 0;   ///< what the test takes for independent: maps, starts or runs
    bool favours_b = false;  ///< by the mean, or of runs by A12
    double mean = 0;         ///< of b - a: of the means of the maps, each counted once; of starts with a single map
    Interval interval;       ///< 95 %, of that mean; not a number: there are too few units
    double effect = 0.5;     ///< A12: the chance that a run of b is better than one of a
    double p = 1, adjusted = 1;
    double smallest = 1;     ///< the smallest p that so many units can give
    bool possible = true;    ///< some result could have been shown; set by adjust()
    std::size_t needed = 0;  ///< so many units at least, for some result to be shown; 0: not known; set by adjust()
    /// Whether there was something to test.
    bool made() const { return test != Test::none; }
    bool shown() const;
    /// It holds on that map only.
    bool single_map() const { return maps == 1; }
};

/// The k-th values of a and b are a pair at places[k]; not a number: no value. If no pair has both values, the means of
/// the runs are compared map by map, unless they have starts in `common`. `less`: less is better.
Difference compare_samples(std::span<const double> a, std::span<const double> b, std::span<const PairPlace> places,
                           bool less, bool common);

/// Adjusts the p values of all tests that were made (Holm), and says which could have been shown at all.
void adjust(const std::vector<Difference*>& tests);

}  // namespace outrider
