#include "view/maps.hpp"

#include <algorithm>

namespace outrider::view {
namespace {

/// For each robot, the updates of `list`, sorted by tile; of several for one tile the last.
template <class Update>
std::vector<std::vector<const Update*>> by_robot(const std::vector<Update>& list, std::size_t robots, auto&& keep) {
    std::vector<std::vector<const Update*>> out(robots);
    for (const Update& update : list)
        if (keep(update)) out[static_cast<std::size_t>(update.robot)].push_back(&update);
    for (auto& updates : out)
        std::stable_sort(updates.begin(), updates.end(), [](auto* a, auto* b) { return a->tile < b->tile; });
    return out;
}

}  // namespace

RobotTile& Maps::at(RobotId robot, TileCoord t) {
    auto& slot = robots_[static_cast<std::size_t>(robot)].at(t);
    if (!slot) slot = std::make_unique<RobotTile>();
    return *slot;
}

void Maps::apply(const Snapshot& snapshot) {
    /// Replaces a plane of all tiles by the updates; tiles that stay equal need not be drawn.
    const auto take = [&](const auto& list, bool anew, auto&& plane, auto&& keep) {
        const auto sorted = by_robot(list, robots_.size(), keep);
        for (std::size_t i = 0; i < robots_.size(); ++i) {
            auto update = sorted[i].begin();
            if (anew)
                robots_[i].for_each([&](TileCoord t, const std::unique_ptr<RobotTile>& tile) {
                    if (!tile) return;
                    while (update != sorted[i].end() && (*update)->tile < t) ++update;
                    if (update != sorted[i].end() && (*update)->tile == t) return;
                    auto& mine = plane(*tile);
                    if (mine == std::decay_t<decltype(mine)>{}) return;
                    mine = {};
                    changed_.push_back(t);
                });
            for (const auto* u : sorted[i]) {
                auto& mine = plane(at(u->robot, u->tile));
                if (mine == u->cells) continue;
                mine = u->cells;
                changed_.push_back(u->tile);
            }
        }
    };
    take(
        snapshot.claims, snapshot.claims_anew, [](RobotTile& t) -> CellTile& { return t.claims; },
        [](const ClaimUpdate&) { return true; });
    for (std::size_t k = 0; k < mark_kinds; ++k)
        take(
            snapshot.marks, snapshot.marks_anew[k], [k](RobotTile& t) -> BitTile& { return t.marks[k]; },
            [k](const MarkUpdate& u) { return static_cast<std::size_t>(u.kind) == k; });
}

std::vector<TileCoord> Maps::take_changed() {
    std::sort(changed_.begin(), changed_.end());
    changed_.erase(std::unique(changed_.begin(), changed_.end()), changed_.end());
    return std::exchange(changed_, {});
}

}  // namespace outrider::view
