#include "features/victims/world.hpp"

#include <algorithm>
#include <cmath>

#include "outrider/rng.hpp"

namespace outrider {
namespace {

constexpr std::uint32_t victim_stream = 1 << 20;  // of Purpose::sighting; those below are of robots and scans

}  // namespace

void Victims::begin(WorldState& state) {
    for (std::size_t i = 0; i < stood_.size() && state.step > 0; ++i)
        stood_[i] = state.moves[i].from == state.world.bodies()[i].pose ? stood_[i] + 1 : 0;
}

void Victims::sense(const WorldState& state, RobotId robot, Percept& percept) {
    const auto self = static_cast<std::size_t>(robot);
    if (state.equipment[self].sensors.empty() || state.blinded[self]) return;
    const World& world = state.world;
    const int wait = std::max(1, static_cast<int>(std::ceil(ThermalScanner::stands_s / world.step_s() - 1e-9)));
    const VictimScene scene{victims_, decoys_, state.time_s(), stood_[self] > 0 && stood_[self] % wait == 0};
    sense_victims(world.field(), world.lattice(), world.body(robot).pose, scene, options_,
                  Rng(state.seed, robot, Purpose::sighting, state.step, victim_stream), percept.sightings);
}

}  // namespace outrider
