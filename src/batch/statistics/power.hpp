// How small a difference a comparison over maps would show, before it is made.
#pragma once

#include <optional>
#include <span>

namespace outrider {

/// Standard deviations of paired differences: of the maps' own means around the mean over all maps, and of the pairs of
/// a map around that map's mean.
struct Spread {
    double between = 0, within = 0;
};
/// Estimated from paired differences and the map of each (analysis of variance). Without a map that has two pairs,
/// `within` is 0 and contained in `between`; with one map `between` is 0.
Spread spread_of(std::span<const double> differences, std::span<const int> maps);

/// A comparison that is planned; with several tests at once the strictest step of Holm's correction counts.
struct PlannedTest {
    std::size_t maps = 1, pairs_per_map = 1, tests = 1;
};
/// The smallest difference that sign_flip() over maps shows with a probability of 80 %, in the unit of the spread; for
/// differences that are normally distributed (docs/sweeps.md derives it). Empty: so few maps show nothing.
std::optional<double> smallest_found(const Spread& spread, const PlannedTest& planned);
/// How many maps show a difference of that size with a probability of 80 %; 0: more than 10,000.
std::size_t maps_to_find(double difference, const Spread& spread, PlannedTest planned);

}  // namespace outrider
