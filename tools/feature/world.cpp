// What scenarios say of it, and what it does to what robots sense.
#include "features/NAME/world.hpp"

#include "scenario/scenario.hpp"

namespace outrider {
namespace {

const CamelOptions& NAME_options(const Scenario& s) { return s.features.get<CamelOptions>(); }

void check_NAME(const Scenario& s) {
    const CamelOptions& o = NAME_options(s);
    if (o.any() && !s.walls.contains(s.walls.lattice().cell_of({o.x_m, o.y_m})))
        fail("NAME.x_m = {}, NAME.y_m = {}: expected a place on the map", o.x_m, o.y_m);
}

std::unique_ptr<WorldPart> make_NAME_field(const Scenario& s, const World&) {
    const CamelOptions& o = NAME_options(s);
    if (!o.any()) return nullptr;
    return std::make_unique<CamelField>(Point{o.x_m, o.y_m} - s.team_origin_m(), o.reach_m, radians(o.turn_deg),
                                        s.robots.size());
}

constexpr Exclusion NAME_excludes[] = {{"NAME", "unknown_starts", "nobody has a common north"}};

}  // namespace

void CamelField::sense(const WorldState& state, RobotId robot, Percept& percept) {
    std::array<bool, 2>& inside = inside_[static_cast<std::size_t>(robot)];
    inside[1] = inside[0];
    inside[0] = distance(state.world.body(robot).pose.position(), middle_) < reach_m_;
    if (inside[0]) percept.motion.delta.yaw = wrap_angle(percept.motion.delta.yaw + turn_rad_);
}

ScenarioFeature NAME_scenario() {
    return {.section = "NAME",
            .options = make_options<CamelOptions>,
            .parts = {{"NAME", "NAME.reach_m = 5",
                       [](const Scenario& s) {
                           const CamelOptions& o = NAME_options(s);
                           return o.any() ? fmt::format("NAME.reach_m = {}", o.reach_m) : std::string();
                       }}},
            .excludes = NAME_excludes,
            .check = check_NAME,
            .world = {{Turn::last, make_NAME_field}}};
}

}  // namespace outrider
