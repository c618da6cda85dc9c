#include "live/join/joined_run.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "log/step_codec.hpp"
#include "simulation/simulation.hpp"

namespace outrider {
namespace {

/// They retrace their steps: nobody decides anew.
std::vector<Robot> retracing_team(const Scenario& scenario, const std::vector<Briefing>& briefings) {
    RobotOptions options = robot_options(scenario);
    options.submaps = StepLayout::of(scenario).past_moves;
    std::vector<Robot> out;
    for (const Briefing& briefing : briefings) out.emplace_back(briefing, options, nullptr, scenario.run.seed);
    return out;
}

}  // namespace

JoinedRun::JoinedRun(Scenario scenario, std::vector<Briefing> briefings, const std::vector<RobotId>& logged)
    : scenario_(std::move(scenario)),
      briefings_(std::move(briefings)),
      world_(make_driver(scenario_)),
      team_(retracing_team(scenario_, briefings_)),
      inboxes_(briefings_.begin(), briefings_.end()),
      counted_(counted_cells(scenario_)),
      metrics_(*world_, team_, counted_),
      frames_(briefings_.size()),
      poses_(briefings_.size()),
      run_{*world_, team_, {}, {}} {
    for (const RobotId robot : logged) {
        const auto i = static_cast<std::size_t>(robot);
        poses_[i] = briefings_[i].start;
    }
    run_.percepts.resize(team_.size());
    run_.decisions.resize(team_.size());
    run_.robot_hashes.resize(team_.size());
}

std::unique_ptr<LogWriter> JoinedRun::make_log(const std::string& path) {
    return std::make_unique<LogWriter>(path, LogLevel::full, scenario_, briefings_, *world_, metrics_,
                                       [this] { return std::span<const std::vector<std::string>>(frames_); });
}

void JoinedRun::begin_step() {
    for (std::size_t i = 0; i < team_.size(); ++i) {
        run_.percepts[i] = {};
        run_.percepts[i].step = run_.steps;
        run_.percepts[i].alive = false;
        run_.decisions[i] = {};
        frames_[i].clear();
    }
}

void JoinedRun::take(RobotId robot, const RobotStep& step) {
    const auto i = static_cast<std::size_t>(robot);
    Percept& percept = run_.percepts[i];
    percept = step.percept;
    percept.step = run_.steps;
    frames_[i] = step.frames;
    inboxes_[i].take(run_.steps, frames_[i], percept.inbox);
    run_.decisions[i] = retrace(team_[i], percept, step).first;
    poses_[i] = team_[i].belief().pose();
}

void JoinedRun::end_step(LogWriter& log) {
    Hasher all;
    for (std::size_t i = 0; i < team_.size(); ++i) {
        run_.robot_hashes[i] = hash_robot(run_.percepts[i], run_.decisions[i], team_[i]);
        all(run_.robot_hashes[i]);
    }
    run_.hash = all.result();
    run_.digest = Hasher()(run_.digest)(run_.hash).result();
    world_->show(poses_, links());
    const StepView view{run_.steps, run_.percepts, run_.decisions, team_, run_.robot_hashes, run_.hash};
    metrics_.on_step(view);
    log.on_step(view);
    ++run_.steps;
}

void JoinedRun::finish(LogWriter& log, EndReason reason) {
    log.finish(reason, run_, metrics_.summary(reason, scenario_.run.steps), {});
}

/// Of each pair one, as the robot with the lower number measured it.
std::vector<Link> JoinedRun::links() const {
    std::map<std::pair<RobotId, RobotId>, double> by_pair;
    for (std::size_t i = 0; i < team_.size(); ++i)
        for (const LinkReport& link : run_.percepts[i].links) {
            const auto me = static_cast<RobotId>(i);
            by_pair.try_emplace({std::min(me, link.robot), std::max(me, link.robot)}, link.signal_dbm);
        }
    std::vector<Link> out;
    for (const auto& [pair, signal_dbm] : by_pair) out.push_back({pair.first, pair.second, signal_dbm});
    return out;
}

}  // namespace outrider
