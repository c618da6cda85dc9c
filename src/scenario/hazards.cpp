#include "scenario/hazards.hpp"

#include <algorithm>
#include <cmath>

#include "outrider/error.hpp"
#include "scenario/read_team.hpp"

namespace outrider {

bool Scenario::fire_leaves_walls() const {
    return std::any_of(hazards.begin(), hazards.end(),
                       [](const HazardEntry& h) { return h.kind == HazardKind::fire && h.debris_share > 0; });
}

void read_hazards(ConfigTable& config, Scenario& s) {
    s.hazards = read_entries<HazardEntry>(config, "hazard");
    for (const HazardEntry& hazard : s.hazards) {
        if (std::isnan(hazard.x_m) || std::isnan(hazard.y_m)) fail("{}: a hazard needs both x_m and y_m", hazard.where);
    }
}

void check_hazards(const Scenario& s) {
    if (s.hazards.empty()) return;
    for (const HazardEntry& hazard : s.hazards)
        if (s.walls.get(s.walls.lattice().cell_of({hazard.x_m, hazard.y_m}), 1))
            fail("{}: it begins at ({}, {}) m, in a wall or outside of the map; expected a free place", hazard.where,
                 hazard.x_m, hazard.y_m);
    if (s.keeps_submaps())
        fail("{}: with {} maps are drawn anew, without what was seen of fire; expected {}", s.hazards.front().where,
             s.slam.past_moves() ? "slam.method = manifold" : "start.frame = unknown",
             s.slam.past_moves() ? "another method" : "start.frame = known");
    if (s.script) fail("{}: robots that follow recorded positions meet no hazards", s.hazards.front().where);
}

std::shared_ptr<const HazardField> hazard_field(const Scenario& s) {
    if (s.hazards.empty()) return nullptr;
    std::vector<Hazard> hazards;
    int tolerance = s.hazards.front().tolerance_steps;
    for (const HazardEntry& h : s.hazards) {
        hazards.push_back({h.kind, s.walls.lattice().cell_of({h.x_m, h.y_m}), h.at, h.spread, h.burn_steps,
                           h.debris_share, s.walls.lattice().cell_m / (h.speed_mps * s.run.step_s),
                           h.rise_mps * s.run.step_s});
        tolerance = std::min(tolerance, h.tolerance_steps);
    }
    std::optional<Relief> relief;
    if (s.layers.height) relief.emplace(*s.layers.height, s.terrain.top_m());
    return std::make_shared<const HazardField>(s.walls, hazards, s.run.steps, tolerance, s.run.seed,
                                               relief ? &*relief : nullptr);
}

}  // namespace outrider
