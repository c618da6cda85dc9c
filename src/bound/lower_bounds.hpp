// Steps that no team needs less than, however clever, also one that knows the map.
#pragma once

#include <array>
#include <string_view>

#include "bound/task.hpp"

namespace outrider {

/// The shares of which times are bounded: T90 and T99.
inline constexpr std::array<double, 2> bound_shares{0.9, 0.99};

/// The metrics that they are.
inline constexpr std::array<std::string_view, 2> bound_metrics{"t90_team", "t99_team"};

struct LowerBound {
    std::string_view name, why;
    std::array<int, bound_shares.size()> steps{};
};

struct LowerBounds {
    /// way: every cell has to be seen from somewhere, and somebody has to get there. sight: nobody sees more that is
    /// new in a step than there is around. witnesses: parts that are seen only from near have to be visited.
    std::array<LowerBound, 3> all;
    /// The largest for a share.
    const LowerBound& best(std::size_t share) const;
};

/// Times as the metrics define them: the first step at which so much of what can be sensed is known to the team.
LowerBounds lower_bounds(const BoundTask& task);

}  // namespace outrider
