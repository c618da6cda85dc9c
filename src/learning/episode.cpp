#include "learning/episode.hpp"

#include <algorithm>
#include <cmath>

#include "outrider/behaviours.hpp"
#include "outrider/ray.hpp"
#include "robot/registry.hpp"

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

constexpr int look_again_steps = 5;  // without a frontier: after so many, whether there is one

bool finished(EndReason end) {
    return end == EndReason::stop_rule || end == EndReason::nothing_left || end == EndReason::all_home;
}

/// The point itself or, when it cannot be reached, the farthest cell on the straight line to it that can.
Point towards(const Belief& belief, Point goal) {
    const Lattice& lattice = belief.map().lattice();
    if (belief.nav().reached(lattice.cell_of(goal))) return goal;
    Cell last = belief.cell();
    walk_segment(lattice.to_cells(belief.pose().position()), lattice.to_cells(goal), [&](Cell c, double) {
        if (belief.nav().reached(c)) last = c;
        return true;
    });
    return lattice.centre(last);
}

/// To a place, with a look at what is unknown there.
Goto towards_place(const Belief& belief, const PlaceGraph& graph, Cell place) {
    const Lattice& lattice = belief.map().lattice();
    Goto out{lattice.centre(place), 0, {}};
    if (const auto look = graph.look_from(place); look && *look != place) out.face = lattice.centre(*look);
    return out;
}

}  // namespace

