#include "log/robot_step.hpp"

#include "outrider/error.hpp"
#include "robot/robot.hpp"

namespace outrider {

void RobotStep::take(const Percept& p, const Decision& d, std::span<const std::uint64_t> bytes) {
    OUTRIDER_CHECK(bytes.size(), ==, p.inbox.size());
    received.resize(p.inbox.size());
    for (std::size_t k = 0; k < p.inbox.size(); ++k) {
        const Received& r = p.inbox[k];
        OUTRIDER_CHECK(r.message->self().step, <, p.step);  // its content is recorded in that step
        received[k].from = r.message->from;
        received[k].bytes = bytes[k];
        received[k].all_tiles = r.all_tiles;
        received[k].tiles = r.tiles;
    }
    take(p, d);
}

void RobotStep::take(const Percept& p, const Decision& d, std::span<const std::string> off_air) {
    frames.assign(off_air.begin(), off_air.end());
    take(p, d);
}

void RobotStep::take(const Percept& p, const Decision& d) {
    percept.step = p.step;
    percept.alive = p.alive;
    percept.motion = p.motion;
    percept.scans = p.scans;
    percept.links = p.links;
    percept.sightings = p.sightings;
    percept.rough = p.rough;
    percept.steps = p.steps;
    percept.received_far = p.received_far;
    percept.bumped = p.bumped;
    percept.battery = p.battery;
    percept.pitch = p.pitch;
    percept.roll = p.roll;
    percept.commands = p.commands;
    pose_estimate = d.pose_estimate;
    command = d.command;
    overlays = d.overlays;
    if (d.outbox.empty()) {
        sent.reset();
        return;
    }
    OUTRIDER_CHECK(d.outbox.size(), ==, 1u);  // so does the core of a robot
    const Message& m = *d.outbox[0];
    OUTRIDER_CHECK(m.to, ==, to_all);
    if (!sent) sent.emplace();
    sent->role = m.self().role;
    sent->done = m.self().done;
    sent->share = m.share;
    sent->summary_tiles = m.summary_tiles;
    sent->goal = m.self().goal;
    sent->words = m.self().words;
}

std::pair<Decision, std::shared_ptr<const Message>> retrace(Robot& robot, const Percept& percept,
                                                            const RobotStep& recorded) {
    Decision decision{recorded.command,  {}, recorded.sent && recorded.sent->done,
                      recorded.overlays, {}, recorded.pose_estimate};
    if (!percept.alive) return {std::move(decision), nullptr};
    Intent intent;
    std::optional<Point> goal;
    if (recorded.sent) {
        intent.role = recorded.sent->role;
        intent.words = recorded.sent->words;
        intent.share = recorded.sent->share;
        intent.summary_tiles = recorded.sent->summary_tiles;
        intent.done = recorded.sent->done;
        goal = recorded.sent->goal;
    }
    auto message = robot.retrace(percept, std::move(intent), goal, recorded.pose_estimate);
    if (recorded.sent) decision.outbox.push_back(message);
    return {std::move(decision), std::move(message)};
}

}  // namespace outrider
