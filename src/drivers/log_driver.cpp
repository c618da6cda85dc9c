#include "drivers/log_driver.hpp"

#include <algorithm>

#include "waist/hashes.hpp"

namespace outrider {

bool LogDriver::sense(std::span<Percept> percepts) {
    if (next_ == log_.percepts.size()) return false;
    OUTRIDER_CHECK(percepts.size(), ==, log_.percepts[next_].size());
    std::copy(log_.percepts[next_].begin(), log_.percepts[next_].end(), percepts.begin());
    ++next_;
    return true;
}

void LogDriver::act(std::span<const Decision> decisions) {
    const std::vector<Hash128>& recorded = log_.decisions[next_ - 1];
    for (std::size_t i = 0; i < decisions.size() && !divergence_; ++i)
        if (hash_of(decisions[i]) != recorded[i])
            divergence_ = {log_.percepts[next_ - 1][i].step, static_cast<RobotId>(i)};
}

}  // namespace outrider
