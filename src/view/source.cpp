#include "view/source.hpp"

namespace outrider::view {

RunInfo run_info(Scenario scenario, bool live) {
    RunInfo info;
    info.live = live;
    info.walls = scenario.walls;
    info.walls.set_origin(Cell{} - scenario.team_origin());
    info.map_offset = scenario.team_origin_m();
    for (const RobotEntry& r : scenario.robots) info.is_base.push_back(r.role == Role::base);
    info.scenario = std::move(scenario);
    return info;
}

}  // namespace outrider::view
