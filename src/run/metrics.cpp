#include "run/metrics.hpp"

#include "run/localisation_metrics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace outrider {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Denominator of every share: free cells that can be sensed from reachable poses. Known: of those, believed to be free.
constexpr std::array step_infos{
    MetricInfo{"step", "steps", 1, false, "number of the step, from 0"},
    MetricInfo{"team_share", "share", 1, false, "reachable area known to the robots and bases in service together"},
    MetricInfo{"base_share", "share", 1, false, "reachable area known to the base stations together"},
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
    MetricInfo{"t90_team", "steps", 1, false, "the same for 90 %"},
    MetricInfo{"t95_team", "steps", 1, false, "the same for 95 %"},
    MetricInfo{"t99_team", "steps", 1, false, "the same for 99 %"},
    MetricInfo{"t50_base", "steps", 1, false, "first step at which the base knows 50 % of the reachable area"},
    MetricInfo{"t90_base", "steps", 1, false, "the same for 90 %"},
    MetricInfo{"t95_base", "steps", 1, false, "the same for 95 %"},
    MetricInfo{"t99_base", "steps", 1, false, "the same for 99 %"},
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
    MetricInfo{"latency_mean", "steps", 1, false, "from the first sensing of a cell to a base knowing it, mean"},
    MetricInfo{"latency_max", "steps", 1, false, "the same, maximum"},
    MetricInfo{"latency_p50", "steps", 1, false, "the same, median"},
    MetricInfo{"latency_p90", "steps", 1, false, "the same, 90th percentile"},
    MetricInfo{"base_update_gap_mean", "steps", 1, false,
               "time since a base last learned of a cell, mean over the steps"},
    MetricInfo{"base_update_gap_max", "steps", 1, false, "the same, maximum"},
    MetricInfo{
        "information_age_mean", "steps", 1, false,
        "age at the nearest-informed base of the newest message of each mobile robot, mean over robots and steps"},
    MetricInfo{"information_age_max", "steps", 1, false, "the same, maximum"},
    MetricInfo{"responsiveness_mean", "steps", 1, false,
               "age at each mobile robot of the newest message of a base, mean over robots and steps"},
    MetricInfo{"responsiveness_max", "steps", 1, false, "the same, maximum"},
    MetricInfo{"distance_m", "m", 1, true, "way driven; of the team: the sum over the robots"},
    MetricInfo{"distance_max_m", "m", 1, false, "the longest way of a robot"},
    MetricInfo{"distance_std_m", "m", 1, false, "standard deviation of the ways of the mobile robots"},
    MetricInfo{"balance", "", 1, false, "Jain index of the ways of the mobile robots: 1 when all are equal"},
    MetricInfo{"known_share", "share", 1, true, "reachable area known to the robot at the end"},
    MetricInfo{"sensed_share", "share", 1, true, "reachable area that the robot saw with its own sensors"},
    MetricInfo{"overlap", "share", 1, false, "sum of sensed_share minus the share that anybody saw"},
    MetricInfo{"redundant_sensing", "", 1, false, "overlap / the share that anybody saw"},
    MetricInfo{"efficiency", "m2/m", 1, false, "area known to the team / way driven"},
    MetricInfo{"map_complete", "share", 1, false, "reachable area in the union of the maps at the end"},
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
    MetricInfo{"deaths", "", 1, false, "mobile robots out of service at the end"},
    MetricInfo{"return_steps", "steps", 1, false,
               "from the last cell that the team learned to the end, when all came home"},
};

// Where scans are matched.
constexpr std::array localisation_infos{
    MetricInfo{"pose_error_m", "m", 1, true, "distance of the believed from the true position, rms over the steps"},
    MetricInfo{"pose_error_max_m", "m", 1, false, "the same, maximum"},
    MetricInfo{"relative_error_m", "m", 1, false,
               "error of the believed way of 10 steps, seen from its beginning, rms over robots and steps"},
    MetricInfo{"relative_error_deg", "deg", 1, false, "error of the turn meanwhile, rms"},
    MetricInfo{"lost_robots", "", 1, false, "mobile robots with a relative error above 1 m in over 1 % of their steps"},
    MetricInfo{"walls_off", "share", 1, true, "wall cells of the robot's map more than 5 cells from any true wall"},
    MetricInfo{"broken_maps", "", 1, false, "robots and bases whose walls_off is above 0.02"},
};

