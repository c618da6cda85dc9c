#include "run/run.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>

#include "base/parallel.hpp"
#include "messages/hashes.hpp"

namespace outrider {
namespace {

using Clock = std::chrono::steady_clock;

double seconds(Clock::time_point from, Clock::time_point to) {
    return std::chrono::duration<double>(to - from).count();
}

bool at_home(const Belief& belief) {
    return distance(belief.home(), belief.pose().position()) < 1.5 * belief.map().lattice().cell_m;
}

/// A robot's step; an exception names the robot and the step.
Decision step_of(Robot& robot, const Percept& percept) {
    try {
        return robot.step(percept);
    } catch (const std::exception& error) {
        throw RunFailure(
            fmt::format("robot '{}' at step {}: {}", robot.belief().briefing().me().name, percept.step, error.what()));
    }
}

std::optional<EndReason> end_of(Run& run) {
    if (run.limits.interrupted && run.limits.interrupted->load()) return EndReason::interrupted;
    bool any_alive = false, all_done = true, all_home = true;
    for (std::size_t i = 0; i < run.team.size(); ++i) {
        const Belief& belief = run.team[i].belief();
        if (!belief.briefing().me().mobile || !run.percepts[i].alive) continue;
        any_alive = true;
        all_done = all_done && run.decisions[i].done;
        all_home = all_home && at_home(belief);
    }
    if (!any_alive) return EndReason::all_lost;
    if (run.limits.stop_rule && run.limits.stop_rule()) return EndReason::stop_rule;
    // Messages sent in the last step still have to arrive.
    run.all_done = all_done ? run.all_done + 1 : 0;
    if (run.all_done >= 2) return all_home ? EndReason::all_home : EndReason::nothing_left;
    if (run.steps >= run.limits.steps) return EndReason::step_limit;
    return {};
}

}  // namespace

Hash128 hash_robot(const Percept& percept, const Decision& decision, const Robot& robot) {
    const Pose& pose = robot.belief().pose();
    return Hasher()(hash_of(percept))(hash_of(decision))(pose.x)(pose.y)(pose.yaw)(robot.map_name()).result();
}

StepView last_step(const Run& run) {
    const int step = run.percepts.empty() ? 0 : run.percepts[0].step;
    return {step, run.percepts, run.decisions, run.team, run.robot_hashes, run.hash};
}

std::optional<EndReason> step(Run& run) {
    run.percepts.resize(run.team.size());
    run.decisions.resize(run.team.size());
    run.robot_hashes.resize(run.team.size());

    const std::clock_t cpu = std::clock();
    const auto start = Clock::now();
    if (!run.driver.sense(run.percepts)) return EndReason::log_ended;
    const auto sensed = Clock::now();
    parallel_for(static_cast<int>(run.team.size()), [&](int k) {
        const auto i = static_cast<std::size_t>(k);
        run.decisions[i] = run.percepts[i].alive ? step_of(run.team[i], run.percepts[i]) : Decision{};
        run.robot_hashes[i] = hash_robot(run.percepts[i], run.decisions[i], run.team[i]);
    });
    const auto decided = Clock::now();
    run.driver.act(run.decisions);
    const auto acted = Clock::now();
    Hasher all;
    for (const Hash128& hash_of_robot : run.robot_hashes) all(hash_of_robot);
    run.hash = all.result();
    run.digest = Hasher()(run.digest)(run.hash).result();
    const StepView view = last_step(run);
    for (Observer* observer : run.observers) observer->on_step(view);
    ++run.steps;
    const auto end = Clock::now();

    run.timing.sense_s += seconds(start, sensed);
    run.timing.decide_s += seconds(sensed, decided);
    run.timing.act_s += seconds(decided, acted);
    run.timing.observe_s += seconds(acted, end);
    run.timing.steps_cpu_s.push_back(static_cast<float>(std::clock() - cpu) / CLOCKS_PER_SEC);
    return end_of(run);
}

EndReason run_to_end(Run& run) {
    for (;;)
        if (const auto reason = step(run)) return *reason;
}

}  // namespace outrider
