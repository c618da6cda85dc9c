#include "metrics/metrics.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

#include "messages/map_payload.hpp"
#include "metrics/map_paths.hpp"
#include "metrics/map_skeleton.hpp"
#include "metrics/run_record.hpp"

namespace outrider {
namespace {

constexpr double no_value = std::numeric_limits<double>::quiet_NaN();
constexpr double same_target_m = 1;

}  // namespace

double time_to(std::span<const StepMetrics> steps, double StepMetrics::*share, double level) {
    const auto at = std::find_if(steps.begin(), steps.end(), [&](const StepMetrics& s) { return s.*share >= level; });
    return at == steps.end() ? no_value : at->step;
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
    return team > 0 ? base / team : no_value;
}

Metrics::Metrics(const SimDriver& driver, std::span<const Robot> team, const Grid<std::uint8_t>& sensable)
    : driver_(driver), team_(team), truth_(driver.world().poses(), team), coverage_(sensable, [&] {
          std::vector<bool> base;
          for (const Robot& robot : team) base.push_back(robot.belief().briefing().is_base());
          return base;
      }()) {
    if (truth_.own_frames() ||
        std::any_of(team.begin(), team.end(), [](const Robot& robot) { return robot.slam() != nullptr; }))
        localisation_.emplace(driver.world());
}

void Metrics::on_step(const StepView& view) {
    truth_.update(view.team);
    if (localisation_) localisation_->on_step(view, driver_.world(), truth_);
    coverage_.update(view, truth_);
    const Traffic& traffic = driver_.traffic();
    StepMetrics row;
    row.step = view.step;
    row.team_cells = coverage_.team();
    row.base_cells = coverage_.base();
    row.team_share = share_of(static_cast<double>(coverage_.team()), static_cast<double>(coverage_.sensable()));
    row.base_share = share_of(static_cast<double>(coverage_.base()), static_cast<double>(coverage_.sensable()));
    row.robot_cells_sum = std::accumulate(coverage_.robots().begin(), coverage_.robots().end(), std::int64_t{0});
    row.mean_robot_share =
        share_of(static_cast<double>(row.robot_cells_sum), static_cast<double>(coverage_.sensable())) /
        static_cast<double>(view.team.size());
    row.messages = traffic.messages;
    row.lost = traffic.lost;
    row.bytes = traffic.bytes;
    double longest_way = 0;
    std::vector<std::uint8_t> has_base(view.team.size()), counted(view.team.size());
    for (std::size_t i = 0; i < view.team.size(); ++i)
        if (view.percepts[i].alive && team_[i].belief().briefing().is_base())
            has_base[static_cast<std::size_t>(traffic.component[i])] = 1;
    for (std::size_t i = 0; i < view.team.size(); ++i) {
        const double way = driver_.world().bodies()[i].travelled_m;
        row.distance_m += way;
        if (team_[i].belief().briefing().me().mobile) longest_way = std::max(longest_way, way);
        if (!view.percepts[i].alive) {
            totals_.positions.leave(i);
            continue;
        }
        for (const StrategyEvent& h : view.decisions[i].strategy_events)
            totals_.strategy_events[static_cast<std::size_t>(h.kind)] += std::max(1, h.steps);
        totals_.positions.take(i, view.decisions[i].strategy_events);
        const auto component = static_cast<std::size_t>(traffic.component[i]);
        row.components += !counted[component];
        counted[component] = 1;
        if (!team_[i].belief().briefing().me().mobile) continue;
        ++row.alive;
        row.connected += has_base[component];
    }
    totals_.connected_robot_steps += row.connected;
    totals_.robot_steps += row.alive;
    if (coverage_.new_at_base() > 0) totals_.last_base_update = view.step;
    if (coverage_.new_to_team() > 0) totals_.last_team_news = view.step;
    totals_.since_update.add(view.step - totals_.last_base_update);
    add_ages(view);
    add_progress(view);
    if (truth_.own_frames()) add_frames(view);
    if (driver_.can_fail()) add_failures(view);
    for (const Percept& p : view.percepts) totals_.held_up += p.bumped;
    if (driver_.has_batteries()) add_batteries();
    if (driver_.world().ground()) add_ground();
    for (const Percept& p : view.percepts)
        for (const TeamRecord& news : p.heard_far)
            totals_.bytes_far += static_cast<std::int64_t>(SecondChannel::fixed_bytes + words_bytes(news.words));
    if (driver_.changing().any()) add_changes(view);
    totals_.orders.on_step(view);
    totals_.positions.end_step();
    if (!driver_.victims().empty() || team_.front().clears()) totals_.victims.on_step(view, driver_);
    steps_.push_back(row);
    longest_ways_.push_back(longest_way);
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
        totals_.at_robots.add(here);
        totals_.at_base.add(there);
    }
}