const MetricInfo& info(std::string_view name) {
    const auto named = [&](const MetricInfo& m) { return m.name == name; };
    const auto at = std::find_if(summary_infos.begin(), summary_infos.end(), named);
    return at != summary_infos.end() ? *at : *std::find_if(localisation_infos.begin(), localisation_infos.end(), named);
}

/// Cells of the union of all maps, against the truth.
struct Accuracy {
    std::int64_t free = 0, occupied = 0, falsely_free = 0, falsely_occupied = 0;
};

Accuracy compare_with_truth(const World& world, const TileTable<BitTile>& sensable, std::span<const Robot> team) {
    TileTable<BitTile> free, occupied;
    for (const Robot& robot : team)
        robot.belief().map().cells().for_each([&](TileCoord t, const CellTile& tile) {
            BitTile &f = free.at(t), &o = occupied.at(t);
            for (int row = 0; row < tile_size; ++row) {
                f.rows[static_cast<std::size_t>(row)] |= tile.free_row(row);
                o.rows[static_cast<std::size_t>(row)] |= tile.occupied.rows[static_cast<std::size_t>(row)];
            }
        });
    Accuracy sum;
    free.for_each([&](TileCoord t, const BitTile& f) {
        const BitTile& o = *occupied.find(t);
        const BitTile* reachable = sensable.find(t);
        for (int row = 0; row < tile_size; ++row) {
            const auto i = static_cast<std::size_t>(row);
            const std::uint64_t only_occupied = o.rows[i] & ~f.rows[i];
            sum.free += std::popcount(f.rows[i]);
            sum.occupied += std::popcount(only_occupied);
            if (reachable) sum.falsely_occupied += std::popcount(only_occupied & reachable->rows[i]);
            for (std::uint64_t bits = f.rows[i] & ~(reachable ? reachable->rows[i] : 0); bits; bits &= bits - 1)
                sum.falsely_free += world.field().wall(cell_of(t, std::countr_zero(bits), row));
        }
    });
    return sum;
}

double share(double part, double whole) { return whole > 0 ? part / whole : 0; }

}  // namespace

std::span<const MetricInfo> summary_metrics() { return summary_infos; }
std::span<const MetricInfo> localisation_metrics() { return localisation_infos; }
std::span<const MetricInfo> step_metrics() { return step_infos; }

double time_to(std::span<const StepMetrics> steps, double StepMetrics::*share, double level) {
    const auto at = std::find_if(steps.begin(), steps.end(), [&](const StepMetrics& s) { return s.*share >= level; });
    return at == steps.end() ? nan : at->step;
}

double mean_share(std::span<const StepMetrics> steps, double StepMetrics::*share, int limit) {
    if (steps.empty() || limit <= 0) return 0;
    double sum = 0;
    for (const StepMetrics& s : steps) sum += s.*share;
    sum += std::max(0.0, limit - static_cast<double>(steps.size())) * steps.back().*share;
    return sum / std::max<double>(limit, static_cast<double>(steps.size()));
}

double base_awareness(std::span<const StepMetrics> steps, double low, double high) {
    double base = 0, team = 0, last_team = 0, last_base = 0;
    for (const StepMetrics& s : steps) {
        // The part of this step's growth that lies in the band, by the trapezoidal rule; shares interpolated linearly.
        const double a = std::clamp(last_team, low, high), b = std::clamp(s.team_share, low, high);
        if (b > a) {
            const auto base_at = [&](double t) {
                return last_base + (s.base_share - last_base) * (t - last_team) / (s.team_share - last_team);
            };
            base += (b - a) * (base_at(a) + base_at(b)) / 2;
            team += (b - a) * (a + b) / 2;
        }
        last_team = s.team_share;
        last_base = s.base_share;
    }
    return team > 0 ? base / team : nan;
}

Metrics::Metrics(const SimDriver& driver, std::span<const Robot> team, const Grid<std::uint8_t>& sensable)
    : driver_(driver), team_(team), coverage_(sensable, [&] {
          std::vector<bool> base;
          for (const Robot& robot : team) base.push_back(robot.belief().briefing().is_base());
          return base;
      }()) {
    if (std::any_of(team.begin(), team.end(), [](const Robot& robot) { return robot.slam() != nullptr; }))
        localisation_.emplace(driver.world());
}

