// An environment for learning: a simulation whose robots with the strategy `remote` are agents. It tells when each of
// them has to decide, what it observes (its belief alone, outrider/features.hpp), and what it is rewarded for.
//
//     Episode episode(maker, {});
//     episode.reset(7);
//     while (!episode.outcome().over()) {
//         for (int agent = 0; agent < episode.agents(); ++agent)
//             if (episode.due(agent)) episode.choose(agent, best(episode.choices(agent)));
//         episode.step();
//     }
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "learning/place_graph.hpp"
#include "outrider/features.hpp"
#include "simulation/simulation.hpp"

namespace outrider {

/// What an agent decides.
enum class AgentAction {
    frontier,  ///< which of its frontier_choices() to go to
    node,      ///< which neighbour of its place in the graph to go to
    waypoint,  ///< where to go, as metres from where it is, in its frame; if need be, only so far as it can get
    velocity,  ///< metres and radians per second, until it decides again
    meta,      ///< which of options.strategies decides for it, until it decides again
};
inline constexpr std::array<std::string_view, 5> agent_action_names{"frontier", "node", "waypoint", "velocity", "meta"};

struct EpisodeOptions {
    AgentAction action = AgentAction::frontier;
    int frontiers = 16;                        ///< choices at most
    std::optional<WindowShape> window{};       ///< none: tracks are not kept
    std::optional<PlaceGraphOptions> graph{};  ///< the action `node` needs it
    std::vector<std::string> strategies{};     ///< for the action `meta`: each remembers what it did when it was asked
    /// Steps from one decision of an agent to its next; 0: when something happened, that is when it reached its goal or
    /// can not, the goal is known by now, it met another robot, or `patience_steps` are over.
    int every = 1;
    int patience_steps = 30;
};

/// What an agent is rewarded for, summed over the steps from one decision to the next.
enum class RewardTerm {
    area_team,  ///< square metres that the team got to know
    area_base,  ///< square metres that a base station got to know
    area_own,   ///< square metres of free space that its own sensors saw for the first time
    way,        ///< metres that it drove
    steps,      ///< steps
    done,       ///< 1: the team finished, before the step limit
};
inline constexpr std::array<std::string_view, 6> reward_term_names{"area_team", "area_base", "area_own",
                                                                   "way",       "steps",     "done"};
using RewardTerms = std::array<double, reward_term_names.size()>;

struct EpisodeOutcome {
    bool terminated = false;  ///< finished, or nobody is left
    bool truncated = false;   ///< cut off by the step limit
    int steps = 0;            ///< of the simulation so far
    double team_share = 0;    ///< of the area that can be sensed
    double way_m = 0;         ///< of all robots
    bool over() const { return terminated || truncated; }
};

class SwitchedStrategy;  // several native strategies, of which one decides

class Episode {
  public:
    /// Throws Error when the scenario has no robot with the strategy `remote`, or what it throws.
    Episode(ScenarioMaker make, const EpisodeOptions& options);

    /// Begins anew with another seed; with another maker, in its scenarios from now on. Throws Error when the number of
    /// agents changes.
    void reset(std::uint64_t seed);
    void reset(std::uint64_t seed, ScenarioMaker make);

    int agents() const { return static_cast<int>(agents_.size()); }
    RobotId robot(int agent) const { return agents_[index(agent)].robot; }
    const Belief& belief(int agent) const;
    /// Whether it has to decide before the next step.
    bool due(int agent) const { return agents_[index(agent)].due; }
    bool alive(int agent) const { return agents_[index(agent)].alive; }
    /// Steps since it decided last; 0 before it did.
    int since_decision(int agent) const;
    /// For the action `frontier`: what an agent that is due can choose from; of others, what it could last. When there
    /// is none, it drives home by itself.
    const std::vector<FrontierChoice>& choices(int agent) const { return agents_[index(agent)].choices; }
    /// Its graph; only with options.graph. When the graph leads to no frontier, an agent with the action `node` drives
    /// by itself, to the nearest frontier, or home.
    PlaceGraph& graph(int agent) { return *agents_[index(agent)].graph; }
    /// For the action `node`: the slots of neighbours that it can choose; none when it drives by itself.
    std::array<bool, PlaceGraph::neighbours> slots(int agent) const;
    /// How many actions of whole numbers there are; 0: actions are pairs of numbers.
    int actions() const;
    /// Where it was; only when there is a window.
    const std::vector<Cell>& track(int agent) const { return agents_[index(agent)].track; }

    /// Decides for an agent that is due (others keep their course). frontier: the number of a choice, from 0 to
    /// actions() - 1; node: a slot of its place's neighbours; meta: a strategy. A choice or a neighbour that there is
    /// not means to stay. Throws Error, which names the robot.
    void choose(int agent, std::int64_t choice);
    /// waypoint or velocity: two numbers within bounds(). Throws Error, which names the robot.
    void choose(int agent, const std::array<double, 2>& values);
    /// Throws what choose() would.
    void expect_valid(int agent, std::int64_t choice) const;
    void expect_valid(int agent, const std::array<double, 2>& values) const;
    /// The greatest values of the actions waypoint and velocity; the least ones are the negative.
    std::array<double, 2> bounds(int agent) const;
    /// Runs until an agent is due again, or the end. CHECK: it is not over.
    void step();

    const EpisodeOutcome& outcome() const { return outcome_; }
    /// Of the last step().
    const RewardTerms& terms(int agent) const { return agents_[index(agent)].terms; }
    const Simulation& simulation() const { return *simulation_; }

  private:
    struct Agent {
        RobotId robot = 0;
        bool alive = true, due = true;
        int decided = -1;        // in which step
        bool by_itself = false;  // there is nothing to choose from
        std::vector<FrontierChoice> choices{};
        std::optional<PlaceGraph> graph{};
        std::optional<Frontier> target{};
        std::optional<Point> goal{};
        std::vector<bool> contacts{};  // robots that it was in contact with
        std::vector<Cell> track{};
        double way_m = 0;
        std::int64_t own_cells = 0;
        RewardTerms terms{};
    };

    static std::size_t index(int agent) { return static_cast<std::size_t>(agent); }
    void begin();
    void look();
    void look_around(Agent& agent, const Belief& belief);
    bool asks(Agent& agent, const Belief& belief) const;
    void count();

    ScenarioMaker make_;
    EpisodeOptions options_;
    std::shared_ptr<std::vector<SwitchedStrategy*>> switches_;  // for `meta`, by robot; the simulation owns them
    std::optional<Simulation> simulation_;
    std::vector<Agent> agents_;
    std::int64_t team_cells_ = 0, base_cells_ = 0;
    EpisodeOutcome outcome_;
};

}  // namespace outrider
