#include "view/source.hpp"

namespace outrider::view {

RunInfo run_info(Scenario scenario, bool live) {
    RunInfo info;
    info.live = live;
    info.walls = scenario.walls;
    info.walls.set_origin(Cell{} - scenario.team_origin());
    const double cell = scenario.walls.lattice().cell_m;
    info.map_offset = {scenario.team_origin().x * cell, scenario.team_origin().y * cell};
    for (const RobotEntry& r : scenario.robots) info.is_base.push_back(r.role == Role::base);
    info.scenario = std::move(scenario);
    return info;
}

}  // namespace outrider::view
