#include "metrics/metrics.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "metrics/run_record.hpp"

namespace outrider {
namespace {

constexpr double no_value = std::numeric_limits<double>::quiet_NaN();
constexpr double same_target_m = 1;
constexpr double explored_share = 0.99;

/// Cells of a band as wide as a robot sees to both sides and as long as it drives in a step.
double cells_swept(const Briefing& robot) {
    double range_m = 0;
    for (const SensorSpec& sensor : robot.sensors) range_m = std::max(range_m, sensor.max_range_m);
    return 2 * range_m * robot.me().speed_mps * robot.step_s / (robot.lattice.cell_m * robot.lattice.cell_m);
}

bool applies(const MetricGroup& group, const Measured& run) { return !group.applies || group.applies(run); }

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
    : driver_(&driver), team_(team), truth_(driver.world().poses(), team), coverage_(sensable, [&] {
          std::vector<bool> base;
          for (const Robot& robot : team) base.push_back(robot.belief().briefing().is_base());
          return base;
      }()) {
    const Measured run = measured();
    for (const MetricGroup* group : metric_groups())
        counters_.push_back(group->counter && applies(*group, run) ? group->counter(run) : nullptr);
}

Metrics::Metrics(const Metrics& other, const SimDriver& driver, std::span<const Robot> team) : Metrics(other) {
    driver_ = &driver;
    team_ = team;
    for (const auto& counter : counters_)
        if (counter) counter->count_in(measured());
}

void Metrics::on_step(const StepView& view) {
    truth_.update(view.team);
    coverage_.update(view, truth_);
    const Traffic& traffic = driver_->traffic();
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
    double longest_path = 0;
    std::vector<std::uint8_t> has_base(view.team.size()), counted(view.team.size());
    for (std::size_t i = 0; i < view.team.size(); ++i)
        if (view.percepts[i].alive && team_[i].belief().briefing().is_base())
            has_base[static_cast<std::size_t>(traffic.component[i])] = 1;
    for (std::size_t i = 0; i < view.team.size(); ++i) {
        const double travelled = driver_->world().bodies()[i].travelled_m;
        row.distance_m += travelled;
        if (team_[i].belief().briefing().me().mobile) longest_path = std::max(longest_path, travelled);
        if (!view.percepts[i].alive) continue;
        for (const StrategyEvent& h : view.decisions[i].strategy_events)
            totals_.strategy_events[static_cast<std::size_t>(h.kind)] += std::max(1, h.steps);
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
    add_progress(view, row);
    for (const auto& counter : counters_)
        if (counter) counter->on_step(view);
    steps_.push_back(row);
    longest_paths_.push_back(longest_path);
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

/// Of each mobile robot that is not done: whether it stood, had the target of another one, and saw nothing new. Until
/// the area is explored also what it spent the step on.
void Metrics::add_progress(const StepView& view, const StepMetrics& row) {
    const auto& bodies = driver_->world().bodies();
    driven_m_.resize(bodies.size());
    std::vector<std::pair<FrameId, Point>> targets;
    struct Step {
        std::size_t robot;
        Spent cause;  // as far as it is known without the others
        bool saw_news = false;
        std::optional<std::size_t> target{};  // in `targets`
    };
    std::vector<Step> spent;
    for (std::size_t i = 0; i < team_.size(); ++i) {
        const double driven = bodies[i].travelled_m - std::exchange(driven_m_[i], bodies[i].travelled_m);
        const Belief& belief = team_[i].belief();
        if (!belief.briefing().me().mobile) continue;
        if (!view.percepts[i].alive || view.decisions[i].done) {
            spent.push_back({i, Spent::still});
            continue;
        }
        const auto& events = view.decisions[i].strategy_events;
        const bool waited = std::any_of(events.begin(), events.end(),
                                        [](const StrategyEvent& e) { return e.kind == StrategyEvent::Kind::waited; });
        const bool stands = driven < 0.1 * belief.briefing().me().speed_mps * belief.briefing().step_s;
        totals_.stood += !waited && stands;
        totals_.fruitless += belief.last_discovery() < view.step;
        const TeamRecord& own = belief.latest(belief.self());
        const auto& bases = belief.briefing().bases;
        const bool homeward = own.goal && std::any_of(bases.begin(), bases.end(), [&](const auto& base) {
                                  return distance(base.second.position(), *own.goal) <= same_target_m;
                              });
        spent.push_back({i,
                         stands     ? Spent::still
                         : homeward ? Spent::homeward
                                    : Spent::onward,
                         belief.last_discovery() >= view.step});
        if (!own.goal) continue;
        spent.back().target = targets.size();
        targets.emplace_back(own.frame, *own.goal);
    }
    std::vector<bool> shared;  // by target
    for (const auto& own : targets) {
        shared.push_back(std::count_if(targets.begin(), targets.end(), [&](const auto& other) {
                             return other.first == own.first && distance(other.second, own.second) <= same_target_m;
                         }) > 1);
        totals_.same_target += shared.back();
    }
    const bool first = steps_.empty();
    if (!first && steps_.back().team_share >= explored_share) return;
    const auto finders = std::count_if(spent.begin(), spent.end(), [](const Step& step) { return step.saw_news; });
    const double news = first ? 0 : std::max(0.0, static_cast<double>(row.team_cells - steps_.back().team_cells));
    for (const Step& step : spent) {
        const bool again = totals_.spent.drove_here_before(step.robot, bodies[step.robot].pose.position());
        if (first) continue;  // T99 is the number of steps after it
        const double swept = cells_swept(team_[step.robot].belief().briefing());
        const double sensed =
            step.saw_news && swept > 0 ? std::min(1.0, news / static_cast<double>(finders) / swept) : 0;
        const bool onward = step.cause == Spent::onward;
        totals_.spent.add(onward && step.target && shared[*step.target] ? Spent::together
                          : onward && again                             ? Spent::back
                                                                        : step.cause,
                          sensed);
    }
}

std::vector<SummaryValue> Metrics::summary(EndReason reason, int steps_limit) const {
    const RunRecord run(steps_, longest_paths_, coverage_, measured(), totals_, counters_, reason, steps_limit);
    std::vector<const MetricGroup*> shown;
    for (std::size_t k = 0; k < counters_.size(); ++k) {
        const MetricGroup& group = *metric_groups()[k];
        if (applies(group, measured()) && (!counters_[k] || counters_[k]->any())) shown.push_back(&group);
    }
    std::vector<SummaryValue> out;
    for (const MetricInfo& m : summary_metrics()) {
        if (std::find(shown.begin(), shown.end(), m.group) == shown.end()) continue;
        if (m.of_team) out.push_back({&m, -1, m.of_team(run)});
        if (!m.of_robot) continue;
        for (std::size_t i = 0; i < team_.size(); ++i)
            if (!m.is(MetricInfo::mobile_only) || team_[i].belief().briefing().me().mobile)
                out.push_back({&m, static_cast<RobotId>(i), m.of_robot(run, i)});
    }
    return out;
}

}  // namespace outrider
