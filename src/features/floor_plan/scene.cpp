#include "scene/still.hpp"

namespace outrider::scene {

LayerKind plan_layer() {
    return {{"plan",
             "Plan of the building",
             "the walls of the plan that robots are given, right or not",
             Group::map,
             false,
             {{"wall of the plan", Shape::cells, Hue::violet, 0.5, Knower::robot}}},
            [](const Scenario& s) {
                if (!s.layers.plan) return still({});
                const Grid<std::uint8_t>& plan = *s.layers.plan;
                return still(
                    {{.runs = runs_on(s, [&](Cell c) { return static_cast<PlanCell>(plan[c]) == PlanCell::wall; })}});
            }};
}

}  // namespace outrider::scene
