#include "features/failures/world.hpp"

namespace outrider {

FailingRobots::FailingRobots(std::vector<Failure> failures, std::size_t robots)
    : failures_(std::move(failures)), by_robot_(robots), faults_(robots) {
    for (const Failure& f : failures_) by_robot_.at(static_cast<std::size_t>(f.robot)).push_back(f);
}

void FailingRobots::begin(WorldState& state) {
    for (std::size_t i = 0; i < faults_.size(); ++i) {
        faults_[i] = faults_at(by_robot_[i], state.step);
        state.blinded[i] = faults_[i].blind;
        if (faults_[i].dead) state.world.kill(static_cast<RobotId>(i));
    }
}

void FailingRobots::on_air(const WorldState&, std::span<Transceiver> radios, std::span<const Outbox>) {
    for (std::size_t i = 0; i < faults_.size(); ++i) radios[i].alive &= !faults_[i].deaf;
}

bool FailingRobots::limit(const WorldState&, RobotId robot, Command& command) const {
    if (faults(robot).stuck) command = {};
    if (faults(robot).slow) command.speed_mps *= slow_share;
    return false;
}

void DyingRobots::begin(WorldState& state) {
    for (std::size_t i = 0; i < steps_.size(); ++i)
        if (steps_[i] == state.step) state.world.kill(static_cast<RobotId>(i));
}

}  // namespace outrider
