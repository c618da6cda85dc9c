#include "features/battery/world.hpp"

#include <algorithm>
#include <utility>

namespace outrider {
namespace {

/// What each robot sent in the last step, in bytes: the most that one receiver got.
std::vector<std::uint64_t> sent_bytes(const Medium::Exchange& air) {
    std::vector<std::uint64_t> sent(air.inboxes.size());
    for (std::size_t to = 0; to < air.inboxes.size(); ++to)
        for (std::size_t k = 0; k < air.inboxes[to].size(); ++k) {
            std::uint64_t& most = sent[static_cast<std::size_t>(air.inboxes[to][k].message->from)];
            most = std::max(most, air.traffic.bytes_received[to][k]);
        }
    return sent;
}

bool near_base(const WorldState& state, Point at) {
    for (std::size_t b = 0; b < state.equipment.size(); ++b) {
        const Body& body = state.world.bodies()[b];
        if (state.equipment[b].base && body.alive && distance(body.pose.position(), at) <= charging_range_m)
            return true;
    }
    return false;
}

}  // namespace

Batteries::Batteries(std::span<const BatteryOptions> by_robot)
    : batteries_(by_robot.begin(), by_robot.end()), driven_m_(by_robot.size()) {}

void Batteries::begin(WorldState& state) {
    for (std::size_t i = 0; i < batteries_.size(); ++i)
        if (batteries_[i].empty()) state.world.kill(static_cast<RobotId>(i));
}

void Batteries::delivered(const WorldState& state, const Medium::Exchange& air) {
    const std::vector<std::uint64_t> sent = sent_bytes(air);
    for (std::size_t i = 0; i < batteries_.size(); ++i) {
        const Body& body = state.world.bodies()[i];
        const double driven_m = body.travelled_m - std::exchange(driven_m_[i], body.travelled_m);
        if (state.step == 0 || !body.alive) continue;
        batteries_[i].use({state.world.step_s(), driven_m, static_cast<double>(sent[i]) / 1000,
                           static_cast<int>(state.equipment[i].sensors.size()),
                           near_base(state, body.pose.position())});
    }
}

void Batteries::sense(const WorldState&, RobotId robot, Percept& percept) { percept.battery = of(robot).share(); }

}  // namespace outrider
