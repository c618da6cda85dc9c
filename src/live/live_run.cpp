#include "live/live_run.hpp"
#include "messages/operator_options.hpp"

#include <algorithm>
#include <climits>
#include <cmath>
#include <filesystem>
#include <utility>

#include "base/config.hpp"
#include "live/operator_desk.hpp"
#include "outrider/detail/settings.hpp"
#include "outrider/error.hpp"
#include "scenario/read_section.hpp"
#include "simulation/simulation.hpp"

namespace outrider {
namespace {

/// Each robot where it believes to be; those of other processes are not there.
class Shown final : public Observer {
  public:
    Shown(SimDriver& world, LiveDriver& driver) : world_(world), driver_(driver) {}
    void on_step(const StepView& view) override {
        std::vector<std::optional<Pose>> poses(view.team.size());
        for (std::size_t i = 0; i < view.team.size(); ++i)
            if (view.percepts[i].alive) poses[i] = view.team[i].belief().pose();
        world_.show(poses, driver_.links());
        driver_.show(view.team, view.decisions);
    }

  private:
    SimDriver& world_;
    LiveDriver& driver_;
};

/// The robots that orders given in this process can be for: by radio all.
std::vector<RobotId> reached_from_here(const Scenario& scenario, const std::vector<LiveMember>& members) {
    std::vector<RobotId> out;
    for (const LiveMember& member : members) out.push_back(member.robot);
    for (RobotId robot = 0; robot < static_cast<RobotId>(scenario.robots.size()); ++robot)
        if (scenario.features.get<OperatorOptions>().through == OrdersThrough::radio) out.push_back(robot);
    return out;
}

/// What robots have to be ready for, of what the topics of [live] say of others: in the log, [live] is not.
void expect_others(ConfigTable& config) {
    LiveSection live;
    if (ConfigTable* table = config.table("live")) read_section(*table, "live.", live);
    if (!live.victims.empty()) {
        config.set({"victims.unlisted", true, "live.victims"});
        config.set({"victims.replies", "operator", "live.victims"});  // nobody else knows
    }
    if (!live.mates.empty()) config.set({"body.seen", true, "live.mates"});
}

void note_batteries(const Scenario& scenario, Notes& notes) {
    const bool known = std::any_of(scenario.robots.begin(), scenario.robots.end(),
                                   [](const RobotEntry& robot) { return robot.features.any("battery"); });
    if (!scenario.live.battery.empty() && !known)
        notes.push_back("live.battery: no robot drives home to charge; expected battery.wh, what a full one holds");
}

}  // namespace

struct LiveRun::Parts {
    Parts(Scenario s, std::vector<Briefing> b, std::vector<LiveMember> members, const RelayAccess& relay,
          std::chrono::duration<double> give_up, const std::string& log_path, LogLevel level,
          const std::atomic<bool>& interrupted)
        : scenario(std::move(s)),
          briefings(std::move(b)),
          bases_alone(std::none_of(members.begin(), members.end(), [](const auto& m) { return m.vehicle != nullptr; })),
          desk(scenario, reached_from_here(scenario, members)),
          driver(briefings, scenario.live, std::move(members), relay, give_up, interrupted),
          world(make_driver(scenario)),
          shown(*world, driver),
          team(make_team(scenario, briefings, level == LogLevel::full)),
          counted(counted_cells(scenario)),
          metrics(*world, team, counted),
          run{driver, team, {&shown, &metrics}, {}} {
        if (!log_path.empty() && level != LogLevel::none) {
            log.emplace(log_path, level, scenario, briefings, *world, metrics, [this] { return driver.frames(); });
            run.observers.push_back(&*log);
        }
        run.observers.push_back(&desk.watch());
        run.limits.steps = scenario.run.steps;
        run.limits.last_order = INT_MAX;  // robots that are done go on until the others are, too
        run.limits.interrupted = &interrupted;
    }

    /// Of base stations alone: whether each robot said that it is done.
    bool all_report_done() const {
        for (const TeamRecord* mate : team.front().belief().team())
            if (team.front().belief().briefing().team()[static_cast<std::size_t>(mate->robot)].mobile &&
                (mate->seq == 0 || !mate->done))
                return false;
        return true;
    }