void Metrics::on_step(const StepView& view) {
    const std::int64_t team_before = coverage_.team();
    if (localisation_) localisation_->on_step(view, driver_.world());
    coverage_.update(view);
    const Traffic& traffic = driver_.traffic();
    StepMetrics row;
    row.step = view.step;
    row.team_cells = coverage_.team();
    row.base_cells = coverage_.base();
    row.team_share = share(static_cast<double>(coverage_.team()), static_cast<double>(coverage_.sensable()));
    row.base_share = share(static_cast<double>(coverage_.base()), static_cast<double>(coverage_.sensable()));
    row.robot_cells_sum = std::accumulate(coverage_.robots().begin(), coverage_.robots().end(), std::int64_t{0});
    row.messages = traffic.messages;
    row.lost = traffic.lost;
    row.bytes = traffic.bytes;
    std::vector<std::uint8_t> has_base(view.team.size()), counted(view.team.size());
    for (std::size_t i = 0; i < view.team.size(); ++i)
        if (view.percepts[i].alive && team_[i].belief().briefing().is_base())
            has_base[static_cast<std::size_t>(traffic.component[i])] = 1;
    for (std::size_t i = 0; i < view.team.size(); ++i) {
        row.distance_m += driver_.world().bodies()[i].travelled_m;
        if (!view.percepts[i].alive) continue;
        const auto component = static_cast<std::size_t>(traffic.component[i]);
        row.components += !counted[component];
        counted[component] = 1;
        if (!team_[i].belief().briefing().me().mobile) continue;
        ++row.alive;
        row.connected += has_base[component];
    }
    connected_robot_steps_ += row.connected;
    robot_steps_ += row.alive;
    if (coverage_.new_at_base() > 0) last_base_update_ = view.step;
    if (coverage_.team() > team_before) last_team_news_ = view.step;
    since_update_.add(view.step - last_base_update_);
    add_ages(view);
    steps_.push_back(row);
}

/// How old the newest message of a base is at each robot, and of each robot at the bases.
void Metrics::add_ages(const StepView& view) {
    const auto age = [&](const Robot& at, RobotId of) {
        const TeamRecord& record = at.belief().latest(of);
        return record.seq > 0 ? view.step - record.step : view.step + 1;
    };
    for (std::size_t i = 0; i < team_.size(); ++i) {
        if (!view.percepts[i].alive || !team_[i].belief().briefing().me().mobile) continue;
        int here = view.step + 1, there = view.step + 1;
        bool any = false;
        for (std::size_t b = 0; b < team_.size() && team_[b].belief().briefing().is_base(); ++b) {
            any = true;
            here = std::min(here, age(team_[i], static_cast<RobotId>(b)));
            there = std::min(there, age(team_[b], static_cast<RobotId>(i)));
        }
        if (!any) continue;
        at_robots_.add(here);
        at_base_.add(there);
    }
}