Episode::Episode(ScenarioMaker make, const EpisodeOptions& options) : make_(std::move(make)), options_(options) {
    if (options.frontiers < 1 || options.frontiers > 1000)
        fail("frontiers: expected 1 to 1000, got {}", options.frontiers);
    if (options.every < 0) fail("every: expected a number of steps, or \"event\", got {}", options.every);
    if (options.patience_steps < 1) fail("patience_steps: expected 1 or more, got {}", options.patience_steps);
    if (options.action == AgentAction::node && !options.graph) fail("action: 'node' needs the observation 'graph'");
    if ((options.action == AgentAction::meta) == options.strategies.empty())
        fail("strategies: expected some for the action 'meta', and none for others, got {}", options.strategies.size());
    if (options.graph && (options.graph->most < 1 || options.graph->most > 100'000))
        fail("nodes: expected 1 to 100000, got {}", options.graph->most);
    if (options.graph && !(options.graph->spacing_m >= 0 && options.graph->spacing_m <= 1000))
        fail("spacing_m: expected 0 to 1000, got {}", options.graph->spacing_m);
    if (options.window) {
        const auto [pixels, scale] = *options.window;
        if (pixels < 8 || pixels > 1024 || pixels % 8 != 0)
            fail("window: expected pixels in a multiple of 8, up to 1024, got {}", pixels);
        if (scale != 1 && scale != 2 && scale != 4 && scale != 8)
            fail("window: expected a scale of 1, 2, 4 or 8, got {}", scale);
    }
}

const Belief& Episode::belief(int agent) const {
    return simulation_->team()[static_cast<std::size_t>(robot(agent))].belief();
}

int Episode::since_decision(int agent) const {
    const int decided = agents_[index(agent)].decided;
    return decided < 0 ? 0 : belief(agent).step() - decided;
}

void Episode::reset(std::uint64_t seed) {
    if (!simulation_) return reset(seed, make_);
    simulation_->reset(seed);
    begin();
}

void Episode::reset(std::uint64_t seed, ScenarioMaker make) {
    make_ = std::move(make);
    SimulationOptions options;
    options.threads = 1;
    if (options_.action == AgentAction::meta) {
        switches_ = std::make_shared<std::vector<SwitchedStrategy*>>();
        options.strategies = [switches = switches_, names = options_.strategies](
                                 const Briefing& briefing, const std::string& text) -> std::unique_ptr<Strategy> {
            if (strategy_name(text) != "remote") return nullptr;
            auto made = std::make_unique<SwitchedStrategy>(names, briefing.lattice.cell_m);
            const auto robot = static_cast<std::size_t>(briefing.self);
            switches->resize(std::max(switches->size(), robot + 1));
            (*switches)[robot] = made.get();
            return made;
        };
    }
    simulation_.emplace(make_, seed, options);
    begin();
}

void Episode::begin() {
    std::vector<Agent> agents;
    const std::vector<RobotEntry>& robots = simulation_->scenario().robots;
    for (std::size_t i = 0; i < robots.size(); ++i)
        if (strategy_name(robots[i].strategy) == "remote") {
            agents.emplace_back();
            agents.back().robot = static_cast<RobotId>(i);
            agents.back().contacts.resize(robots.size());
            if (options_.graph) agents.back().graph.emplace(*options_.graph);
        }
    if (agents.empty())
        fail("{}: no robot has the strategy 'remote', so there is no agent", simulation_->scenario().name);
    if (!agents_.empty() && agents_.size() != agents.size())
        fail("{}: expected {} agents as before, got {}", simulation_->scenario().name, agents_.size(), agents.size());
    agents_ = std::move(agents);
    team_cells_ = base_cells_ = 0;
    outcome_ = {};
    simulation_->perceive();
    look();
}

/// After robots perceived: who has to decide, and what there is to choose from.
void Episode::look() {
    for (Agent& agent : agents_) {
        const Belief& belief = simulation_->team()[static_cast<std::size_t>(agent.robot)].belief();
        agent.alive = simulation_->progress().percepts[static_cast<std::size_t>(agent.robot)].alive;
        agent.due = agent.alive && asks(agent, belief);
        if (!agent.alive) continue;
        if (options_.window && (agent.track.empty() || agent.track.back() != belief.cell()))
            agent.track.push_back(belief.cell());
        if (agent.graph) agent.graph->update(belief);
        if (agent.due) look_around(agent, belief);
    }
}

/// What an agent that has to decide can choose from. When there is nothing, it drives by itself.
void Episode::look_around(Agent& agent, const Belief& belief) {
    agent.by_itself = false;
    if (options_.action == AgentAction::frontier) {
        agent.choices = frontier_choices(belief, options_.frontiers);
        agent.by_itself = agent.choices.empty();
    } else if (options_.action == AgentAction::node) {
        agent.graph->refresh(belief);
        const auto around = agent.graph->around();
        const bool stuck =
            std::none_of(around.begin(), around.end(), [](const auto& cell) { return cell.has_value(); });
        agent.by_itself = stuck || !agent.graph->guided();
        if (agent.by_itself) agent.choices = frontier_choices(belief, 1);
    }
    if (!agent.by_itself) return;
    Intent intent = go_home(belief);
    if (!agent.choices.empty()) intent = {.action = go_to_frontier(belief, agent.choices[0].frontier)};
    simulation_->set_intent(agent.robot, std::move(intent));
    if (options_.every > 0) return;
    agent.due = false;  // nothing to ask it
    agent.decided = belief.step();
}

bool Episode::asks(Agent& agent, const Belief& belief) const {
    bool met = false;
    for (std::size_t r = 0; r < agent.contacts.size(); ++r) {
        const bool contact = belief.in_contact(static_cast<RobotId>(r));
        met = met || (contact && !agent.contacts[r]);
        agent.contacts[r] = contact;
    }
    if (agent.decided < 0) return true;
    const int since = belief.step() - agent.decided;
    if (options_.every > 0) return since >= options_.every;
    if (agent.by_itself) return since >= look_again_steps;
    if (met || since >= options_.patience_steps || belief.goal_unreachable() || belief.percept().bumped) return true;
    if (agent.target && explored(belief, *agent.target)) return true;
    return agent.goal && belief.cell() == belief.map().lattice().cell_of(*agent.goal);
}

int Episode::actions() const {
    switch (options_.action) {
        case AgentAction::frontier:
            return options_.frontiers;
        case AgentAction::node:
            return PlaceGraph::neighbours;
        case AgentAction::meta:
            return static_cast<int>(options_.strategies.size());
        case AgentAction::waypoint:
        case AgentAction::velocity:
            break;
    }
    return 0;
}

std::array<bool, PlaceGraph::neighbours> Episode::slots(int agent) const {
    const Agent& of = agents_[index(agent)];
    std::array<bool, PlaceGraph::neighbours> out{};
    if (!of.by_itself)
        std::ranges::transform(of.graph->around(), out.begin(), [](const auto& cell) { return cell.has_value(); });
    return out;
}

void Episode::expect_valid(int agent, std::int64_t choice) const {
    if (choice < 0 || choice >= actions())
        fail("action of {}: expected 0 to {}, got {}", belief(agent).briefing().me().name, actions() - 1, choice);
}

void Episode::choose(int number, std::int64_t choice) {
    expect_valid(number, choice);
    Agent& agent = agents_[index(number)];
    const Belief& own = belief(number);
    agent.decided = own.step();
    agent.target.reset();
    agent.goal.reset();
    if (agent.by_itself) return;
    if (options_.action == AgentAction::meta)
        return (*switches_)[static_cast<std::size_t>(agent.robot)]->use(static_cast<std::size_t>(choice));
    Intent intent;
    std::optional<Goto> go;
    if (options_.action == AgentAction::node) {
        if (const auto cell = agent.graph->around()[static_cast<std::size_t>(choice)])
            go = towards_place(own, *agent.graph, *cell);
    } else if (choice < std::ssize(agent.choices)) {
        agent.target = agent.choices[static_cast<std::size_t>(choice)].frontier;
        go = go_to_frontier(own, *agent.target);
    }
    if (go) {
        agent.goal = go->goal;
        intent.action = *go;
    }
    simulation_->set_intent(agent.robot, std::move(intent));
}

std::array<double, 2> Episode::bounds(int agent) const {
    const Belief& own = belief(agent);
    if (options_.action == AgentAction::velocity) {
        const Briefing& briefing = own.briefing();
        return {briefing.me().speed_mps, briefing.turn_radps > 0 ? briefing.turn_radps : pi};
    }
    const double range = own.map().lattice().metres(sensor_range_cells(own));
    return {range, range};
}

void Episode::expect_valid(int agent, const std::array<double, 2>& values) const {
    const std::array<double, 2> most = bounds(agent);
    for (std::size_t k = 0; k < 2; ++k)
        if (!(std::abs(values[k]) <= most[k] * (1 + 1e-6)))  // a float may be rounded up
            fail("action of {}: expected {} to {}, got {}", belief(agent).briefing().me().name, -most[k], most[k],
                 values[k]);
}

void Episode::choose(int number, const std::array<double, 2>& values) {
    expect_valid(number, values);
    Agent& agent = agents_[index(number)];
    const Belief& own = belief(number);
    agent.decided = own.step();
    Intent intent;
    if (options_.action == AgentAction::velocity) {
        intent.action = Drive{values[0], values[1]};
    } else {
        agent.goal = towards(own, own.pose().position() + Point{values[0], values[1]});
        intent.action = Goto{*agent.goal, 0, {}};
    }
    simulation_->set_intent(agent.robot, std::move(intent));
}

void Episode::step() {
    OUTRIDER_CHECK(outcome_.over(), ==, false);
    for (Agent& agent : agents_) agent.terms = {};
    bool due = false;
    while (!due && !outcome_.over()) {
        simulation_->act();
        if (!simulation_->done()) simulation_->perceive();
        if (const auto end = simulation_->end()) {
            outcome_.terminated = finished(*end) || end == EndReason::all_lost;
            outcome_.truncated = !outcome_.terminated;
            for (Agent& agent : agents_) agent.terms[static_cast<std::size_t>(RewardTerm::done)] = finished(*end);
        } else {
            look();
        }
        count();
        for (const Agent& agent : agents_) due = due || agent.due;
    }
}

/// What the step changed.
void Episode::count() {
    const StepMetrics& row = simulation_->metrics().steps().back();
    const double cell_m = simulation_->scenario().map.cell_m, area = cell_m * cell_m;
    const auto gained = [area](std::int64_t& before, std::int64_t now) {
        return area * static_cast<double>(now - std::exchange(before, now));
    };
    const double team = gained(team_cells_, row.team_cells), base = gained(base_cells_, row.base_cells);
    for (Agent& agent : agents_) {
        const auto robot = static_cast<std::size_t>(agent.robot);
        const auto add = [&](RewardTerm term, double value) { agent.terms[static_cast<std::size_t>(term)] += value; };
        const double way_m = simulation_->driver().world().bodies()[robot].travelled_m;
        add(RewardTerm::area_team, team);
        add(RewardTerm::area_base, base);
        add(RewardTerm::area_own, gained(agent.own_cells, simulation_->metrics().coverage().sensed()[robot]));
        add(RewardTerm::way, way_m - std::exchange(agent.way_m, way_m));
        add(RewardTerm::steps, 1);
    }
    outcome_.steps = simulation_->progress().steps;
    outcome_.team_share = row.team_share;
    outcome_.way_m = row.distance_m;
}

}  // namespace outrider