    /// Whether the robots of this process are done, and the others by what was heard of them in the last half minute.
    bool all_done() const {
        if (bases_alone) return all_report_done();
        const int lately = static_cast<int>(30 / scenario.run.step_s);
        bool done = true;
        for (std::size_t i = 0; i < team.size(); ++i) {
            if (!run.percepts[i].alive || !team[i].belief().briefing().me().mobile) continue;
            done = done && run.decisions[i].done;
            for (const TeamRecord* mate : team[i].belief().team())
                done = done && (mate->done || mate->robot == static_cast<RobotId>(i) || mate->seq == 0 ||
                                !team[i].belief().briefing().team()[static_cast<std::size_t>(mate->robot)].mobile ||
                                mate->step + lately < run.steps);
        }
        return done;
    }

    const Scenario scenario;
    const std::vector<Briefing> briefings;
    const bool bases_alone;  ///< no robot of this process drives
    OperatorDesk desk;
    LiveDriver driver;
    const std::unique_ptr<SimDriver> world;  // what the log shows of it
    Shown shown;
    std::vector<Robot> team;
    const Grid<std::uint8_t> counted;
    Metrics metrics;
    std::optional<LogWriter> log;
    Run run;
    int done_steps = 0;  // in a row in which all were done
};

LiveRun::LiveRun(Scenario scenario, std::vector<Briefing> briefings, std::vector<LiveMember> members,
                 const RelayAccess& relay, std::chrono::duration<double> give_up, const std::string& log_path,
                 LogLevel level, const std::atomic<bool>& interrupted)
    : parts_(std::make_unique<Parts>(std::move(scenario), std::move(briefings), std::move(members), relay, give_up,
                                     log_path, level, interrupted)) {}
LiveRun::~LiveRun() = default;

void LiveRun::obey(LiveOrders& orders) { parts_->desk.obey(orders); }

std::optional<EndReason> LiveRun::step() {
    Parts& p = *parts_;
    for (OperatorOrder& order : p.desk.due(p.run.steps, p.driver.viewers()))
        p.driver.command(order.robot, std::move(order.command), p.scenario.features.get<OperatorOptions>().through);
    auto end = outrider::step(p.run);
    if (p.bases_alone && end == EndReason::all_lost) {  // the robots are elsewhere
        end.reset();
        if (p.run.steps >= p.run.limits.steps) end = EndReason::step_limit;
    }
    if (end) return end;
    p.done_steps = p.all_done() && p.desk.over() ? p.done_steps + 1 : 0;
    if (p.done_steps >= 2) return EndReason::nothing_left;
    return {};
}

bool LiveRun::gave_up() const { return parts_->driver.gave_up(); }

void LiveRun::finish(EndReason reason) {
    Parts& p = *parts_;
    if (!p.log) return;
    std::vector<SummaryValue> summary;
    if (p.run.steps > 0) summary = p.metrics.summary(reason, p.scenario.run.steps);
    p.log->finish(reason, p.run, summary, reported_versions(p.scenario, p.team));
    std::erase(p.run.observers, &*p.log);
    p.log.reset();
}

const Run& LiveRun::progress() const { return parts_->run; }
const std::vector<Robot>& LiveRun::team() const { return parts_->team; }
const Scenario& LiveRun::scenario() const { return parts_->scenario; }
std::vector<std::string> LiveRun::take_complaints() {
    Parts& p = *parts_;
    std::vector<std::string> complaints = p.driver.take_complaints();
    for (std::string& what : p.desk.take_news(p.run.steps, p.driver.viewers())) complaints.push_back(std::move(what));
    if (p.log)
        for (const std::string& what : complaints) p.log->note(what);
    return complaints;
}

Scenario live_scenario(const std::string& path, const std::vector<Setting>& over, double room_m, Notes& notes) {
    ConfigTable config = load_config(path);
    for (const Setting& setting : over) config.set(setting);
    expect_others(config);
    const std::filesystem::path file(path);
    bool mapped = false;
    double cell_m = MapOptions{}.cell_m;
    if (ConfigTable* map = config.table("map")) {
        for (const Setting& setting : map->settings) mapped |= setting.key == "file";
        MapOptions options;
        if (!mapped) read_section(*map, "map.", options);
        cell_m = options.cell_m;
    }
    const int cells = static_cast<int>(std::ceil(room_m / cell_m));
    Scenario scenario = mapped
                            ? make_scenario(std::move(config), file.stem().string(), file.parent_path().string(), notes)
                            : make_scenario(std::move(config), file.stem().string(),
                                            Grid<std::uint8_t>(cells, cells, 0, Lattice{cell_m}), notes);
    note_batteries(scenario, notes);
    return scenario;
}

}  // namespace outrider
