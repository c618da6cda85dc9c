// Robots that do not know their poses: they match scans, or have frames of their own.
#include "metrics/localisation.hpp"
#include <algorithm>
#include <array>

#include "metrics/groups/groups.hpp"
#include "metrics/rows.hpp"

namespace outrider {
namespace {

double broken_maps(Record r) {
    return count(std::count_if(r.walls_off.begin(), r.walls_off.end(),
                               [](double off) { return off > Localisation::broken_share; }));
}

double path_succeeds(Record r, std::size_t i) { return r.trials[i]->paths.succeed; }
double path_found(Record r, std::size_t i) { return r.trials[i]->paths.found; }
double skeleton_true(Record r, std::size_t i) { return r.trials[i]->skeleton.true_share; }
double skeleton_found(Record r, std::size_t i) { return r.trials[i]->skeleton.found_share; }

constexpr std::array localisation_rows{
    MetricInfo{"pose_error_m", "m", 1, "distance of the believed from the true position, rms over the steps", plain,
               [](Record r) { return r.counts<Localisation>().rms_m(); },
               [](Record r, std::size_t i) { return r.counts<Localisation>().rms_m(i); }},
    MetricInfo{"pose_error_max_m", "m", 1, "distance of the believed from the true position, maximum", plain,
               [](Record r) { return r.counts<Localisation>().largest_m(); }},
    MetricInfo{"relative_error_m", "m", 1,
               "error of the believed path of 10 steps, seen from its beginning, rms over robots and steps", plain,
               [](Record r) { return r.counts<Localisation>().relative_m(); }},
    MetricInfo{"relative_error_deg", "deg", 1, "error of the believed turn in 10 steps, rms over robots and steps",
               plain, [](Record r) { return degrees(r.counts<Localisation>().relative_rad()); }},
    MetricInfo{"lost_robots", "", 1, "mobile robots with a relative error above 1 m in over 1 % of their steps", plain,
               [](Record r) { return count(r.counts<Localisation>().lost()); }},
    MetricInfo{
        "walls_off", "share", 1, "wall cells of the robot's map more than 5 cells from any true wall", plain,
        [](Record r) { return r.walls_off.empty() ? 0 : *std::max_element(r.walls_off.begin(), r.walls_off.end()); },
        [](Record r, std::size_t i) { return r.walls_off[i]; }},
    MetricInfo{"broken_maps", "", 1, "robots and bases whose walls_off is above 0.02", plain, broken_maps},
    MetricInfo{
        "paths_succeed", "share", 1,
        "of 100 shortest paths planned on the map of a mobile robot, those that can be driven in truth, within 5 "
        "cells of them; of the team: the least",
        more | mobile, least<path_succeeds>, path_succeeds},
    MetricInfo{"paths_found", "share", 1,
               "of 100 shortest paths that there are in truth, those that can be driven on the map of a mobile robot, "
               "within 5 cells of them; of the team: the least",
               more | mobile, least<path_found>, path_found},
    MetricInfo{"skeleton_true", "share", 1,
               "of the skeleton of the free space that the robot's map shows, what lies within 5 cells of the true "
               "one; of the team: the least",
               more | mobile, least<skeleton_true>, skeleton_true},
    MetricInfo{"skeleton_found", "share", 1,
               "of the true skeleton of the free space, what lies within 5 cells of that of the robot's map; of the "
               "team: the least",
               more | mobile, least<skeleton_found>, skeleton_found},
};

std::string poses_in_words(const SummaryWords& run) {
    return fmt::format(
        "poses                {:.3f} m off (rms), {:.2f} m at most; {:.0f} robots lost, {:.0f} maps broken\n",
        run["pose_error_m"], run["pose_error_max_m"], run["lost_robots"], run["broken_maps"]);
}

}  // namespace

const MetricGroup localisation_metrics{localisation_rows, localises, make_counter<Localisation>, "", poses_in_words};

}  // namespace outrider
