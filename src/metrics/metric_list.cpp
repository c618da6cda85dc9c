// The tables of metrics that every run has, and the list of the groups.
#include "metrics/metric_list.hpp"

#include <array>
#include <cmath>
#include "metrics/groups/groups.hpp"
#include "metrics/rows.hpp"

namespace outrider {
namespace {

template <auto share, int percent>
double reached(const RunRecord& r) {
    return time_to(r.steps, share, percent / 100.0);
}

template <int percent>
double longest_path(const RunRecord& r) {
    const double step = reached<&StepMetrics::team_share, percent>(r);
    return std::isnan(step) ? nan : r.longest_paths[static_cast<std::size_t>(step)];
}

template <int percent>
double latency(const RunRecord& r) {
    const Counts& latencies = r.coverage.latencies();
    return latencies.all() == 0 ? nan : latencies.percentile(percent / 100.0);
}

template <auto member>
double sum_of(const RunRecord& r) {
    double sum = 0;
    for (const StepMetrics& s : r.steps) sum += count(s.*member);
    return sum;
}

template <StrategyEvent::Kind kind>
double happened(const RunRecord& r) {
    return count(r.totals.strategy_events[static_cast<std::size_t>(kind)]);
}

template <Spent on>
double spent_on(const RunRecord& r) {
    return share_of(r.totals.spent[on], r.paths.mobile);
}

double merges(const RunRecord& r) {
    std::uint64_t sum = 0;
    for (const Robot& robot : r.team) sum += robot.tiles_learnt();
    return count(sum);
}

using Row = const StepMetrics&;

constexpr MetricInfo of_step(std::string_view name, std::string_view unit, int version, std::string_view definition,
                             double (*value)(Row)) {
    return {name, unit, version, definition, plain, nullptr, nullptr, value};
}

// Denominator of every share: free cells that can be sensed from reachable poses. Known: of those, believed to be free.
constexpr std::array step_infos{
    of_step("step", "steps", 1, "number of the step, from 0", [](Row s) { return count(s.step); }),
    of_step("team_share", "share", 1, "reachable area known to the robots and bases in service together",
            [](Row s) { return s.team_share; }),
    of_step("base_share", "share", 1, "reachable area known to the base stations in service together",
            [](Row s) { return s.base_share; }),
    of_step("mean_robot_share", "share", 1, "reachable area known to a robot or base, mean",
            [](Row s) { return s.mean_robot_share; }),
    of_step("distance_m", "m", 1, "distance driven by all robots so far", [](Row s) { return s.distance_m; }),
    of_step("messages", "", 1, "messages delivered in the step, counted once per receiver",
            [](Row s) { return count(s.messages); }),
    of_step("lost", "", 1, "messages lost in the step, counted once per receiver", [](Row s) { return count(s.lost); }),
    of_step("bytes", "B", 1, "bytes of the delivered messages", [](Row s) { return count(s.bytes); }),
    of_step("components", "", 1, "connected components of the communication graph, those out of service left out",
            [](Row s) { return count(s.components); }),
    of_step("connected", "", 1, "mobile robots in one component with a base", [](Row s) { return count(s.connected); }),
    of_step("alive", "", 1, "mobile robots in service", [](Row s) { return count(s.alive); }),
};

constexpr std::array exploration_infos{
    MetricInfo{"steps", "steps", 1, "length of the run", plain, [](Record r) { return count(r.steps.size()); }},
    MetricInfo{"t50_team", "steps", 1, "first step at which the team knows 50 % of the reachable area", time_of,
               reached<&StepMetrics::team_share, 50>},
    MetricInfo{"t90_team", "steps", 1, "first step at which the team knows 90 % of the reachable area", time_of,
               reached<&StepMetrics::team_share, 90>},
    MetricInfo{"t95_team", "steps", 1, "first step at which the team knows 95 % of the reachable area", time_of,
               reached<&StepMetrics::team_share, 95>},
    MetricInfo{"t99_team", "steps", 1, "first step at which the team knows 99 % of the reachable area", time_of,
               reached<&StepMetrics::team_share, 99>},
    MetricInfo{"t50_base", "steps", 1, "first step at which the base knows 50 % of the reachable area", time_of,
               reached<&StepMetrics::base_share, 50>},
    MetricInfo{"t90_base", "steps", 1, "first step at which the base knows 90 % of the reachable area", time_of,
               reached<&StepMetrics::base_share, 90>},
    MetricInfo{"t95_base", "steps", 1, "first step at which the base knows 95 % of the reachable area", time_of,
               reached<&StepMetrics::base_share, 95>},
    MetricInfo{"t99_base", "steps", 1, "first step at which the base knows 99 % of the reachable area", time_of,
               reached<&StepMetrics::base_share, 99>},
    MetricInfo{"final_team", "share", 1, "reachable area known to the team at the end", more,
               [](Record r) { return r.last.team_share; }},
    MetricInfo{"final_base", "share", 1, "reachable area known at the base at the end", more,
               [](Record r) { return r.last.base_share; }},
    MetricInfo{"area_left_m2", "m2", 1, "reachable area that the team does not know at the end", plain,
               [](Record r) { return count(r.coverage.sensable() - r.coverage.team()) * r.cell_area(); }},
    MetricInfo{"auc_team", "share", 1, "mean of team_share over the steps up to the step limit, the last value held",
               more, [](Record r) { return mean_share(r.steps, &StepMetrics::team_share, r.steps_limit); }},
    MetricInfo{"auc_base", "share", 1, "mean of base_share over the steps up to the step limit, the last value held",
               more, [](Record r) { return mean_share(r.steps, &StepMetrics::base_share, r.steps_limit); }},
    MetricInfo{
        "base_awareness", "", 1,
        "what the base knows of what the team knows, mean while the team goes from 20 to 75 %: integral of base_share "
        "d(team_share) / integral of team_share d(team_share)",
        more, [](Record r) { return base_awareness(r.steps, 0.20, 0.75); }},
    MetricInfo{"latency_mean", "steps", 1, "from the first sensing of a cell to a base first knowing it, mean", plain,
               [](Record r) { return r.coverage.latencies().all() == 0 ? nan : r.coverage.latencies().mean(); }},
    MetricInfo{"latency_max", "steps", 1, "from the first sensing of a cell to a base first knowing it, maximum", plain,
               latency<100>},
    MetricInfo{"latency_p50", "steps", 1, "from the first sensing of a cell to a base first knowing it, median", plain,
               latency<50>},
    MetricInfo{"latency_p90", "steps", 1,
               "from the first sensing of a cell to a base first knowing it, 90th percentile", plain, latency<90>},
    MetricInfo{"base_update_gap_mean", "steps", 1, "time since a base last learned of a cell, mean over the steps",
               plain, [](Record r) { return r.totals.since_update.mean(); }},
    MetricInfo{"base_update_gap_max", "steps", 1, "time since a base last learned of a cell, maximum over the steps",
               plain, [](Record r) { return r.totals.since_update.max; }},
    MetricInfo{"information_age_mean", "steps", 1,
               "for each mobile robot, how old the newest message from it is at the base that has the newest one; mean "
               "over robots and steps",
               plain, [](Record r) { return r.totals.at_base.mean(); }},
    MetricInfo{"information_age_max", "steps", 1,
               "for each mobile robot, how old the newest message from it is at the base that has the newest one; "
               "maximum",
               plain, [](Record r) { return r.totals.at_base.max; }},
    MetricInfo{"responsiveness_mean", "steps", 1,
               "for each mobile robot, how old its newest message from a base is; mean over robots and steps", plain,
               [](Record r) { return r.totals.at_robots.mean(); }},
    MetricInfo{"responsiveness_max", "steps", 1,
               "for each mobile robot, how old its newest message from a base is; maximum", plain,
               [](Record r) { return r.totals.at_robots.max; }},
    MetricInfo{"distance_m", "m", 1, "distance driven; of the team: the sum over the robots", plain,
               [](Record r) { return r.paths.sum; },
               [](Record r, std::size_t i) { return r.world.bodies()[i].travelled_m; }},
    MetricInfo{"distance_max_m", "m", 1, "the longest distance driven by a robot", plain,
               [](Record r) { return r.paths.longest; }},
    MetricInfo{"way90_team_m", "m", 1,
               "the longest distance driven by a robot when the team first knows 90 % of the reachable area", plain,
               longest_path<90>},
    MetricInfo{"way95_team_m", "m", 1,
               "the longest distance driven by a robot when the team first knows 95 % of the reachable area", plain,
               longest_path<95>},
    MetricInfo{"way99_team_m", "m", 1,
               "the longest distance driven by a robot when the team first knows 99 % of the reachable area", plain,
               longest_path<99>},
    MetricInfo{"distance_std_m", "m", 1, "standard deviation of the distances driven by mobile robots", plain,
               [](Record r) { return std::sqrt(share_of(r.paths.off_mean, r.paths.mobile)); }},
    MetricInfo{"balance", "", 1, "Jain index of the distances driven by mobile robots: 1 when all are equal", more,
               [](Record r) {
                   return r.paths.squares > 0 ? r.paths.sum * r.paths.sum / (r.paths.mobile * r.paths.squares) : 1;
               }},
    MetricInfo{
        "known_share", "share", 1, "reachable area known to the robot at the end", plain, nullptr,
        [](Record r, std::size_t i) { return share_of(count(r.coverage.robots()[i]), count(r.coverage.sensable())); }},
    MetricInfo{
        "sensed_share", "share", 1, "reachable area that the robot saw with its own sensors", plain, nullptr,
        [](Record r, std::size_t i) { return share_of(count(r.coverage.sensed()[i]), count(r.coverage.sensable())); }},
    MetricInfo{"overlap", "share", 1, "sum of sensed_share minus the share that anybody saw", plain,
               [](Record r) { return share_of(r.seen_by_each - r.seen_by_any, count(r.coverage.sensable())); }},
    MetricInfo{"redundant_sensing", "", 1, "overlap / the share that anybody saw", plain,
               [](Record r) { return share_of(r.seen_by_each - r.seen_by_any, r.seen_by_any); }},
    MetricInfo{"efficiency", "m2/m", 1, "area known to the team / distance driven", more,
               [](Record r) {
                   return r.paths.sum > 0
                              ? r.last.team_share * count(r.coverage.sensable()) * r.cell_area() / r.paths.sum
                              : 0;
               }},
    MetricInfo{"map_complete", "share", 1, "team_share at the end", more, [](Record r) { return r.last.team_share; }},
    MetricInfo{"falsely_free", "share", 1, "walls that somebody believes to be free / cells believed to be free", plain,
               [](Record r) { return share_of(count(r.accuracy.falsely_free), count(r.accuracy.free)); }},
    MetricInfo{"falsely_occupied", "share", 1,
               "reachable free cells that somebody believes occupied and nobody free / cells believed occupied", plain,
               [](Record r) { return share_of(count(r.accuracy.falsely_occupied), count(r.accuracy.occupied)); }},
    MetricInfo{"messages", "", 1, "messages delivered, counted once per receiver", plain,
               sum_of<&StepMetrics::messages>},
    MetricInfo{"messages_lost", "", 1, "messages lost, counted once per receiver", plain, sum_of<&StepMetrics::lost>},
    MetricInfo{"bytes", "B", 1, "bytes of the delivered messages", plain, sum_of<&StepMetrics::bytes>},
    MetricInfo{"merges", "", 2,
               "map tiles (square blocks of cells) in which what a robot received in a step changed cells, summed over "
               "robots and steps",
               plain, merges},
    MetricInfo{"connected_share", "share", 1, "robot-steps in one component with a base", more,
               [](Record r) { return share_of(count(r.totals.connected_robot_steps), count(r.totals.robot_steps)); }},
    MetricInfo{"components_mean", "", 1, "connected components of the communication graph, mean over the steps", plain,
               [](Record r) { return share_of(sum_of<&StepMetrics::components>(r), count(r.steps.size())); }},
    MetricInfo{"stood_steps", "robot-steps", 1,
               "a robot that was not done drove less than a tenth of its speed; waiting at a meeting not counted",
               plain, [](Record r) { return count(r.totals.stood); }},
    MetricInfo{"same_target_steps", "robot-steps", 1, "a robot's target was within a metre of another robot's", plain,
               [](Record r) { return count(r.totals.same_target); }},
    MetricInfo{"fruitless_steps", "robot-steps", 1, "a robot that was not done saw nothing that was new to it", plain,
               [](Record r) { return count(r.totals.fruitless); }},
    MetricInfo{"spent_sensing", "steps", 1,
               "of the steps until the team knows 99 % (all, if it never does), mean over the mobile robots: new floor "
               "that they saw, in bands as wide as they see to both sides and as long as they drive in a step; the "
               "metrics spent_* add up to those steps",
               plain, spent_on<Spent::sensing>},
    MetricInfo{"spent_still", "steps", 1,
               "of the steps until the team knows 99 %, without spent_sensing, mean over the mobile robots: drove less "
               "than a tenth of its speed, was done or dead",
               plain, spent_on<Spent::still>},
    MetricInfo{"spent_homeward", "steps", 1,
               "of the steps until the team knows 99 %, without those above: its target was within a metre of a base",
               plain, spent_on<Spent::homeward>},
    MetricInfo{"spent_together", "steps", 1,
               "of the steps until the team knows 99 %, without those above: its target was within a metre of another "
               "robot's",
               plain, spent_on<Spent::together>},
    MetricInfo{"spent_back", "steps", 1,
               "of the steps until the team knows 99 %, without those above: it was in a square of a metre that it had "
               "driven through before and left",
               plain, spent_on<Spent::back>},
    MetricInfo{"spent_onward", "steps", 1,
               "of the steps until the team knows 99 %, without those above: it drove on and saw less than such a band",
               plain, spent_on<Spent::onward>},
    MetricInfo{"meetings_kept", "", 1, "agreed meetings kept, counted by each that came and met", more,
               happened<StrategyEvent::Kind::met>},
    MetricInfo{"meetings_missed", "", 1, "agreed meetings to which the partner did not come", plain,
               happened<StrategyEvent::Kind::missed>},
    MetricInfo{"meeting_wait_steps", "steps", 1, "time that robots stood waiting for partners", plain,
               happened<StrategyEvent::Kind::waited>},
    MetricInfo{"role_swaps", "", 1, "roles taken over by another robot", plain, happened<StrategyEvent::Kind::swapped>},
    MetricInfo{"role_doubt_steps", "steps", 1, "time in which a robot was not sure who holds a role", plain,
               happened<StrategyEvent::Kind::doubted>},
};

constexpr std::array ending_infos{
    MetricInfo{"deaths", "", 1, "mobile robots out of service at the end", plain,
               [](Record r) { return count(r.paths.dead); }},
    MetricInfo{"return_steps", "steps", 1, "from the last cell that the team learned to the end, when all came home",
               plain,
               [](Record r) { return r.reason == EndReason::all_home ? r.last.step - r.totals.last_team_news : nan; }},
};

}  // namespace

std::span<const MetricGroup* const> metric_groups() {
    static const MetricGroup exploration{exploration_infos}, ending{ending_infos};
    static const std::vector<const MetricGroup*> groups = [] {
        std::vector<const MetricGroup*> all{&exploration, &position_metrics, &ending};
        const auto features = metric_features();
        all.insert(all.end(), features.begin(), features.end());
        for (const MetricGroup* group : {&localisation_metrics, &frame_metrics}) all.push_back(group);
        return all;
    }();
    return groups;
}

std::span<const MetricInfo> summary_metrics() {
    static const auto all = [] {
        std::vector<MetricInfo> out;
        for (const MetricGroup* group : metric_groups())
            for (MetricInfo m : group->metrics) {
                m.group = group;
                out.push_back(m);
            }
        return out;
    }();
    return all;
}

bool MetricInfo::always() const { return group->always(); }

std::span<const MetricInfo> step_metrics() { return step_infos; }

}  // namespace outrider
