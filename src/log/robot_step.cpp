#include "log/robot_step.hpp"

#include "outrider/error.hpp"

namespace outrider {

void RobotStep::take(const Percept& p, const Decision& d, std::span<const std::uint64_t> bytes) {
    OUTRIDER_CHECK(bytes.size(), ==, p.inbox.size());
    heard.resize(p.inbox.size());
    for (std::size_t k = 0; k < p.inbox.size(); ++k) {
        const Received& r = p.inbox[k];
        OUTRIDER_CHECK(r.message->self().step, <, p.step);  // its content is recorded in that step
        heard[k].from = r.message->from;
        heard[k].bytes = bytes[k];
        heard[k].all_tiles = r.all_tiles;
        heard[k].tiles = r.tiles;
    }
    take(p, d);
}

void RobotStep::take(const Percept& p, const Decision& d, std::span<const std::string> received) {
    frames.assign(received.begin(), received.end());
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
    percept.heard_far = p.heard_far;
    percept.bumped = p.bumped;
    percept.battery = p.battery;
    percept.pitch = p.pitch;
    percept.roll = p.roll;
    percept.commands = p.commands;
    pose_estimate = d.pose_estimate;
    command = d.command;
    overlays = d.overlays;
    if (d.outbox.empty()) {
        said.reset();
        return;
    }
    OUTRIDER_CHECK(d.outbox.size(), ==, 1u);  // so does the core of a robot
    const Message& m = *d.outbox[0];
    OUTRIDER_CHECK(m.to, ==, to_all);
    if (!said) said.emplace();
    said->role = m.self().role;
    said->done = m.self().done;
    said->share = m.share;
    said->summary_tiles = m.summary_tiles;
    said->goal = m.self().goal;
    said->words = m.self().words;
}

}  // namespace outrider
