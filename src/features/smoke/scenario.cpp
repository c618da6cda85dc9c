// Which smoke a scenario has.
#include <cmath>

#include "features/smoke/options.hpp"
#include "features/smoke/world.hpp"
#include "scenario/feature.hpp"

namespace outrider {
namespace {

const std::vector<SmokeEntry>& smoke_of(const Scenario& s) { return s.lists.get<SmokeEntry>(); }

void read_smoke(ConfigTable&, Scenario& s) {
    for (const SmokeEntry& disc : smoke_of(s))
        if (std::isnan(disc.x_m) || std::isnan(disc.y_m)) fail("{}: smoke needs both x_m and y_m", disc.where);
}

void check_smoke(const Scenario& s) {
    for (const SmokeEntry& disc : smoke_of(s))
        if (!s.walls.contains(s.walls.lattice().cell_of({disc.x_m, disc.y_m})))
            fail("{}: its middle ({}, {}) m is not on the map", disc.where, disc.x_m, disc.y_m);
}

std::unique_ptr<WorldPart> make_smoky_air(const Scenario& s, const World&) {
    if (smoke_of(s).empty()) return nullptr;
    std::vector<SmokeDisc> smoke;
    for (const SmokeEntry& disc : smoke_of(s))
        smoke.push_back({Point{disc.x_m, disc.y_m} - s.team_origin_m(), disc.radius_m, disc.density});
    return std::make_unique<SmokyAir>(std::move(smoke),
                                      by_robot(s, [](const RobotEntry& r) { return r.smoke_effects(); }));
}

std::string given_smoke(const Scenario& s) { return smoke_of(s).empty() ? "" : smoke_of(s).front().where; }

}  // namespace

ScenarioFeature smoke_scenario() {
    return {.list = {"smoke", "each disc of smoke, in which beams are lost", make_list<SmokeEntry>},
            .parts = {{"smoke", "smoke = [{x_m = 1.05, y_m = 1.05}]", given_smoke}},
            .read = read_smoke,
            .check = check_smoke,
            .world = {{Turn::smoke, make_smoky_air}}};
}

}  // namespace outrider