/// Of each mobile robot that is not done: whether it stood, had the target of another one, and saw nothing new.
void Metrics::add_progress(const StepView& view) {
    const auto& bodies = driver_.world().bodies();
    driven_m_.resize(bodies.size());
    std::vector<std::pair<FrameId, Point>> targets;
    for (std::size_t i = 0; i < team_.size(); ++i) {
        const double driven = bodies[i].travelled_m - std::exchange(driven_m_[i], bodies[i].travelled_m);
        const Belief& belief = team_[i].belief();
        if (!view.percepts[i].alive || !belief.briefing().me().mobile || view.decisions[i].done) continue;
        const auto& events = view.decisions[i].strategy_events;
        const bool waited = std::any_of(events.begin(), events.end(),
                                        [](const StrategyEvent& e) { return e.kind == StrategyEvent::Kind::waited; });
        totals_.stood += !waited && driven < 0.1 * belief.briefing().me().speed_mps * belief.briefing().step_s;
        totals_.fruitless += belief.last_discovery() < view.step;
        const TeamRecord& own = belief.latest(belief.self());
        if (own.goal) targets.emplace_back(own.frame, *own.goal);
    }
    for (const auto& own : targets)
        totals_.same_target +=
            std::count_if(targets.begin(), targets.end(), [&](const auto& other) {
                return other.first == own.first && distance(other.second, own.second) <= same_target_m;
            }) > 1;
}

/// In how many frames the robots plan.
void Metrics::add_frames(const StepView& view) {
    std::set<RobotId> leaders;
    for (const Robot& robot : team_) {
        const Briefing& briefing = robot.belief().briefing();
        if (briefing.me().mobile && view.percepts[static_cast<std::size_t>(briefing.self)].alive)
            leaders.insert(robot.map().frame().robot);
    }
    totals_.frames = static_cast<int>(leaders.size());
    if (totals_.frames != 1)
        totals_.joined_at = -1;
    else if (totals_.joined_at < 0)
        totals_.joined_at = view.step;
}

/// The changes of this step, and those that somebody has seen by now.
void Metrics::add_changes(const StepView& view) {
    const ChangingWalls& walls = driver_.changing();
    const auto anybody_believes = [&](const UnseenChange& u, bool wall) {
        const std::vector<Cell>& cells = walls.changes()[u.change].cells;
        for (std::size_t i = 0; i < team_.size(); ++i) {
            if (!view.percepts[i].alive) continue;
            const KnownMap& map = truth_.map(team_[i]);
            if (std::any_of(cells.begin(), cells.end(),
                            [&](Cell c) { return wall ? map.is_occupied(c) : map.is_free(c); }))
                return true;
        }
        return false;
    };
    std::erase_if(unseen_changes_, [&](const UnseenChange& u) {
        if (!anybody_believes(u, u.wall)) return false;
        totals_.noticed.add(view.step - u.step);
        return true;
    });
    for (const ChangingWalls::Done& done : walls.done()) {
        ++totals_.walls_changed;
        // What changes again before anybody saw it is not to be seen any more.
        const auto of_same_cells = [&](const UnseenChange& u) {
            return walls.changes()[u.change].cells == walls.changes()[done.change].cells;
        };
        std::erase_if(unseen_changes_, of_same_cells);
        const UnseenChange news{done.change, done.wall, view.step};
        if (anybody_believes(news, !done.wall)) unseen_changes_.push_back(news);
    }
}

