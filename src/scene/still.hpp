// Layers that show the same in every step.
#pragma once

#include "scenario/scenario.hpp"
#include "scene/stage.hpp"

namespace outrider::scene {

/// nullptr: none of the items shows anything.
inline std::unique_ptr<LayerSource> still(std::vector<Item> items) {
    class Still final : public LayerSource {
      public:
        explicit Still(Items items) : items_(std::move(items)) {}
        Items world(int) override { return items_; }

      private:
        Items items_;
    };
    std::erase_if(items, [](const Item& item) { return item.runs.empty() && item.points.empty(); });
    if (items.empty()) return nullptr;
    return std::make_unique<Still>(items_of(std::move(items)));
}

/// The cells of the scenario's map for which `is` holds, which gets them in the map's frame; runs of the team's frame.
template <class Is>
std::vector<CellRun> runs_on(const Scenario& s, Is&& is) {
    const Cell origin = s.team_origin(), low = s.walls.origin();
    return runs_of(low - origin, s.walls.width(), s.walls.height(), [&](Cell c) { return is(c + origin); });
}

}  // namespace outrider::scene
