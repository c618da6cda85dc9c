// The tables of metrics.
#include "metrics/metric_list.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include "metrics/metrics.hpp"
#include "metrics/run_record.hpp"
#include "robot/team_frames.hpp"

namespace outrider {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <class Number>
double count(Number n) {
    return static_cast<double>(n);
}

template <auto share, int percent>
double reached(const RunRecord& r) {
    return time_to(r.steps, share, percent / 100.0);
}

template <int percent>
double longest_way(const RunRecord& r) {
    const double step = reached<&StepMetrics::team_share, percent>(r);
    return std::isnan(step) ? nan : r.longest_ways[static_cast<std::size_t>(step)];
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

double position_changes(const RunRecord& r) {
    const double minutes = count(r.totals.robot_steps) * r.world.step_s() / 60;
    return share_of(count(r.totals.positions.changes()), minutes);
}

double victim_step_mean(const VictimCounts& victims) {
    Ages at;
    for (const int step : victims.found_at())
        if (step >= 0) at.add(step);
    return at.count > 0 ? at.mean() : nan;
}

/// When half of them had been found.
double half_found(const VictimCounts& victims) {
    std::vector<int> at;
    for (const int step : victims.found_at())
        if (step >= 0) at.push_back(step);
    const std::size_t half = (victims.found_at().size() + 1) / 2;
    if (half == 0 || at.size() < half) return nan;
    std::sort(at.begin(), at.end());
    return at[half - 1];
}

double recovery_steps(const RunRecord& r) {
    Ages recovered;
    for (std::size_t died = 1; died < r.steps.size(); ++died) {
        std::size_t again = died;
        while (again < r.steps.size() && r.steps[again].team_share < r.steps[died - 1].team_share) ++again;
        for (int k = r.steps[died].alive; k < r.steps[died - 1].alive; ++k)
            recovered.add(static_cast<double>(again - died));
    }
    return recovered.count > 0 ? recovered.mean() : nan;
}

double merges(const RunRecord& r) {
    std::uint64_t sum = 0;
    for (const Robot& robot : r.team) sum += robot.tiles_learnt();
    return count(sum);
}

double broken_maps(const RunRecord& r) {
    return count(std::count_if(r.walls_off.begin(), r.walls_off.end(),
                               [](double off) { return off > Localisation::broken_share; }));
}

double path_succeeds(const RunRecord& r, std::size_t i) { return r.trials[i]->paths.succeed; }
double path_found(const RunRecord& r, std::size_t i) { return r.trials[i]->paths.found; }
double skeleton_true(const RunRecord& r, std::size_t i) { return r.trials[i]->skeleton.true_share; }
double skeleton_found(const RunRecord& r, std::size_t i) { return r.trials[i]->skeleton.found_share; }

double walls_near(const RunRecord& r, std::size_t i) {
    constexpr int near_cells = 2;
    return 1 - walls_off(r.truth.map(r.team[i]), r.world, near_cells);
}

/// Of the mobile robots; 1 when there are none.
template <double (*of_robot)(const RunRecord&, std::size_t)>
double least(const RunRecord& r) {
    double out = 1;
    for (std::size_t i = 0; i < r.team.size(); ++i)
        if (r.trials[i]) out = std::min(out, of_robot(r, i));
    return out;
}

using Record = const RunRecord&;
using Row = const StepMetrics&;
constexpr unsigned plain = 0, more = MetricInfo::more_is_better, time_of = MetricInfo::time_to,
                   scans = MetricInfo::matched_scans, mobile = MetricInfo::mobile_only, frames = MetricInfo::own_frames,
                   fails = MetricInfo::failing, powered = MetricInfo::powered, changing = MetricInfo::changing,
                   planned = MetricInfo::planned, uneven = MetricInfo::uneven, far_radio = MetricInfo::far_radio,
                   crowded = MetricInfo::crowded, operated = MetricInfo::operated, rescuing = MetricInfo::rescuing,
                   positioned = MetricInfo::positioned, clearing = MetricInfo::clearing;

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
    of_step("distance_m", "m", 1, "way driven by all robots so far", [](Row s) { return s.distance_m; }),
    of_step("messages", "", 1, "messages delivered in the step, counted once per receiver",
            [](Row s) { return count(s.messages); }),
    of_step("lost", "", 1, "messages lost in the step, counted once per receiver", [](Row s) { return count(s.lost); }),
    of_step("bytes", "B", 1, "bytes of the delivered messages", [](Row s) { return count(s.bytes); }),
    of_step("components", "", 1, "connected components of the communication graph, those out of service left out",
            [](Row s) { return count(s.components); }),
    of_step("connected", "", 1, "mobile robots in one component with a base", [](Row s) { return count(s.connected); }),
    of_step("alive", "", 1, "mobile robots in service", [](Row s) { return count(s.alive); }),
};

constexpr std::array summary_infos{
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
        "integral of base_share d(team_share) / integral of team_share d(team_share), team_share 0.20 to 0.75 (W)",
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
    MetricInfo{"distance_m", "m", 1, "way driven; of the team: the sum over the robots", plain,
               [](Record r) { return r.ways.sum; },
               [](Record r, std::size_t i) { return r.world.bodies()[i].travelled_m; }},
    MetricInfo{"distance_max_m", "m", 1, "the longest way of a robot", plain, [](Record r) { return r.ways.longest; }},
    MetricInfo{"way90_team_m", "m", 1,
               "the longest way of a robot when the team first knows 90 % of the reachable area", plain,
               longest_way<90>},
    MetricInfo{"way95_team_m", "m", 1,
               "the longest way of a robot when the team first knows 95 % of the reachable area", plain,
               longest_way<95>},
    MetricInfo{"way99_team_m", "m", 1,
               "the longest way of a robot when the team first knows 99 % of the reachable area", plain,
               longest_way<99>},
    MetricInfo{"distance_std_m", "m", 1, "standard deviation of the ways of the mobile robots", plain,
               [](Record r) { return std::sqrt(share_of(r.ways.off_mean, r.ways.mobile)); }},
    MetricInfo{
        "balance", "", 1, "Jain index of the ways of the mobile robots: 1 when all are equal", more,
        [](Record r) { return r.ways.squares > 0 ? r.ways.sum * r.ways.sum / (r.ways.mobile * r.ways.squares) : 1; }},
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
    MetricInfo{"efficiency", "m2/m", 1, "area known to the team / way driven", more,
               [](Record r) {
                   return r.ways.sum > 0 ? r.last.team_share * count(r.coverage.sensable()) * r.cell_area() / r.ways.sum
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
               "map tiles (square blocks of cells) in which what a robot heard in a step changed cells, summed over "
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
    MetricInfo{"meetings_kept", "", 1, "agreed meetings kept, counted by each that came and met", more,
               happened<StrategyEvent::Kind::met>},
    MetricInfo{"meetings_missed", "", 1, "agreed meetings to which the partner did not come", plain,
               happened<StrategyEvent::Kind::missed>},
    MetricInfo{"meeting_wait_steps", "steps", 1, "time that robots stood waiting for partners", plain,
               happened<StrategyEvent::Kind::waited>},
    MetricInfo{"role_swaps", "", 1, "roles taken over by another robot", plain, happened<StrategyEvent::Kind::swapped>},
    MetricInfo{"role_doubt_steps", "steps", 1, "time in which a robot was not sure who holds a role", plain,
               happened<StrategyEvent::Kind::doubted>},
    MetricInfo{"position_changes", "1/min", 1,
               "how often a robot changed or gave up its position (a numbered task of the strategy positions, not a "
               "place), per robot and minute",
               positioned, [](Record r) { return position_changes(r); }},
    MetricInfo{"two_holders_share", "share", 1,
               "steps in which a position was held by two robots / steps since the first robot took one", positioned,
               [](Record r) { return share_of(count(r.totals.positions.doubled()), count(r.totals.positions.steps())); }},
    MetricInfo{"deaths", "", 1, "mobile robots out of service at the end", plain,
               [](Record r) { return count(r.ways.dead); }},
    MetricInfo{"return_steps", "steps", 1, "from the last cell that the team learned to the end, when all came home",
               plain,
               [](Record r) { return r.reason == EndReason::all_home ? r.last.step - r.totals.last_team_news : nan; }},
    // Of robots that can fail.
    MetricInfo{"failures", "", 1, "failures of robots that began", fails,
               [](Record r) { return count(r.totals.failures); }},
    MetricInfo{"failed_steps", "steps", 1, "time that robots in service were stuck, deaf, blind or slow, summed up", fails,
               [](Record r) { return count(r.totals.failed_steps); }},
    MetricInfo{"lost_knowledge_m2", "m2", 1,
               "reachable area that somebody knew once, and nobody in service knows at the end", fails,
               [](Record r) { return count(r.coverage.known_once() - r.coverage.team()) * r.cell_area(); }},
    MetricInfo{"recovery_steps", "steps", 1,
               "from a death to the step in which the team knows as much as before it, or to the end; mean over deaths",
               fails, recovery_steps},
    // Of robots with batteries.
    MetricInfo{"energy_wh", "Wh", 1, "what robots took from their batteries", powered,
               [](Record r) { return r.totals.energy_j / 3600; }},
    MetricInfo{"stranded", "", 1, "robots whose batteries got empty", powered,
               [](Record r) { return count(r.totals.stranded); }},
    MetricInfo{"charging_trips", "", 1, "times that a robot came to a base with less than 95 % to charge", powered,
               [](Record r) { return count(r.totals.charging_trips); }},
    // Of worlds that change.
    MetricInfo{"walls_changed", "", 1, "changes of the walls that came true", changing,
               [](Record r) { return count(r.totals.walls_changed); }},
    MetricInfo{"known_ever_share", "share", 1, "of the reachable area, what somebody knew to be free once",
               changing | more,
               [](Record r) { return share_of(count(r.coverage.known_once()), count(r.coverage.sensable())); }},
    MetricInfo{"stale_share", "share", 1,
               "cells whose state is believed wrongly at the end / cells known; wrong: a wall that somebody believes "
               "free, or a free cell that all who know it believe to be a wall",
               changing,
               [](Record r) {
                   return share_of(count(r.accuracy.falsely_free + r.accuracy.falsely_occupied),
                                   count(r.accuracy.free + r.accuracy.occupied));
               }},
    MetricInfo{"notice_steps", "steps", 1,
               "from a change that left somebody in service with a wrong map to the first who saw it; mean over those seen",
               changing, [](Record r) { return r.totals.noticed.count > 0 ? r.totals.noticed.mean() : nan; }},
    // Of robots with a plan.
    MetricInfo{"prior_right_share", "share", 1,
               "cells that the plan shows as they are / cells that it shows, of those that somebody knows at the end",
               planned | more, [](Record r) { return share_of(count(r.plan.right), count(r.plan.shown)); }},
    // With a second channel.
    MetricInfo{"bytes_far", "bytes", 1, "received over the second channel, by all receivers", far_radio,
               [](Record r) { return count(r.totals.bytes_far); }},
    // With people, or with bodies.
    MetricInfo{"held_up_steps", "robot-steps", 1, "somebody, another robot or a wall stopped a robot", crowded,
               [](Record r) { return count(r.totals.held_up); }},
    // With an operator.
    MetricInfo{"orders_given", "", 1, "orders of an operator, one for each robot that it was for", operated,
               [](Record r) { return count(r.totals.orders.given()); }},
    MetricInfo{"orders_obeyed", "", 1,
               "those that a robot carried out; not those that a newer one replaced before they arrived",
               operated | more, [](Record r) { return count(r.totals.orders.obeyed()); }},
    MetricInfo{"order_latency_mean", "steps", 1, "from giving an order to obeying it; mean over those obeyed", operated,
               [](Record r) {
                   const OrderCounts& orders = r.totals.orders;
                   return orders.obeyed() > 0 ? count(orders.latency_steps()) / count(orders.obeyed()) : nan;
               }},
    MetricInfo{"operated_share", "share", 1, "robot-steps under an order / robot-steps in service", operated,
               [](Record r) {
                   return share_of(count(r.totals.orders.operated()), count(r.totals.robot_steps));
               }},
    MetricInfo{"order_wait_steps", "robot-steps", 1, "a robot under an order had nothing to do", operated,
               [](Record r) { return count(r.totals.orders.waited()); }},
    // With people to be found.
    MetricInfo{"victims_found", "", 1,
               "people of whom the base station has a report within 2 m that is not declined, or had one once",
               rescuing | more, [](Record r) { return count(r.totals.victims.found()); }},
    MetricInfo{"victims_confirmed", "", 1, "people with a confirmed report within 2 m", rescuing | more,
               [](Record r) { return count(r.totals.victims.confirmed); }},
    MetricInfo{"victims_false", "", 1, "confirmed reports with nobody within 2 m", rescuing,
               [](Record r) { return count(r.totals.victims.false_confirmed); }},
    MetricInfo{"victim_step_mean", "step", 1, "when the base station first had a report of somebody; mean over those found",
               rescuing, [](Record r) { return victim_step_mean(r.totals.victims); }},
    MetricInfo{"t50_victims", "step", 1, "step at which half of the people were found", rescuing | MetricInfo::time_to,
               [](Record r) { return half_found(r.totals.victims); }},
    MetricInfo{"rescue_score", "", 1,
               "10 points for each who is confirmed, for the right number, for the right status, for a place within 1 m; "
               "-10 for each false one",
               rescuing | more, [](Record r) { return r.totals.victims.score; }},
    MetricInfo{"driven_over_steps", "", 1, "steps of robots in which their body touched somebody, summed up", rescuing,
               [](Record r) { return count(r.totals.victims.driven_over); }},
    MetricInfo{"cleared_m2", "m2", 1, "floor that cameras have cleared, as the base station knows", clearing | more,
               [](Record r) { return r.totals.victims.cleared_m2; }},
    MetricInfo{"cleared_m2_per_victim", "m2", 1, "cleared floor for each who was found", clearing | rescuing,
               [](Record r) { return share_of(r.totals.victims.cleared_m2, r.totals.victims.found()); }},
    // On ground that differs.
    MetricInfo{"rough_m", "m", 1, "way that robots drove over slow ground, summed up", uneven,
               [](Record r) { return r.totals.rough_m; }},
    MetricInfo{"driving_mps", "m/s", 1, "speed of robots in the steps in which they drove, the mean", uneven | more,
               [](Record r) { return share_of(r.last.distance_m, r.totals.driving_s); }},
    // Of robots that match scans.
    MetricInfo{"pose_error_m", "m", 1, "distance of the believed from the true position, rms over the steps", scans,
               [](Record r) { return r.localisation->rms_m(); },
               [](Record r, std::size_t i) { return r.localisation->rms_m(i); }},
    MetricInfo{"pose_error_max_m", "m", 1, "distance of the believed from the true position, maximum", scans,
               [](Record r) { return r.localisation->largest_m(); }},
    MetricInfo{"relative_error_m", "m", 1,
               "error of the believed way of 10 steps, seen from its beginning, rms over robots and steps", scans,
               [](Record r) { return r.localisation->relative_m(); }},
    MetricInfo{"relative_error_deg", "deg", 1, "error of the believed turn in 10 steps, rms over robots and steps",
               scans, [](Record r) { return degrees(r.localisation->relative_rad()); }},
    MetricInfo{"lost_robots", "", 1, "mobile robots with a relative error above 1 m in over 1 % of their steps", scans,
               [](Record r) { return count(r.localisation->lost()); }},
    MetricInfo{
        "walls_off", "share", 1, "wall cells of the robot's map more than 5 cells from any true wall", scans,
        [](Record r) { return r.walls_off.empty() ? 0 : *std::max_element(r.walls_off.begin(), r.walls_off.end()); },
        [](Record r, std::size_t i) { return r.walls_off[i]; }},
    MetricInfo{"broken_maps", "", 1, "robots and bases whose walls_off is above 0.02", scans, broken_maps},
    MetricInfo{"paths_succeed", "share", 1,
               "of 100 shortest ways planned on the map of a mobile robot, those that can be driven in truth, within 5 "
               "cells of them; of the team: the least",
               more | scans | mobile, least<path_succeeds>, path_succeeds},
    MetricInfo{"paths_found", "share", 1,
               "of 100 shortest ways that there are in truth, those that can be driven on the map of a mobile robot, "
               "within 5 cells of them; of the team: the least",
               more | scans | mobile, least<path_found>, path_found},
    MetricInfo{"skeleton_true", "share", 1,
               "of the skeleton of the free space that the robot's map shows, what lies within 5 cells of the true "
               "one; of the team: the least",
               more | scans | mobile, least<skeleton_true>, skeleton_true},
    MetricInfo{"skeleton_found", "share", 1,
               "of the true skeleton of the free space, what lies within 5 cells of that of the robot's map; of the "
               "team: the least",
               more | scans | mobile, least<skeleton_found>, skeleton_found},
    // Of robots that do not know where the others started.
    MetricInfo{"frames_left", "", 1, "frames in which the mobile robots in service plan at the end; 1: all are joined",
               frames, [](Record r) { return count(r.totals.frames); }},
    MetricInfo{"joined_at", "steps", 1,
               "first step from which, until the end of the run, all mobile robots in service share one frame", frames,
               [](Record r) { return r.totals.joined_at < 0 ? nan : count(r.totals.joined_at); }},
    MetricInfo{"wrong_frames", "", 1,
               "mobile robots that are more than 1 m off at the end, in the frame that they plan in", frames,
               [](Record r) { return count(r.localisation->off()); }},
    MetricInfo{"walls_near", "share", 1,
               "wall cells of the map of a mobile robot that are within 2 cells of a true wall; of the team: the least",
               more | frames | mobile, least<walls_near>, walls_near},
    MetricInfo{"joins_undone", "", 1, "relations between frames that robots took back", frames,
               [](Record r) {
                   double undone = 0;
                   for (const Robot& robot : r.team) undone += robot.frames()->undone();
                   return undone;
               }},
};

}  // namespace

std::span<const MetricInfo> summary_metrics() { return summary_infos; }
std::span<const MetricInfo> step_metrics() { return step_infos; }

}  // namespace outrider
