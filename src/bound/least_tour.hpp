// The least total way of robots that start together and visit places, some of which they may leave out.
#pragma once

#include <cstdint>
#include <vector>

namespace outrider {

struct Visits {
    /// way[i][j]: from any point of place i to any point of place j, symmetric; 0: all the starts. Metres, or any unit.
    std::vector<std::vector<double>> length;
    std::vector<std::int64_t> area;  ///< of each place, what leaving it out costs; area[0] is not looked at
};

/// Bounds that no plan falls below: of the total way of `robots` paths from the starts that visit all places but some
/// whose areas sum to 0, 1, ... `units` times `unit` at most. Least spanning trees with a price for each place at which
/// more than two edges meet, raised in rounds (Held & Karp 1971); what places left out save is found along the tree's
/// merges, which are the values of its dual (moats), as in a knapsack.
std::vector<double> least_tours(const Visits& visits, double unit, std::size_t units, int robots);

}  // namespace outrider
