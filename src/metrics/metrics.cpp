#include "metrics/metrics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "metrics/localisation_metrics.hpp"
#include "metrics/map_paths.hpp"
#include "metrics/map_skeleton.hpp"

namespace outrider {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

const MetricInfo& info(std::string_view name) {
    const auto named = [&](const MetricInfo& m) { return m.name == name; };
    const std::span<const MetricInfo> all = summary_metrics(), poses = localisation_metrics();
    const auto at = std::find_if(all.begin(), all.end(), named);
    return at != all.end() ? *at : *std::find_if(poses.begin(), poses.end(), named);
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
        for (const Happening& h : view.decisions[i].happenings)
            happenings_[static_cast<std::size_t>(h.kind)] += std::max(1, h.steps);
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
    if (coverage_.new_to_team() > 0) last_team_news_ = view.step;
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
    const double cell_m = driver_.world().lattice().cell_m, cell_area = cell_m * cell_m;
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
    double off_mean = 0;  // squares of what ways differ from the mean by
    for (std::size_t i = 0; i < team_.size(); ++i)
        if (team_[i].belief().briefing().me().mobile) {
            const double off = driver_.world().bodies()[i].travelled_m - mean;
            off_mean += off * off;
        }
    add("distance_std_m", std::sqrt(share(off_mean, mobile)));
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
    const auto happened = [&](Happening::Kind kind) {
        return static_cast<double>(happenings_[static_cast<std::size_t>(kind)]);
    };
    add("meetings_kept", happened(Happening::Kind::met));
    add("meetings_missed", happened(Happening::Kind::missed));
    add("meeting_wait_steps", happened(Happening::Kind::waited));
    add("role_swaps", happened(Happening::Kind::swapped));
    add("role_doubt_steps", happened(Happening::Kind::doubted));
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
    constexpr std::array names{"paths_succeed", "paths_found", "skeleton_true", "skeleton_found"};
    std::array<double, names.size()> least{1, 1, 1, 1};
    std::vector<SummaryValue> of_robots;
    for (std::size_t i = 0; i < team_.size(); ++i) {
        if (!team_[i].belief().briefing().me().mobile) continue;
        const World& world = driver_.world();
        const Cell body = world.lattice().cell_of(world.bodies()[i].pose.position());
        const PathShares paths = compare_paths(team_[i].belief().map(), world, body, Localisation::off_cells);
        const SkeletonShares skeletons =
            compare_skeletons(team_[i].belief().map(), world, body, Localisation::off_cells);
        const std::array shares{paths.succeed, paths.found, skeletons.true_share, skeletons.found_share};
        for (std::size_t k = 0; k < names.size(); ++k) {
            least[k] = std::min(least[k], shares[k]);
            of_robots.push_back({&info(names[k]), static_cast<RobotId>(i), shares[k]});
        }
    }
    for (std::size_t k = 0; k < names.size(); ++k) add(names[k], least[k]);
    out.insert(out.end(), of_robots.begin(), of_robots.end());
    return out;
}

}  // namespace outrider
