#include "learning/episode.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "metrics/metrics.hpp"
#include "robot/registry.hpp"
#include "robot/robot.hpp"
#include "run/run.hpp"

namespace outrider {

/// Several native strategies, of which one decides.
class SwitchedStrategy final : public Strategy {
  public:
    SwitchedStrategy(const std::vector<std::string>& names, double cell_m) {
        for (const std::string& name : names) strategies_.push_back(make_strategy(name, "strategies", cell_m));
    }
    void use(std::size_t k) { now_ = k; }
    Intent choose(const Belief& belief, Rng& rng) override { return strategies_[now_]->choose(belief, rng); }

  private:
    std::vector<std::unique_ptr<Strategy>> strategies_;
    std::size_t now_ = 0;
};

namespace {

bool finished(EndReason end) {
    return end == EndReason::stop_rule || end == EndReason::nothing_left || end == EndReason::all_home;
}

}  // namespace

std::vector<RobotId> agents_of(const Scenario& scenario) {
    std::vector<RobotId> agents;
    for (std::size_t i = 0; i < scenario.robots.size(); ++i)
        if (strategy_name(scenario.robots[i].strategy) == "remote") agents.push_back(static_cast<RobotId>(i));
    if (agents.empty()) fail("{}: no robot has the strategy 'remote', so there is no agent", scenario.name);
    return agents;
}

Episode::Episode(ScenarioMaker make, const AgentOptions& options) : make_(std::move(make)), options_(options) {
    options.expect_valid();
}

const Belief& Episode::belief(int agent) const {
    return simulation_->team()[static_cast<std::size_t>(robot(agent))].belief();
}

void Episode::reset(std::uint64_t seed) {
    if (!simulation_) return reset(seed, make_);
    simulation_->reset(seed);
    history_ = {.seed = seed};
    begin();
}

void Episode::reset(std::uint64_t seed, ScenarioMaker make) {
    const auto checked = [make](std::uint64_t number) {
        Scenario scenario = make(number);
        agents_of(scenario);
        return scenario;
    };
    std::shared_ptr<std::vector<SwitchedStrategy*>> switches;
    SimulationOptions options;
    options.threads = 1;
    if (options_.action == AgentAction::meta) {
        switches = std::make_shared<std::vector<SwitchedStrategy*>>();
        options.strategies = [switches, names = options_.strategies](
                                 const Briefing& briefing, const std::string& text) -> std::unique_ptr<Strategy> {
            if (strategy_name(text) != "remote") return nullptr;
            auto made = std::make_unique<SwitchedStrategy>(names, briefing.lattice.cell_m);
            const auto robot = static_cast<std::size_t>(briefing.self);
            switches->resize(std::max(switches->size(), robot + 1));
            (*switches)[robot] = made.get();
            return made;
        };
    }
    Simulation made(checked, seed, options);
    make_ = std::move(make);
    switches_ = std::move(switches);
    simulation_ = std::move(made);
    history_ = {.seed = seed};
    begin();
}

Episode Episode::again(const std::function<void(Simulation&)>& begun) const {
    Episode out(make_, options_);
    out.replay(history_, begun);
    return out;
}

void Episode::replay(const EpisodeHistory& history, const std::function<void(Simulation&)>& begun) {
    const EpisodeHistory wanted = history;  // it may be this one's own
    reset(wanted.seed);
    if (begun) begun(*simulation_);
    auto next = wanted.choices.begin();
    for (int step = 0; step < wanted.steps; ++step) {
        for (; next != wanted.choices.end() && next->step == step; ++next) {
            if (const auto* intent = std::get_if<Intent>(&next->what)) decide(next->agent, *intent);
            if (const auto* choice = std::get_if<std::int64_t>(&next->what)) choose(next->agent, *choice);
            if (const auto* values = std::get_if<std::array<double, 2>>(&next->what)) choose(next->agent, *values);
        }
        this->step();
    }
}

std::optional<Episode> Episode::copy() const {
    const WholeCopy together;  // agents follow what their robots know
    std::optional<Simulation> simulation = simulation_ ? simulation_->copy() : std::nullopt;
    if (!simulation) return {};
    std::optional<Episode> out(std::in_place, make_, options_);
    out->simulation_ = std::move(simulation);
    out->agents_ = agents_;
    out->history_ = history_;
    out->team_cells_ = team_cells_;
    out->base_cells_ = base_cells_;
    out->outcome_ = outcome_;
    return out;
}

void Episode::note(int agent, decltype(EpisodeChoice::what) what) {
    history_.choices.push_back({history_.steps, agent, std::move(what)});
}

void Episode::begin() {
    agents_.clear();
    for (const RobotId robot : agents_of(simulation_->scenario()))
        agents_.push_back({.robot = robot, .mind = Agent(options_)});
    team_cells_ = base_cells_ = 0;
    outcome_ = {};
    simulation_->perceive();
    look();
}

/// After robots perceived: who has to decide, and what there is to choose from.
void Episode::look() {
    for (Member& agent : agents_) {
        const auto robot = static_cast<std::size_t>(agent.robot);
        agent.alive = simulation_->progress().percepts[robot].alive;
        if (!agent.alive)
            agent.mind.die();
        else if (auto intent = agent.mind.look(simulation_->team()[robot].belief()))
            simulation_->set_intent(agent.robot, std::move(*intent));
    }
}

void Episode::choose(int number, std::int64_t choice) {
    Member& agent = agents_[index(number)];
    auto intent = agent.mind.choose(belief(number), choice);
    note(number, choice);
    if (options_.action == AgentAction::meta)
        (*switches_)[static_cast<std::size_t>(agent.robot)]->use(static_cast<std::size_t>(choice));
    else if (intent)
        simulation_->set_intent(agent.robot, std::move(*intent));
}

void Episode::choose(int number, const std::array<double, 2>& values) {
    Member& agent = agents_[index(number)];
    simulation_->set_intent(agent.robot, agent.mind.choose(belief(number), values));
    note(number, values);
}

void Episode::decide(int number, Intent intent) {
    if (options_.action == AgentAction::meta)
        fail("action of {}: 'meta' takes no intents", belief(number).briefing().me().name);
    Member& agent = agents_[index(number)];
    agent.mind.follow(belief(number), intent);
    note(number, intent);
    simulation_->set_intent(agent.robot, std::move(intent));
}

void Episode::step() {
    OUTRIDER_CHECK(outcome_.over(), ==, false);
    ++history_.steps;
    for (int a = 0; a < agents(); ++a) {
        Member& agent = agents_[index(a)];
        agent.terms = {};
        if (settled(a)) agent.since = {};
    }
    bool due = false;
    while (!due && !outcome_.over()) {
        simulation_->act();
        if (!simulation_->done()) simulation_->perceive();
        if (const auto end = simulation_->end()) {
            outcome_.terminated = finished(*end) || end == EndReason::all_lost;
            outcome_.truncated = !outcome_.terminated;
            for (Member& agent : agents_) agent.terms[static_cast<std::size_t>(RewardTerm::done)] = finished(*end);
        } else {
            look();
        }
        count();
        for (const Member& agent : agents_) due = due || agent.mind.due();
    }
    for (Member& agent : agents_) std::ranges::transform(agent.since, agent.terms, agent.since.begin(), std::plus<>());
}

/// What the step changed.
void Episode::count() {
    const StepMetrics& row = simulation_->metrics().steps().back();
    const double cell_m = simulation_->scenario().map.cell_m, area = cell_m * cell_m;
    const auto gained = [area](std::int64_t& before, std::int64_t now) {
        return area * static_cast<double>(now - std::exchange(before, now));
    };
    const double team = gained(team_cells_, row.team_cells), base = gained(base_cells_, row.base_cells);
    for (Member& agent : agents_) {
        const auto robot = static_cast<std::size_t>(agent.robot);
        const auto add = [&](RewardTerm term, double value) { agent.terms[static_cast<std::size_t>(term)] += value; };
        const double travelled_m = simulation_->driver().world().bodies()[robot].travelled_m;
        add(RewardTerm::area_team, team);
        add(RewardTerm::area_base, base);
        add(RewardTerm::area_own, gained(agent.own_cells, simulation_->metrics().coverage().sensed()[robot]));
        add(RewardTerm::way, travelled_m - std::exchange(agent.travelled_m, travelled_m));
        add(RewardTerm::steps, 1);
    }
    outcome_.steps = simulation_->progress().steps;
    outcome_.team_share = row.team_share;
    outcome_.travelled_m = row.distance_m;
}

}  // namespace outrider
