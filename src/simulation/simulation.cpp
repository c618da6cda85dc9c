#include "simulation/simulation.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <thread>

#include "base/parallel.hpp"
#include "base/programs.hpp"
#include "log/log_writer.hpp"
#include "metrics/metrics.hpp"
#include "metrics/standstill.hpp"
#include "robot/registry.hpp"
#include "robot/remote.hpp"
#include "robot/robot.hpp"
#include "run/run.hpp"
#include "scenario/feature.hpp"
#include "scenario/provenance.hpp"
#include "simulator/sim_driver.hpp"
#include "world/sensable.hpp"

namespace outrider {
namespace {

int choose_threads(int wanted, std::size_t robots) {
    if (wanted > 0) return wanted;
    const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    return std::clamp(static_cast<int>(robots) / 16, 1, cores);
}

/// A full log holds what the strategies show.
bool always_overlays(const SimulationOptions& options) {
    return options.overlays || (!options.log_path.empty() && options.log_level == LogLevel::full);
}

std::shared_ptr<const Grid<std::uint8_t>> sensable_on(std::shared_ptr<const Terrain> terrain, const Scenario& s) {
    std::vector<Explorer> explorers;
    for (std::size_t i = 0; i < s.robots.size(); ++i)
        if (const RobotEntry& r = s.robots[i]; r.body.speed_mps > 0)
            explorers.push_back({s.start_cell(i) - s.team_origin(), r.body.radius_m, r.sees_m()});
    return sensable_cells(std::move(terrain), explorers);
}

/// The cells of one grid that are in the other, too; both are of the same size, whatever their frames.
std::shared_ptr<const Grid<std::uint8_t>> common(Grid<std::uint8_t> cells, const Grid<std::uint8_t>& others) {
    for (std::size_t i = 0; i < cells.cells().size(); ++i)
        if (!others.cells()[i]) cells.cells()[i] = 0;
    return std::make_shared<const Grid<std::uint8_t>>(std::move(cells));
}

/// Where the world changes, all that can be free counts.
std::shared_ptr<const Grid<std::uint8_t>> sensable_in(const SimDriver& driver, const Scenario& s) {
    const Cell origin = Cell{} - s.team_origin();
    if (!has_part(s, "changing_walls")) return sensable_on(Terrain::of(s.walls, origin), s);
    Grid<std::uint8_t> walls = s.walls;
    walls.set_origin(origin);
    for (const auto& part : driver.parts()) part->open_up(walls);
    return sensable_on(Terrain::of(walls, origin), s);
}

/// Of these, what measures count.
std::shared_ptr<const Grid<std::uint8_t>> counted_of(std::shared_ptr<const Grid<std::uint8_t>> sensable,
                                                     const Scenario& s) {
    for (const ScenarioFeature& feature : scenario_features())
        if (const auto counted = feature.counted ? feature.counted(s) : nullptr) sensable = common(*sensable, *counted);
    return sensable;
}

}  // namespace

std::shared_ptr<const Grid<std::uint8_t>> sensable_cells(const Scenario& s) { return sensable_in(*make_driver(s), s); }
Grid<std::uint8_t> counted_cells(const Scenario& s) { return *counted_of(sensable_in(*make_driver(s), s), s); }

namespace {

std::vector<Boxed<OrderSource>> make_order_sources(const Scenario& s, const SimDriver& driver) {
    std::vector<Boxed<OrderSource>> out;
    for (const ScenarioFeature& feature : scenario_features())
        if (auto source = feature.orders ? feature.orders(s, driver) : nullptr) out.push_back(std::move(source));
    return out;
}

}  // namespace

struct Simulation::Parts {
    Parts(Scenario scenario_, const SimulationOptions& options_);
    /// In a WholeCopy. Throws CannotCopy.
    Parts(const Parts& other);
    /// Whoever decides for the robots; those that are remote are remembered.
    std::vector<Robot> make_robots();
    void set_stop_rule();
    void give_orders();
    void command(RobotId robot, OperatorCommand order);
    template <class Step>
    void decide_and_act(Step&& step);

