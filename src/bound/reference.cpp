#include "bound/reference.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "base/output.hpp"
#include "bound/anneal.hpp"
#include "bound/drive.hpp"
#include "metrics/metrics.hpp"
#include "simulation/simulation.hpp"

namespace outrider {
namespace {

struct Round {
    double effort, hot, cold;  ///< share of the evaluations, temperatures in steps
};
constexpr Round plan_rounds[] = {{0.6, 1.5, 0.05}, {0.15, 0.3, 0.03}, {0.15, 0.2, 0.02}, {0.1, 0.2, 0.02}};
constexpr int most_rounds = 8;  // the last one again, while no run has reached the last share

void write_plan_file(const TourPlan& plan, const std::string& file) {
    OutputFile out(file, true);
    out.write(plan.json());
    out.commit();
}

struct PlanRun {
    std::array<double, bound_shares.size()> steps;
    std::array<double, spent_names.size()> spent;
    double known = 0;  ///< at the end
};

/// With the strategy tour(plan=FILE) for all that explore.
Scenario with_plan(Scenario s, const std::string& plan) {
    s.team.strategy = "tour(plan=" + plan + ")";
    for (RobotEntry& r : s.robots)
        if (r.role != Role::base) r.strategy = s.team.strategy;
    return s;
}

PlanRun results_of(const Simulation& sim) {
    PlanRun out;
    const std::vector<StepMetrics>& rows = sim.metrics().steps();
    for (std::size_t k = 0; k < bound_shares.size(); ++k)
        out.steps[k] = time_to(rows, &StepMetrics::team_share, bound_shares[k]);
    out.spent = spent_of(sim);
    out.known = rows.empty() ? 0 : rows.back().team_share;
    return out;
}

/// Earlier at the last share, or more known in the end.
bool better(const PlanRun& a, const PlanRun& b) {
    const double t = a.steps.back(), u = b.steps.back();
    if (std::isnan(t) || std::isnan(u)) return std::isnan(t) == std::isnan(u) ? a.known > b.known : std::isnan(u);
    return t < u;
}

/// What the model took for seen from where the robots were, and nobody knows after the run.
void correct(Roads& roads, const BoundTask& task, const TourModel& model, const Blocks& targets,
             const Simulation& sim) {
    for (int b = 0; b < targets.count(); ++b) {
        const Cell c = targets.sample(b);
        const bool known = std::any_of(sim.team().begin(), sim.team().end(),
                                       [&](const Robot& robot) { return robot.belief().map().is_free(c); });
        for (std::size_t i = 0; !known && i < task.team.size(); ++i)
            for (const int node : model.nodes(i)) roads.forget(node, targets.place(b));
    }
}

}  // namespace

std::array<double, spent_names.size()> spent_of(const Simulation& sim) {
    std::array<double, spent_names.size()> out;
    for (const SummaryValue& v : sim.metrics().summary(EndReason::step_limit, sim.scenario().run.steps))
        for (std::size_t k = 0; k < out.size(); ++k)
            if (v.robot < 0 && v.metric->name == fmt::format("spent_{}", spent_names[k])) out[k] = v.value;
    return out;
}

TourPlan make_plan(const Scenario& s, const LowerBounds& bounds, const std::string& file,
                   const ReferenceOptions& options) {
    const BoundTask task = bound_task(s);
    const Blocks targets(task.counted, sure_side(task));
    Roads roads(task, targets);
    TourModel model(task, roads, targets);
    Annealer annealer(task, roads, model, options.seed);
    double wanted = bound_shares.back() + 0.001;
    model.want(wanted);
    model.begin(greedy_tours(task, roads, targets));
    TourPlan best;
    std::optional<PlanRun> measured;
    for (int k = 0; k < most_rounds; ++k) {
        if (k >= std::ssize(plan_rounds) && !std::isnan(measured->steps.back())) break;
        const Round& round =
            plan_rounds[std::min<std::size_t>(static_cast<std::size_t>(k), std::size(plan_rounds) - 1)];
        model.want(wanted);
        annealer.run(std::llround(round.effort * static_cast<double>(options.evaluations)), round.hot, round.cold,
                     options.interrupted);
        const TourPlan plan = drive(task, roads, model.tours(), s.robots.size());
        write_plan_file(plan, file);
        SimulationOptions one_thread;
        one_thread.threads = 1;
        Simulation sim(with_plan(s, file), one_thread);
        sim.run();
        const PlanRun now = results_of(sim);
        if (!measured || better(now, *measured)) {
            measured = now;
            best = plan;
        }
        correct(roads, task, model, targets, sim);
        if (now.known < bound_shares.back()) wanted += bound_shares.back() - now.known;
    }
    best.times = TourPlan::Times{measured->steps, {}, measured->spent};
    for (std::size_t k = 0; k < bound_shares.size(); ++k) best.times->bound[k] = bounds.best(k).steps[k];
    write_plan_file(best, file);
    return best;
}

TourPlan kept_plan(const Scenario& scenario, const std::string& folder, const ReferenceOptions& options) {
    Scenario bare = with_plan(scenario, "");
    bare.name = bare.map.file = "";  // the map's content counts
    Hasher key;
    key(bare.hash())(options.evaluations)(options.seed);
    const std::string file = folder + "/" + key.result().hex() + ".json";
    if (std::filesystem::exists(file)) {
        TourPlan plan = TourPlan::read(file);
        if (!plan.times) fail("{}: a plan without its times; remove it, and it is made anew", file);
        return plan;
    }
    prepare_output(file, true);
    PartialFile making(file, ".json");
    TourPlan plan = make_plan(scenario, lower_bounds(bound_task(scenario)), making.name(), options);
    if (!options.interrupted || !options.interrupted->load()) making.commit(true);
    return plan;
}

}  // namespace outrider
