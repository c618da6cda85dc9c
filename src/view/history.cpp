#include "view/history.hpp"

#include <algorithm>
#include <bit>

namespace outrider::view {

TileHistory::TileHistory() {
    first_step.fill(-1);
    base_step.fill(-1);
    first_robot.fill(-1);
}

void History::note(TileCoord t, const BitTile& known, RobotId robot, bool base, int step, bool exact) {
    const std::lock_guard lock(mutex_);
    auto& slot = tiles_.at(t);
    if (!slot) slot = std::make_unique<TileHistory>();
    TileHistory& h = *slot;
    // Cells that are new, and cells whose step may have been an earlier one than was noted.
    const auto take = [&](BitTile& seen, BitTile& loose, auto& steps, auto&& also) {
        for (std::size_t row = 0; row < tile_size; ++row) {
            for (std::uint64_t bits = known.rows[row] & (~seen.rows[row] | loose.rows[row]); bits; bits &= bits - 1) {
                const std::uint64_t bit = bits & -bits;
                const std::size_t k = row * tile_size + static_cast<std::size_t>(std::countr_zero(bits));
                const bool fresh = !(seen.rows[row] & bit);
                if (!fresh && steps[k] < step) continue;
                if (!fresh && steps[k] == step && !exact) continue;
                steps[k] = step;
                also(k);
                if (exact)
                    loose.rows[row] &= ~bit;
                else
                    loose.rows[row] |= bit;
            }
            seen.rows[row] |= known.rows[row];
        }
    };
    take(h.known, h.first_loose, h.first_step,
         [&](std::size_t k) { h.first_robot[k] = static_cast<std::int16_t>(robot); });
    if (base) take(h.at_base, h.base_loose, h.base_step, [](std::size_t) {});
}

CellHistory History::at(Cell c) const {
    const std::lock_guard lock(mutex_);
    const auto* slot = tiles_.find(tile_of(c));
    if (!slot || !*slot) return {};
    const TileHistory& h = **slot;
    const auto k = static_cast<std::size_t>(row_in_tile(c) * tile_size + column_in_tile(c));
    return {h.first_step[k], h.first_robot[k], !h.first_loose.test(c), h.base_step[k], !h.base_loose.test(c)};
}

std::unique_ptr<TileHistory> History::tile(TileCoord t) const {
    const std::lock_guard lock(mutex_);
    const auto* slot = tiles_.find(t);
    return slot && *slot ? std::make_unique<TileHistory>(**slot) : nullptr;
}

void History::clear() {
    const std::lock_guard lock(mutex_);
    tiles_.clear();
}

void HealthHistory::note(int step, const std::vector<RobotHealth>& robots) {
    const std::lock_guard lock(mutex_);
    if (step <= noted_) return;
    noted_ = step;
    changes_.resize(robots.size());
    for (std::size_t i = 0; i < robots.size(); ++i)
        if (robots[i] != (changes_[i].empty() ? RobotHealth{} : changes_[i].back().second))
            changes_[i].emplace_back(step, robots[i]);
}

RobotHealth HealthHistory::at(RobotId robot, int step) const {
    const std::lock_guard lock(mutex_);
    const auto i = static_cast<std::size_t>(robot);
    if (i >= changes_.size()) return {};
    const auto later = std::upper_bound(changes_[i].begin(), changes_[i].end(), step,
                                        [](int s, const auto& change) { return s < change.first; });
    return later == changes_[i].begin() ? RobotHealth{} : std::prev(later)->second;
}

void HealthHistory::clear() {
    const std::lock_guard lock(mutex_);
    changes_.clear();
    noted_ = -1;
}

}  // namespace outrider::view
