#include "cli/run_summary.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/json.hpp"
#include "base/output.hpp"
#include "metrics/group.hpp"
#include "metrics/metrics.hpp"
#include "metrics/standstill.hpp"
#include "outrider/error.hpp"
#include "robot/registry.hpp"

namespace outrider {

void print_summary(const Simulation& sim, EndReason reason, const std::vector<SummaryValue>& summary) {
    const SummaryWords get(summary, sim.driver());
    const auto percent = [](double share) { return fmt::format("{:.2f} %", 100 * share); };
    print_plain("ended after {:.0f} steps: {}\n\n", get["steps"], end_reason_texts[static_cast<std::size_t>(reason)]);
    print_plain("                     team       base\n");
    print_plain("known at the end {:>10} {:>10}   of {:.1f} m2 that can be sensed; {:.2f} m2 left\n",
                percent(get["final_team"]), percent(get["final_base"]),
                static_cast<double>(sim.metrics().coverage().sensable()) * std::pow(sim.scenario().map.cell_m, 2.0),
                get["area_left_m2"]);
    for (const char* level : {"50", "90", "95", "99"})
        print_plain("step of {} %     {:>10} {:>10}\n", level, get.whole(fmt::format("t{}_team", level)),
                    get.whole(fmt::format("t{}_base", level)));
    print_plain("\nway driven           {:.1f} m in all, {:.1f} m at most by a robot, balance {:.2f}\n",
                get["distance_m"], get["distance_max_m"], get["balance"]);
    print_plain("sensed again         {:.2f} times the area\n", get["redundant_sensing"]);
    print_plain("news at the base     after {} steps in the mean, {} at most\n", get.whole("latency_mean"),
                get.whole("latency_max"));
    print_plain("radio                {:.0f} messages, {:.1f} MB; linked to a base {:.0f} % of the time\n",
                get["messages"], get["bytes"] / 1e6, 100 * get["connected_share"]);
    print_plain("map against truth    {} falsely free, {} falsely occupied\n", percent(get["falsely_free"]),
                percent(get["falsely_occupied"]));
    for (const MetricGroup* group : metric_groups())
        if (group->in_words && std::any_of(summary.begin(), summary.end(),
                                           [&](const SummaryValue& v) { return v.metric->group == group; }))
            print_plain("{}", Lines{group->in_words(get)});
}

void print_standstills(const Simulation& sim) {
    constexpr std::size_t most = 4;
    const char* label = "stood still";
    for (const std::string& line : standstill_lines(sim.standstills(), sim.briefings().front(), most)) {
        print_plain("{:<21}{}\n", label, line);
        label = "";
    }
}

void print_health(const Health& health, const Simulation& sim, const std::string& log) {
    constexpr std::size_t most = 4;
    const char* label = "health";
    for (const std::string& line : health_lines(health.robots(), sim.briefings().front(), most)) {
        print_plain("{:<21}{}\n", label, line);
        label = "";
    }
    if (!health.stop()) return;
    const int step = sim.progress().steps - 1;
    print_plain("stopped              at step {}: {}\n", step, *health.stop());
    if (!log.empty())
        print_plain("                     outrider why {} --robot {} --step {}\n", shell_word(log),
                    shell_word(sim.briefings().front().team()[static_cast<std::size_t>(health.stopped_robot())].name),
                    step);
}

std::string summary_json(const Simulation& sim, EndReason reason, const std::vector<SummaryValue>& summary,
                         const Health& health, const std::string& log) {
    const auto number = [](double v) { return std::isnan(v) ? std::string("null") : fmt::format("{}", v); };
    std::string team, robots;
    for (const SummaryValue& v : summary)
        if (v.robot < 0) team += fmt::format("{}\"{}\": {}", team.empty() ? "" : ", ", v.metric->name, number(v.value));
    for (std::size_t i = 0; i < sim.scenario().robots.size(); ++i) {
        std::string own;
        for (const SummaryValue& v : summary)
            if (v.robot == static_cast<RobotId>(i))
                own += fmt::format("{}\"{}\": {}", own.empty() ? "" : ", ", v.metric->name, number(v.value));
        robots += fmt::format("{}\n  {{\"name\": {}, \"strategy\": {}, \"metrics\": {{{}}}}}",
                              robots.empty() ? "" : ",", json_quoted(sim.scenario().robots[i].name),
                              json_quoted(sim.scenario().robots[i].strategy), own);
    }
    return fmt::format(
        "{{\"scenario\": {}, \"seed\": {}, \"end\": {}, \"stopped\": {},\n \"metrics\": {{{}}},\n \"robots\": [{}],\n "
        "\"hash_of_all_steps\": \"{}\", \"log\": {}}}\n",
        json_quoted(sim.scenario().name), sim.scenario().run.seed,
        json_quoted(end_reason_names[static_cast<std::size_t>(reason)]),
        health.stop() ? json_quoted(*health.stop()) : "null", team, robots, sim.progress().digest.hex(),
        log.empty() ? "null" : json_quoted(log));
}

std::string strategies_of(const Scenario& scenario, bool bare) {
    if (scenario.script) return bare ? "imported" : "as imported";
    std::vector<std::string> names;
    for (const RobotEntry& r : scenario.robots) {
        if (r.role == Role::base) continue;
        const std::string name = bare ? strategy_name(r.strategy) : r.strategy;
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
    if (names.size() > 3) return bare ? "mixed" : fmt::format("{} different ones", names.size());
    return fmt::format("{}", fmt::join(names, bare ? "+" : " and "));
}

TakenName take_log_name(const std::optional<std::string>& file, bool force, const Scenario& scenario) {
    if (file) {
        prepare_database(*file, force);
        return TakenName(*file);
    }
    const std::string stem = fmt::format("logs/{}_{}_s{}", file_name(scenario.name),
                                         file_name(strategies_of(scenario, true)), scenario.run.seed);
    return TakenName([&](int k) { return k == 1 ? stem + ".sqlite" : fmt::format("{}_{}.sqlite", stem, k); });
}

}  // namespace outrider
