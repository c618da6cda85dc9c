#include "simulation/victim_operator.hpp"

#include <algorithm>

#include "outrider/rng.hpp"
#include "robot/parts/victim_log.hpp"

namespace outrider {
namespace {

constexpr std::uint32_t stream = 1 << 22;  // of Purpose::sighting

}  // namespace

bool decides_victim(const OperatorCommand& command) {
    return command.behaviour == "confirm" || command.behaviour == "decline";
}

std::vector<OperatorCommand> VictimOperator::reply(const StepView& last, const std::vector<Victim>& truth) {
    std::vector<OperatorCommand> out;
    const Robot& base = last.team.front();
    const auto* log = base.part<VictimLog>();
    if (!replies() || !log || !base.belief().briefing().is_base()) return out;
    const std::vector<FoundVictim>& found = log->found();
    learned_at_.resize(found.size(), last.step);
    for (std::size_t k = 0; k < found.size(); ++k) {
        if (found[k].state != VictimState::reported || last.step != learned_at_[k] + options_.reply_steps) continue;
        const bool there = std::any_of(truth.begin(), truth.end(),
                                       [&](const Victim& v) { return v.away_m(found[k].at) <= VictimLog::join_m; });
        Rng rng(seed_, -1, Purpose::sighting, static_cast<int>(k), stream);
        const bool right = rng.uniform() < options_.accuracy;
        out.push_back({there == right ? "confirm" : "decline", {found[k].at}});
    }
    return out;
}

}  // namespace outrider
