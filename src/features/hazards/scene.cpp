#include "features/hazards/scenario.hpp"
#include "scenario/exclusions.hpp"
#include "scene/stage.hpp"

namespace outrider::scene {
namespace {

class HazardLayer final : public LayerSource {
  public:
    explicit HazardLayer(std::shared_ptr<const HazardField> field) : field_(std::move(field)) {}
    Items world(int step) override {
        if (step == step_) return items_;
        step_ = step;
        const Grid<std::int32_t>& cells = field_->grid();
        const auto where = [&](auto&& is) { return runs_of(cells.origin(), cells.width(), cells.height(), is); };
        std::vector<Item> now;
        if (auto runs = where([&](Cell c) { return field_->burns(c, step); }); !runs.empty())
            now.push_back({.meaning = 0, .runs = std::move(runs)});
        if (auto runs = where([&](Cell c) { return field_->wet(c, step); }); !runs.empty())
            now.push_back({.meaning = 1, .runs = std::move(runs)});
        if (!items_ || *items_ != now) items_ = items_of(std::move(now));
        return items_;
    }

  private:
    std::shared_ptr<const HazardField> field_;
    int step_ = -1;
    Items items_;  // of that step
};

}  // namespace

LayerKind hazard_layer() {
    return {{"hazards",
             "Fire and water",
             "what burns and what is flooded",
             Group::map,
             false,
             {{"fire", Shape::cells, Hue::orange, 0.7}, {"water", Shape::cells, Hue::blue, 0.6}}},
            [](const Scenario& s) -> std::unique_ptr<LayerSource> {
                if (!has_part(s, "hazards")) return nullptr;
                return std::make_unique<HazardLayer>(placed_hazards(s));
            }};
}

}  // namespace outrider::scene
