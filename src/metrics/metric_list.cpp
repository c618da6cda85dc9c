// Names, units and definitions of the metrics.
#include <array>

#include "metrics/localisation_metrics.hpp"
#include "metrics/metrics.hpp"

namespace outrider {
namespace {

// Denominator of every share: free cells that can be sensed from reachable poses. Known: of those, believed to be free.
constexpr std::array step_infos{
    MetricInfo{"step", "steps", 1, false, "number of the step, from 0"},
    MetricInfo{"team_share", "share", 1, false, "reachable area known to the robots and bases in service together"},
    MetricInfo{"base_share", "share", 1, false, "reachable area known to the base stations in service together"},
    MetricInfo{"mean_robot_share", "share", 1, false, "reachable area known to a robot or base, mean"},
    MetricInfo{"distance_m", "m", 1, false, "way driven by all robots so far"},
    MetricInfo{"messages", "", 1, false, "messages delivered in the step, counted once per receiver"},
    MetricInfo{"lost", "", 1, false, "messages lost in the step, counted once per receiver"},
    MetricInfo{"bytes", "B", 1, false, "bytes of the delivered messages"},
    MetricInfo{"components", "", 1, false,
               "connected components of the communication graph, those out of service left out"},
    MetricInfo{"connected", "", 1, false, "mobile robots in one component with a base"},
    MetricInfo{"alive", "", 1, false, "mobile robots in service"},
};

constexpr std::array summary_infos{
    MetricInfo{"steps", "steps", 1, false, "length of the run"},
    MetricInfo{"t50_team", "steps", 1, false, "first step at which the team knows 50 % of the reachable area"},
    MetricInfo{"t90_team", "steps", 1, false, "first step at which the team knows 90 % of the reachable area"},
    MetricInfo{"t95_team", "steps", 1, false, "first step at which the team knows 95 % of the reachable area"},
    MetricInfo{"t99_team", "steps", 1, false, "first step at which the team knows 99 % of the reachable area"},
    MetricInfo{"t50_base", "steps", 1, false, "first step at which the base knows 50 % of the reachable area"},
    MetricInfo{"t90_base", "steps", 1, false, "first step at which the base knows 90 % of the reachable area"},
    MetricInfo{"t95_base", "steps", 1, false, "first step at which the base knows 95 % of the reachable area"},
    MetricInfo{"t99_base", "steps", 1, false, "first step at which the base knows 99 % of the reachable area"},
    MetricInfo{"final_team", "share", 1, false, "reachable area known to the team at the end"},
    MetricInfo{"final_base", "share", 1, false, "reachable area known at the base at the end"},
    MetricInfo{"area_left_m2", "m2", 1, false, "reachable area that the team does not know at the end"},
    MetricInfo{"auc_team", "share", 1, false,
               "mean of team_share over the steps up to the step limit, the last value held"},
    MetricInfo{"auc_base", "share", 1, false,
               "mean of base_share over the steps up to the step limit, the last value held"},
    MetricInfo{
        "base_awareness", "", 1, false,
        "integral of base_share d(team_share) / integral of team_share d(team_share), team_share 0.20 to 0.75 (W)"},
    MetricInfo{"latency_mean", "steps", 1, false, "from the first sensing of a cell to a base first knowing it, mean"},
    MetricInfo{"latency_max", "steps", 1, false,
               "from the first sensing of a cell to a base first knowing it, maximum"},
    MetricInfo{"latency_p50", "steps", 1, false, "from the first sensing of a cell to a base first knowing it, median"},
    MetricInfo{"latency_p90", "steps", 1, false,
               "from the first sensing of a cell to a base first knowing it, 90th percentile"},
    MetricInfo{"base_update_gap_mean", "steps", 1, false,
               "time since a base last learned of a cell, mean over the steps"},
    MetricInfo{"base_update_gap_max", "steps", 1, false,
               "time since a base last learned of a cell, maximum over the steps"},
    MetricInfo{
        "information_age_mean", "steps", 1, false,
        "age at the nearest-informed base of the newest message of each mobile robot, mean over robots and steps"},
    MetricInfo{"information_age_max", "steps", 1, false,
               "age at the nearest-informed base of the newest message of each mobile robot, maximum"},
    MetricInfo{"responsiveness_mean", "steps", 1, false,
               "age at each mobile robot of the newest message of a base, mean over robots and steps"},
    MetricInfo{"responsiveness_max", "steps", 1, false,
               "age at each mobile robot of the newest message of a base, maximum"},
    MetricInfo{"distance_m", "m", 1, true, "way driven; of the team: the sum over the robots"},
    MetricInfo{"distance_max_m", "m", 1, false, "the longest way of a robot"},
    MetricInfo{"distance_std_m", "m", 1, false, "standard deviation of the ways of the mobile robots"},
    MetricInfo{"balance", "", 1, false, "Jain index of the ways of the mobile robots: 1 when all are equal"},
    MetricInfo{"known_share", "share", 1, true, "reachable area known to the robot at the end"},
    MetricInfo{"sensed_share", "share", 1, true, "reachable area that the robot saw with its own sensors"},
    MetricInfo{"overlap", "share", 1, false, "sum of sensed_share minus the share that anybody saw"},
    MetricInfo{"redundant_sensing", "", 1, false, "overlap / the share that anybody saw"},
    MetricInfo{"efficiency", "m2/m", 1, false, "area known to the team / way driven"},
    MetricInfo{"map_complete", "share", 1, false, "team_share at the end"},
    MetricInfo{"falsely_free", "share", 1, false,
               "walls that somebody believes to be free / cells believed to be free"},
    MetricInfo{"falsely_occupied", "share", 1, false,
               "reachable free cells that somebody believes occupied and nobody free / cells believed occupied"},
    MetricInfo{"messages", "", 1, false, "messages delivered, counted once per receiver"},
    MetricInfo{"messages_lost", "", 1, false, "messages lost, counted once per receiver"},
    MetricInfo{"bytes", "B", 1, false, "bytes of the delivered messages"},
    MetricInfo{"merges", "", 1, false, "tiles of team-mates' maps that brought something new"},
    MetricInfo{"connected_share", "share", 1, false, "robot-steps in one component with a base"},
    MetricInfo{"components_mean", "", 1, false, "connected components of the communication graph, mean over the steps"},
    MetricInfo{"meetings_kept", "", 1, false, "agreed meetings kept, counted by each that came and met"},
    MetricInfo{"meetings_missed", "", 1, false, "agreed meetings to which the partner did not come"},
    MetricInfo{"meeting_wait_steps", "steps", 1, false, "time that robots stood waiting for partners"},
    MetricInfo{"role_swaps", "", 1, false, "roles taken over by another robot"},
    MetricInfo{"role_doubt_steps", "steps", 1, false, "time in which a robot was not sure who holds a role"},
    MetricInfo{"deaths", "", 1, false, "mobile robots out of service at the end"},
    MetricInfo{"return_steps", "steps", 1, false,
               "from the last cell that the team learned to the end, when all came home"},
};

// Where scans are matched.
constexpr std::array localisation_infos{
    MetricInfo{"pose_error_m", "m", 1, true, "distance of the believed from the true position, rms over the steps"},
    MetricInfo{"pose_error_max_m", "m", 1, false, "distance of the believed from the true position, maximum"},
    MetricInfo{"relative_error_m", "m", 1, false,
               "error of the believed way of 10 steps, seen from its beginning, rms over robots and steps"},
    MetricInfo{"relative_error_deg", "deg", 1, false,
               "error of the believed turn in 10 steps, rms over robots and steps"},
    MetricInfo{"lost_robots", "", 1, false, "mobile robots with a relative error above 1 m in over 1 % of their steps"},
    MetricInfo{"walls_off", "share", 1, true, "wall cells of the robot's map more than 5 cells from any true wall"},
    MetricInfo{"broken_maps", "", 1, false, "robots and bases whose walls_off is above 0.02"},
    MetricInfo{
        "paths_succeed", "share", 1, true,
        "of 100 shortest ways planned on the map of a mobile robot, those that can be driven in truth, within 5 cells "
        "of them; of the team: the least"},
    MetricInfo{"paths_found", "share", 1, true,
               "of 100 shortest ways that there are in truth, those that can be driven on the map of a mobile robot, "
               "within 5 cells of them; of the team: the least"},
    MetricInfo{
        "skeleton_true", "share", 1, true,
        "of the skeleton of the free space that the robot's map shows, what lies within 5 cells of the true one; "
        "of the team: the least"},
    MetricInfo{"skeleton_found", "share", 1, true,
               "of the true skeleton of the free space, what lies within 5 cells of that of the robot's map; of the "
               "team: the least"},
};

}  // namespace

std::span<const MetricInfo> summary_metrics() { return summary_infos; }
std::span<const MetricInfo> localisation_metrics() { return localisation_infos; }
std::span<const MetricInfo> step_metrics() { return step_infos; }

}  // namespace outrider
