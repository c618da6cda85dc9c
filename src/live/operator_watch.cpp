#include "live/operator_watch.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "messages/order_words.hpp"

namespace outrider {

void OperatorWatch::on_step(const StepView& view) {
    if (view.team.empty()) return;
    const Belief base = view.team.front().belief();
    if (!base.briefing().is_base() || !view.percepts.front().alive) return;
    for (const OperatorCommand& command : view.percepts.front().commands)
        if (command.to >= 0 && is_order(command.behaviour))
            waiting_[command.to][++given_] = command.behaviour;  // numbered as the base station does
    for (const TeamMember& member : base.briefing().team())
        if (member.mobile) watch(base, member.id, tracks_[member.id]);
}

void OperatorWatch::watch(const Belief& base, RobotId robot, Track& track) {
    const std::string& name = base.briefing().team()[static_cast<std::size_t>(robot)].name;
    const TeamRecord& record = base.latest(robot);
    for (const Word& word : record.words)
        if (const auto number = read_obeyed(word)) track.obeyed = std::max(track.obeyed, *number);
    auto& waiting = waiting_[robot];
    for (auto at = waiting.begin(); at != waiting.end() && at->first <= track.obeyed; at = waiting.erase(at))
        if (at->first == track.obeyed)
            news_.push_back(fmt::format("{} obeys order {}: {}", name, at->first, at->second));
    if (record.seq == 0) return;  // it was never heard
    if (record.seq != track.seq) {
        if (std::exchange(track.lost, false)) news_.push_back(fmt::format("contact with {} again", name));
        track.seq = record.seq;
        track.step = base.step();
    } else if (!track.lost && base.step() - track.step > lost_steps_) {
        track.lost = true;
        news_.push_back(fmt::format("no contact with {} since step {}", name, track.step));
    }
}

}  // namespace outrider
