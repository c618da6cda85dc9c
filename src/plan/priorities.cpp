#include "outrider/priorities.hpp"

#include <algorithm>
#include <limits>

namespace outrider {

std::vector<int> assign_by_priority(const std::vector<std::vector<double>>& costs, std::size_t positions) {
    std::vector<bool> taken(costs.size(), false);
    std::vector<int> out(positions, -1);
    for (std::size_t p = 0; p < positions; ++p) {
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t r = 0; r < costs.size(); ++r) {
            if (taken[r] || !(costs[r][p] < least)) continue;
            least = costs[r][p];
            out[p] = static_cast<int>(r);
        }
        if (out[p] >= 0) taken[static_cast<std::size_t>(out[p])] = true;
    }
    return out;
}

bool may_hold(RobotId self, std::span<const RobotId> holders) {
    return std::none_of(holders.begin(), holders.end(), [&](RobotId other) { return other < self; });
}

}  // namespace outrider