void Metrics::add_failures(const StepView& view) {
    failing_.resize(view.team.size());
    for (std::size_t i = 0; i < view.team.size(); ++i) {
        const Faults& now = driver_.faults(static_cast<RobotId>(i));
        if (!view.percepts[i].alive && !now.dead) continue;  // by dies_at_step
        const bool limps = now.stuck || now.deaf || now.blind || now.slow, failing = limps || now.dead;
        totals_.failures += failing && !failing_[i];
        totals_.failed_steps += limps && view.percepts[i].alive;
        failing_[i] = failing;
    }
}

void Metrics::add_batteries() {
    totals_.energy_j = 0;
    totals_.stranded = totals_.charging_trips = 0;
    for (std::size_t i = 0; i < team_.size(); ++i) {
        const Battery& battery = driver_.battery(static_cast<RobotId>(i));
        totals_.energy_j += battery.used_j();
        totals_.stranded += battery.empty();
        totals_.charging_trips += battery.trips();
    }
}

/// What each robot drove since the step before.
void Metrics::add_ground() {
    for (std::size_t i = 0; i < team_.size(); ++i) {
        const Move& move = driver_.last_move(static_cast<RobotId>(i));
        if (move.delta.position() == Point{}) continue;
        totals_.driving_s += driver_.world().step_s();
        Point at = move.from.position();
        for (const Point& corner : move.way) {
            totals_.rough_m += driver_.world().ground()->rough_m(at, corner);
            at = corner;
        }
    }
}

std::vector<SummaryValue> Metrics::summary(EndReason reason, int steps_limit) const {
    const RunRecord run(steps_, longest_ways_, coverage_, driver_.world(), team_, truth_, totals_,
                        localisation_ ? &*localisation_ : nullptr, reason, steps_limit);
    std::vector<SummaryValue> out;
    for (const MetricInfo& m : summary_metrics()) {
        if (m.is(MetricInfo::matched_scans) && !localisation_) continue;
        if (m.is(MetricInfo::own_frames) && !truth_.own_frames()) continue;
        if (m.is(MetricInfo::failing) && !driver_.can_fail()) continue;
        if (m.is(MetricInfo::powered) && !driver_.has_batteries()) continue;
        if (m.is(MetricInfo::far_radio) && !driver_.has_second_channel()) continue;
        if (m.is(MetricInfo::crowded) && !driver_.crowded()) continue;
        if (m.is(MetricInfo::uneven) && !driver_.world().ground()) continue;
        if (m.is(MetricInfo::planned) && !plan_of(team_)) continue;
        if (m.is(MetricInfo::rescuing) && driver_.victims().empty()) continue;
        if (m.is(MetricInfo::positioned) && !totals_.positions.any()) continue;
        if (m.is(MetricInfo::clearing) && !team_.front().clears()) continue;
        if (m.is(MetricInfo::operated) && totals_.orders.given() == 0) continue;
        if (m.is(MetricInfo::changing) && !driver_.changing().any()) continue;
        if (m.of_team) out.push_back({&m, -1, m.of_team(run)});
        if (!m.of_robot) continue;
        for (std::size_t i = 0; i < team_.size(); ++i)
            if (!m.is(MetricInfo::mobile_only) || team_[i].belief().briefing().me().mobile)
                out.push_back({&m, static_cast<RobotId>(i), m.of_robot(run, i)});
    }
    return out;
}

}  // namespace outrider
