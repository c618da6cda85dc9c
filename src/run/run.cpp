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

/// Does a part of a robot's step; an exception names the robot and the step.
template <class Part>
auto part_of_step(const Robot& robot, const Percept& percept, Part&& part) {
    try {
        return part();
    } catch (const std::exception& error) {
        throw RunFailure(
            fmt::format("robot '{}' at step {}: {}", robot.belief().briefing().me().name, percept.step, error.what()));
    }
}

double cpu_seconds(std::clock_t since) { return static_cast<double>(std::clock() - since) / CLOCKS_PER_SEC; }

/// Fills the percepts of a new step; false: there is none.
bool sense(Run& run) {
    run.percepts.resize(run.team.size());
    run.decisions.resize(run.team.size());
    run.robot_hashes.resize(run.team.size());
    run.timing.longest_part.resize(run.team.size());
    const auto start = Clock::now();
    const bool more = run.driver.sense(run.percepts);
    if (more) run.timing.sense_s += seconds(start, Clock::now());
    return more;
}

/// Calls body(i) for each robot, in parallel. Those near each other follow each other: much of what they know is the
/// same, and still in the cache.
template <class Body>
void for_each_robot(const Run& run, Body&& body) {
    const std::span<const int> order = run.driver.order();
    parallel_for(static_cast<int>(run.team.size()), [&](int k) {
        body(order.empty() ? static_cast<std::size_t>(k)
                           : static_cast<std::size_t>(order[static_cast<std::size_t>(k)]));
    });
}

/// What each robot decides, in parallel; those out of service decide nothing.
template <class Decide>
void decide(Run& run, Decide&& decide_one) {
    for_each_robot(run, [&](std::size_t i) {
        Robot& robot = run.team[i];
        const Percept& percept = run.percepts[i];
        const auto start = Clock::now();
        run.decisions[i] =
            percept.alive ? part_of_step(robot, percept, [&] { return decide_one(robot, percept); }) : Decision{};
        if (const double taken = seconds(start, Clock::now()); taken > run.timing.longest_part[i].seconds)
            run.timing.longest_part[i] = {taken, percept.step};
        run.robot_hashes[i] = hash_robot(percept, run.decisions[i], robot);
    });
}

/// What follows from the decisions: the world moves on, and the observers are told.
void move_and_observe(Run& run) {
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
    run.timing.act_s += seconds(decided, acted);
    run.timing.observe_s += seconds(acted, Clock::now());
}

std::optional<EndReason> end_of(Run& run) {
    if (run.limits.interrupted && run.limits.interrupted->load()) return EndReason::interrupted;
    bool any_alive = false, all_done = run.steps > run.limits.last_order, all_home = true;
    for (std::size_t i = 0; i < run.team.size(); ++i) {
        const Belief& belief = run.team[i].belief();
        all_done = all_done && !run.team[i].waits();
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

Run Run::on(Driver& copied, std::span<Robot> copies, std::vector<Observer*> watching) const {
    Run out{copied, copies,   std::move(watching), limits, percepts, decisions, robot_hashes,
            steps,  all_done, perceived_cpu_s,     hash,   digest,   timing};
    out.limits.stop_rule = nullptr;
    for (Percept& percept : out.percepts) percept.joined.clear();  // it was merged
    return out;
}

StepView last_step(const Run& run) {
    const int step = run.percepts.empty() ? 0 : run.percepts[0].step;
    return {step, run.percepts, run.decisions, run.team, run.robot_hashes, run.hash};
}

bool perceive(Run& run) {
    const std::clock_t cpu = std::clock();
    if (!sense(run)) return false;
    const auto sensed = Clock::now();
    for_each_robot(run, [&](std::size_t i) {
        const Percept& percept = run.percepts[i];
        if (percept.alive) part_of_step(run.team[i], percept, [&] { run.team[i].perceive(percept); });
    });
    run.timing.decide_s += seconds(sensed, Clock::now());
    run.perceived_cpu_s = cpu_seconds(cpu);
    return true;
}

std::optional<EndReason> act(Run& run) {
    OUTRIDER_CHECK(run.perceived_cpu_s.has_value(), ==, true);
    const std::clock_t cpu = std::clock();
    const auto start = Clock::now();
    decide(run, [](Robot& robot, const Percept&) { return robot.decide(); });
    run.timing.decide_s += seconds(start, Clock::now());
    move_and_observe(run);
    run.timing.steps_cpu_s.push_back(static_cast<float>(*run.perceived_cpu_s + cpu_seconds(cpu)));
    run.perceived_cpu_s.reset();
    return end_of(run);
}

std::optional<EndReason> step(Run& run) {
    const std::clock_t cpu = std::clock();
    if (!sense(run)) return EndReason::log_ended;
    const auto sensed = Clock::now();
    decide(run, [](Robot& robot, const Percept& percept) { return robot.step(percept); });
    run.timing.decide_s += seconds(sensed, Clock::now());
    move_and_observe(run);
    run.timing.steps_cpu_s.push_back(static_cast<float>(cpu_seconds(cpu)));
    return end_of(run);
}

EndReason run_to_end(Run& run) {
    for (;;)
        if (const auto reason = step(run)) return *reason;
}

}  // namespace outrider