    const std::shared_ptr<const Scenario> shared_scenario;
    const Scenario& scenario;
    SimulationOptions options;
    const std::unique_ptr<SimDriver> driver;
    const std::vector<Boxed<OrderSource>> order_sources;
    const std::shared_ptr<const std::vector<Briefing>> shared_briefings;
    const std::vector<Briefing>& briefings;
    std::map<RobotId, std::shared_ptr<RemoteStrategy::Slot>> remote;
    std::vector<Robot> team;
    const std::shared_ptr<const Grid<std::uint8_t>> sensable, counted;
    Metrics metrics;
    Standstills standstills;
    std::unique_ptr<LogWriter> log;
    const std::shared_ptr<ThreadLimit::Arena> threads;
    Run run;
    std::optional<EndReason> end;
};

Simulation::Parts::Parts(Scenario scenario_, const SimulationOptions& options_)
    : shared_scenario(std::make_shared<const Scenario>(std::move(scenario_))),
      scenario(*shared_scenario),
      options(options_),
      driver(make_driver(scenario)),
      order_sources(make_order_sources(scenario, *driver)),
      shared_briefings(std::make_shared<const std::vector<Briefing>>(make_briefings(scenario))),
      briefings(*shared_briefings),
      team(make_robots()),
      sensable(sensable_in(*driver, scenario)),
      counted(counted_of(sensable, scenario)),
      metrics(*driver, team, *counted),
      standstills(*driver, scenario.team_origin_m()),
      threads(get_threads(choose_threads(options.threads, team.size()))),
      run{*driver, team, {&metrics, &standstills}, {}} {
    if (!options.log_path.empty() && options.log_level != LogLevel::none) {
        log = std::make_unique<LogWriter>(options.log_path, options.log_level, scenario, briefings, *driver, metrics);
        run.observers.push_back(log.get());
    }
    run.limits.steps = options.stop_after > 0 ? std::min(options.stop_after, scenario.run.steps) : scenario.run.steps;
    run.limits.interrupted = options.interrupted;
    set_stop_rule();
    for (const OperatorOrder& order : options.orders)
        run.limits.last_order = std::max(run.limits.last_order, order.step);
    give_orders();
}

Simulation::Parts::Parts(const Parts& other)
    : shared_scenario(other.shared_scenario),
      scenario(*shared_scenario),
      options(other.options),
      driver(std::make_unique<SimDriver>(*other.driver)),
      order_sources(other.order_sources),
      shared_briefings(other.shared_briefings),
      briefings(*shared_briefings),
      team(other.team),
      sensable(other.sensable),
      counted(other.counted),
      metrics(other.metrics, *driver, team),
      standstills(other.standstills, *driver),
      threads(other.threads),
      run(other.run.on(*driver, team, {&metrics, &standstills})),
      end(other.end) {
    options.log_path.clear();
    for (const auto& [robot, slot] : other.remote) remote[robot] = WholeCopy::now()->of(slot);
    for (std::size_t i = 0; i < team.size(); ++i) {
        if (run.perceived_cpu_s && run.percepts[i].alive) team[i].perceives_in(run.percepts[i]);
        team[i].want_overlays(always_overlays(options));
    }
    set_stop_rule();
}

void Simulation::Parts::set_stop_rule() {
    const auto share = scenario.stop.of == StopOf::base ? &StepMetrics::base_share : &StepMetrics::team_share;
    if (scenario.stop.of != StopOf::none)
        run.limits.stop_rule = [this, share] {
            if (scenario.stop.of == StopOf::joined && frames_of(team, run.percepts) > 1) return false;
            const double known = metrics.steps().back().*share;
            const double area_m2 =
                static_cast<double>(metrics.coverage().sensable()) * std::pow(scenario.map.cell_m, 2.0);
            return known >= scenario.stop.fraction || (1 - known) * area_m2 < scenario.stop.left_m2;
        };
}

std::vector<Robot> Simulation::Parts::make_robots() {
    return make_team(
        scenario, briefings, always_overlays(options), [this](const Briefing& briefing, const std::string& text) {
            std::unique_ptr<Strategy> strategy = options.strategies ? options.strategies(briefing, text) : nullptr;
            if (const std::string program = strategy ? "" : program_of(text, briefing.me().name); !program.empty())
                expect_allowed(program, fmt::format("{}: robot '{}'", scenario.name, briefing.me().name));
            if (!strategy) strategy = make_strategy(text, briefing.me().name, scenario.map.cell_m);
            if (const auto* strategy_slot = dynamic_cast<const RemoteStrategy*>(strategy.get()))
                remote[briefing.self] = strategy_slot->slot();
            return strategy;
        });
}

/// The orders of the next step.
void Simulation::Parts::give_orders() {
    for (const OperatorOrder& order : options.orders)
        if (order.step == run.steps) command(order.robot, order.command);
    if (run.steps == 0) return;
    for (const auto& source : order_sources)
        for (OperatorCommand& order : source->orders(last_step(run))) driver->command(0, std::move(order));
}

/// A log holds the orders of those who give them anew, too.
void Simulation::Parts::command(RobotId robot, OperatorCommand order) {
    if (std::none_of(order_sources.begin(), order_sources.end(), [&](const auto& s) { return s->gives(order); }))
        driver->command(robot, std::move(order));
}

/// Runs a step, or its second half; robots that somebody will ask why they stand still show their reasons.
template <class Step>
void Simulation::Parts::decide_and_act(Step&& step) {
    const ThreadLimit limit(threads);
    const std::vector<RobotId> asked = standstills.asked();
    const auto show_reasons = [&](bool wanted) {
        if (always_overlays(options)) return;
        for (const RobotId robot : asked) team[static_cast<std::size_t>(robot)].want_overlays(wanted);
    };
    show_reasons(true);
    end = step(run);
    show_reasons(false);
    give_orders();
    if (end == EndReason::step_limit && scenario.script && run.steps == static_cast<int>(scenario.script->steps.size()))
        end = EndReason::log_ended;
}

Simulation::Simulation(Scenario scenario, const SimulationOptions& options)
    : parts_(std::make_unique<Parts>(std::move(scenario), options)) {}
Simulation::Simulation(ScenarioMaker make, std::uint64_t seed, const SimulationOptions& options)
    : make_(std::make_shared<const ScenarioMaker>(std::move(make))),
      parts_(std::make_unique<Parts>((*make_)(seed), options)) {}
Simulation::Simulation(std::shared_ptr<const ScenarioMaker> make, std::unique_ptr<Parts> parts)
    : make_(std::move(make)), parts_(std::move(parts)) {}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

std::optional<Simulation> Simulation::copy() const {
    if (parts_->options.strategies) return {};  // it may refer to what is not part of the run
    std::optional<WholeCopy> copy;
    if (!WholeCopy::now()) copy.emplace();
    try {
        return Simulation(make_, std::make_unique<Parts>(*parts_));
    } catch (const CannotCopy&) {
        return {};
    }
}

void Simulation::step() {
    OUTRIDER_CHECK(done(), ==, false);
    OUTRIDER_CHECK(perceived(), ==, false);
    parts_->decide_and_act([](Run& run) { return outrider::step(run); });
}

void Simulation::perceive() {
    OUTRIDER_CHECK(done(), ==, false);
    OUTRIDER_CHECK(perceived(), ==, false);
    const ThreadLimit limit(parts_->threads);
    if (!outrider::perceive(parts_->run)) parts_->end = EndReason::log_ended;
}

void Simulation::act() {
    OUTRIDER_CHECK(done(), ==, false);
    parts_->decide_and_act([](Run& run) { return outrider::act(run); });
}

bool Simulation::perceived() const { return parts_->run.perceived_cpu_s.has_value(); }

bool Simulation::done() const { return parts_->end.has_value(); }
std::optional<EndReason> Simulation::end() const { return parts_->end; }

EndReason Simulation::finish() {
    Parts& p = *parts_;
    if (!p.end) p.end = EndReason::interrupted;
    if (p.run.steps > 0) p.standstills.close(last_step(p.run));
    if (p.log) {
        // Stopped before the limit that the log's scenario names.
        const bool cut = *p.end == EndReason::step_limit && p.run.steps < p.scenario.run.steps;
        const EndReason logged = cut ? EndReason::interrupted : *p.end;
        p.log->finish(logged, p.run, p.metrics.summary(logged, p.scenario.run.steps),
                      reported_versions(p.scenario, p.run.team));
        std::erase(p.run.observers, p.log.get());
        p.log = nullptr;
    }
    return *p.end;
}

EndReason Simulation::run() {
    while (!done()) step();
    return finish();
}

void Simulation::reset(std::uint64_t seed) {
    finish();
    SimulationOptions options = parts_->options;
    options.log_path.clear();
    Scenario scenario = make_ ? (*make_)(seed) : redrawn(parts_->scenario, seed);
    parts_ = std::make_unique<Parts>(std::move(scenario), options);  // the old ones go last: the map is still there
}

void Simulation::add_observer(Observer& observer) { parts_->run.observers.push_back(&observer); }
void Simulation::command(RobotId robot, OperatorCommand command) { parts_->command(robot, std::move(command)); }
void Simulation::expect_orders(int last_step) {
    int& last = parts_->run.limits.last_order;
    last = std::max(last, last_step);
}
void Simulation::note(const std::string& text) {
    if (parts_->log) parts_->log->note(text);
}
void Simulation::set_intent(RobotId robot, Intent intent) {
    const auto at = parts_->remote.find(robot);
    if (at != parts_->remote.end()) {
        at->second->intent = std::move(intent);
        return;
    }
    const std::vector<RobotEntry>& robots = parts_->scenario.robots;
    if (robot < 0 || robot >= std::ssize(robots)) fail("robot {}: expected 0 to {}", robot, robots.size() - 1);
    const RobotEntry& entry = robots[static_cast<std::size_t>(robot)];
    fail("robot '{}' decides for itself (strategy {}); its intent can be set when its strategy is remote", entry.name,
         entry.strategy);
}

const Scenario& Simulation::scenario() const { return parts_->scenario; }
const SimDriver& Simulation::driver() const { return *parts_->driver; }
const std::vector<Robot>& Simulation::team() const { return parts_->team; }
const std::vector<Briefing>& Simulation::briefings() const { return parts_->briefings; }
const Metrics& Simulation::metrics() const { return parts_->metrics; }
const std::vector<Standstill>& Simulation::standstills() const { return parts_->standstills.list(); }
const Run& Simulation::progress() const { return parts_->run; }
const Grid<std::uint8_t>& Simulation::sensable() const { return *parts_->sensable; }
const Grid<std::uint8_t>& Simulation::counted() const { return *parts_->counted; }

}  // namespace outrider
