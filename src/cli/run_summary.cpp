#include "cli/run_summary.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "base/json.hpp"
#include "base/output.hpp"
#include "metrics/metrics.hpp"
#include "metrics/standstill.hpp"
#include "outrider/error.hpp"
#include "robot/registry.hpp"

namespace outrider {

double value_of(const std::vector<SummaryValue>& summary, std::string_view name) {
    for (const SummaryValue& v : summary)
        if (v.metric->name == name && v.robot < 0) return v.value;
    return std::nan("");
}

void print_summary(const Simulation& sim, EndReason reason, const std::vector<SummaryValue>& summary) {
    const auto get = [&](std::string_view name) { return value_of(summary, name); };
    const auto at = [&](std::string_view name) {
        const double v = get(name);
        return std::isnan(v) ? std::string("-") : fmt::format("{:.0f}", v);
    };
    const auto percent = [](double share) { return fmt::format("{:.2f} %", 100 * share); };
    print_plain("ended after {:.0f} steps: {}\n\n", get("steps"), end_reason_texts[static_cast<std::size_t>(reason)]);
    print_plain("                     team       base\n");
    print_plain("known at the end {:>10} {:>10}   of {:.1f} m2 that can be sensed; {:.2f} m2 left\n",
                percent(get("final_team")), percent(get("final_base")),
                static_cast<double>(sim.metrics().coverage().sensable()) * std::pow(sim.scenario().map.cell_m, 2.0),
                get("area_left_m2"));
    for (const char* level : {"50", "90", "95", "99"})
        print_plain("step of {} %     {:>10} {:>10}\n", level, at(fmt::format("t{}_team", level)),
                    at(fmt::format("t{}_base", level)));
    print_plain("\nway driven           {:.1f} m in all, {:.1f} m at most by a robot, balance {:.2f}\n",
                get("distance_m"), get("distance_max_m"), get("balance"));
    print_plain("sensed again         {:.2f} times the area\n", get("redundant_sensing"));
    print_plain("news at the base     after {} steps in the mean, {} at most\n", at("latency_mean"), at("latency_max"));
    print_plain("radio                {:.0f} messages, {:.1f} MB; linked to a base {:.0f} % of the time\n",
                get("messages"), get("bytes") / 1e6, 100 * get("connected_share"));
    print_plain("map against truth    {} falsely free, {} falsely occupied\n", percent(get("falsely_free")),
                percent(get("falsely_occupied")));
    if (!std::isnan(get("failures")))
        print_plain(
            "failures             {:.0f}; {:.0f} robot-steps with one, {:.0f} robots died; {:.1f} m2 are known to "
            "nobody "
            "any more\n",
            get("failures"), get("failed_steps"), get("deaths"), get("lost_knowledge_m2"));
    if (const double steps = get("recovery_steps"); !std::isnan(steps))
        print_plain("                     after a death the team knew as much as before in {:.1f} steps, mean\n",
                    steps);
    if (!std::isnan(get("energy_wh")))
        print_plain("batteries            {:.1f} Wh used; {:.0f} trips to charge, {:.0f} robots stranded\n",
                    get("energy_wh"), get("charging_trips"), get("stranded"));
    if (!std::isnan(get("walls_changed")))
        print_plain(
            "changing walls       {:.0f} changes; {} of the area was known once, {} of what is known is not so now\n",
            get("walls_changed"), percent(get("known_ever_share")), percent(get("stale_share")));
    if (const double steps = get("notice_steps"); !std::isnan(steps))
        print_plain("                     somebody noticed a change that made a map wrong after {:.1f} steps, mean\n",
                    steps);
    if (!std::isnan(get("bytes_far")))
        print_plain("second channel       {:.1f} kB received\n", get("bytes_far") / 1000);
    if (!std::isnan(get("held_up_steps")))
        print_plain("others in the way    robots were held up in {:.0f} robot-steps\n", get("held_up_steps"));
    if (!std::isnan(get("victims_found")))
        print_plain(
            "victims              {:.0f} of {} found, half of them by step {}; {:.0f} confirmed, {:.0f} falsely; score "
            "{:.0f}; driven over in {:.0f} steps\n",
            get("victims_found"), sim.scenario().finding.count + std::ssize(sim.scenario().victims), at("t50_victims"),
            get("victims_confirmed"), get("victims_false"), get("rescue_score"), get("driven_over_steps"));
    if (!std::isnan(get("cleared_m2")))
        print_plain("cleared by cameras   {:.0f} m2, as the base station knows\n", get("cleared_m2"));
    if (!std::isnan(get("orders_given")))
        print_plain(
            "operator             {:.0f} orders, {:.0f} obeyed after {} steps in the mean; robots were under orders in "
            "{} of their steps, and waited in {:.0f}\n",
            get("orders_given"), get("orders_obeyed"), at("order_latency_mean"), percent(get("operated_share")),
            get("order_wait_steps"));
    if (!std::isnan(get("rough_m")))
        print_plain("ground               {:.1f} m over slow ground; {:.2f} m/s while driving\n", get("rough_m"),
                    get("driving_mps"));
    if (!std::isnan(get("prior_right_share")))
        print_plain("plan                 {} of what it says of the known cells is right\n",
                    percent(get("prior_right_share")));
    if (std::isnan(get("pose_error_m"))) return;
    print_plain("poses                {:.3f} m off (rms), {:.2f} m at most; {:.0f} robots lost, {:.0f} maps broken\n",
                get("pose_error_m"), get("pose_error_max_m"), get("lost_robots"), get("broken_maps"));
    if (std::isnan(get("frames_left"))) return;
    print_plain("frames               {:.0f} at the end{}; {:.0f} joins taken back, {:.0f} robots more than 1 m off\n",
                get("frames_left"),
                std::isnan(get("joined_at")) ? "" : fmt::format(", one since step {:.0f}", get("joined_at")),
                get("joins_undone"), get("wrong_frames"));
    print_plain("                     {} of the walls within 2 cells of true ones, in the worst map\n",
                percent(get("walls_near")));
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
