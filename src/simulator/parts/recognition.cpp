#include "simulator/parts/recognition.hpp"

#include "outrider/rng.hpp"

namespace outrider {

void Recognition::sense(const WorldState& state, RobotId robot, Percept& percept) {
    const auto self = static_cast<std::size_t>(robot);
    if (state.equipment[self].sensors.empty() || state.blinded[self]) return;
    const World& world = state.world;
    const Pose& here = world.body(robot).pose;
    const Cell from = world.lattice().cell_of(here.position());
    Rng rng(state.seed, robot, Purpose::sighting, state.step);
    for (std::size_t k = 0; k < recognised_.size(); ++k) {
        const Body& other = world.bodies()[k];
        if (k == self || !other.alive || !recognised_[k]) continue;
        if (distance(here.position(), other.pose.position()) > options_.range_m) continue;
        if (world.field().walls_between(from, world.lattice().cell_of(other.pose.position()), 0) > 0) continue;
        Pose seen = compose(inverse(here), other.pose);
        seen.x += options_.sigma_m * rng.normal();
        seen.y += options_.sigma_m * rng.normal();
        seen.yaw = wrap_angle(seen.yaw + radians(options_.sigma_deg) * rng.normal());
        percept.sightings.push_back({Sighting::Kind::team_mate, static_cast<std::int32_t>(k), seen});
    }
}

}  // namespace outrider