std::vector<SummaryValue> Metrics::summary(EndReason reason, int steps_limit) const {
    std::vector<SummaryValue> out;
    const auto add = [&](std::string_view name, double value) { out.push_back({&info(name), -1, value}); };
    const auto add_robots = [&](std::string_view name, auto value) {
        for (std::size_t i = 0; i < team_.size(); ++i) out.push_back({&info(name), static_cast<RobotId>(i), value(i)});
    };
    const double cell_area = std::pow(driver_.world().lattice().cell_m, 2.0);
    const auto whole = static_cast<double>(coverage_.sensable());
    const StepMetrics last = steps_.empty() ? StepMetrics{} : steps_.back();

    add("steps", static_cast<double>(steps_.size()));
    for (const auto& [level, name] : {std::pair{0.5, "50"}, {0.9, "90"}, {0.95, "95"}, {0.99, "99"}}) {
        add(fmt::format("t{}_team", name), time_to(steps_, &StepMetrics::team_share, level));
        add(fmt::format("t{}_base", name), time_to(steps_, &StepMetrics::base_share, level));
    }
    add("final_team", last.team_share);
    add("final_base", last.base_share);
    add("area_left_m2", static_cast<double>(area_left_cells()) * cell_area);
    add("auc_team", mean_share(steps_, &StepMetrics::team_share, steps_limit));
    add("auc_base", mean_share(steps_, &StepMetrics::base_share, steps_limit));
    add("base_awareness", base_awareness(steps_, 0.20, 0.75));

    const Counts& latency = coverage_.latencies();
    const auto percentile = [&](double p) { return latency.all() == 0 ? nan : latency.percentile(p); };
    add("latency_mean", latency.all() == 0 ? nan : latency.mean());
    add("latency_max", percentile(1));
    add("latency_p50", percentile(0.5));
    add("latency_p90", percentile(0.9));
    add("base_update_gap_mean", since_update_.mean());
    add("base_update_gap_max", since_update_.max);
    add("information_age_mean", at_base_.mean());
    add("information_age_max", at_base_.max);
    add("responsiveness_mean", at_robots_.mean());
    add("responsiveness_max", at_robots_.max);

    double sum = 0, squares = 0, longest = 0;
    int mobile = 0, dead = 0;
    for (std::size_t i = 0; i < team_.size(); ++i) {
        if (!team_[i].belief().briefing().me().mobile) continue;
        const double d = driver_.world().bodies()[i].travelled_m;
        sum += d;
        squares += d * d;
        longest = std::max(longest, d);
        ++mobile;
        dead += !driver_.world().bodies()[i].alive;
    }
    add("distance_m", sum);
    add_robots("distance_m", [&](std::size_t i) { return driver_.world().bodies()[i].travelled_m; });
    add("distance_max_m", longest);
    const double mean = share(sum, mobile);
    add("distance_std_m", std::sqrt(std::max(0.0, share(squares, mobile) - mean * mean)));
    add("balance", squares > 0 ? sum * sum / (mobile * squares) : 1);

    add_robots("known_share", [&](std::size_t i) { return share(static_cast<double>(coverage_.robots()[i]), whole); });
    add_robots("sensed_share", [&](std::size_t i) { return share(static_cast<double>(coverage_.sensed()[i]), whole); });
    const double seen_by_each =
        static_cast<double>(std::accumulate(coverage_.sensed().begin(), coverage_.sensed().end(), std::int64_t{0}));
    const auto seen_by_any = static_cast<double>(coverage_.sensed_by_any());
    add("overlap", share(seen_by_each - seen_by_any, whole));
    add("redundant_sensing", share(seen_by_each - seen_by_any, seen_by_any));
    add("efficiency", sum > 0 ? last.team_share * whole * cell_area / sum : 0);

    const Accuracy accuracy = compare_with_truth(driver_.world(), coverage_.sensable_plane(), team_);
    add("map_complete", last.team_share);
    add("falsely_free", share(static_cast<double>(accuracy.falsely_free), static_cast<double>(accuracy.free)));
    add("falsely_occupied",
        share(static_cast<double>(accuracy.falsely_occupied), static_cast<double>(accuracy.occupied)));

    double messages = 0, lost = 0, bytes = 0, components = 0;
    for (const StepMetrics& s : steps_) {
        messages += static_cast<double>(s.messages);
        lost += static_cast<double>(s.lost);
        bytes += static_cast<double>(s.bytes);
        components += s.components;
    }
    std::uint64_t merges = 0;
    for (const Robot& robot : team_) merges += robot.belief().map().counters().tiles_merged;
    add("messages", messages);
    add("messages_lost", lost);
    add("bytes", bytes);
    add("merges", static_cast<double>(merges));
    add("connected_share", share(static_cast<double>(connected_robot_steps_), static_cast<double>(robot_steps_)));
    add("components_mean", share(components, static_cast<double>(steps_.size())));
    add("deaths", dead);
    add("return_steps", reason == EndReason::all_home ? last.step - last_team_news_ : nan);
    if (!localisation_) return out;
    add("pose_error_m", localisation_->rms_m());
    add_robots("pose_error_m", [&](std::size_t i) { return localisation_->rms_m(i); });
    add("pose_error_max_m", localisation_->largest_m());
    add("relative_error_m", localisation_->relative_m());
    add("relative_error_deg", degrees(localisation_->relative_rad()));
    add("lost_robots", localisation_->lost());
    std::vector<double> off;
    for (const Robot& robot : team_) off.push_back(walls_off(robot.belief().map(), driver_.world()));
    add("walls_off", off.empty() ? 0 : *std::max_element(off.begin(), off.end()));
    add_robots("walls_off", [&](std::size_t i) { return off[i]; });
    add("broken_maps", static_cast<double>(std::count_if(off.begin(), off.end(), [](double share_off) {
            return share_off > Localisation::broken_share;
        })));
    return out;
}

}  // namespace outrider
