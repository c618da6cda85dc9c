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
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "learning/agent.hpp"
#include "simulation/simulation.hpp"

namespace outrider {

/// What an agent is rewarded for.
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
    double travelled_m = 0;   ///< of all robots
    bool over() const { return terminated || truncated; }
};

/// What an agent was told to do before a step(), counted from 0.
struct EpisodeChoice {
    int step = 0;
    int agent = 0;
    std::variant<std::int64_t, std::array<double, 2>, Intent> what;
};
/// An episode up to a moment: with the same maker it comes to the same moment again, in the time that this took.
struct EpisodeHistory {
    std::uint64_t seed = 1;
    int steps = 0;  ///< calls of step()
    std::vector<EpisodeChoice> choices{};
};

class SwitchedStrategy;  // several native strategies, of which one decides

/// Its agents: robots with the strategy `remote`. Throws Error when there is none.
std::vector<RobotId> agents_of(const Scenario& scenario);

class Episode {
  public:
    /// Throws Error when the scenario has no robot with the strategy `remote`, or what it throws.
    Episode(ScenarioMaker make, const AgentOptions& options);

    /// Begins anew with another seed; with another maker, in its scenarios from now on, which may have another number
    /// of agents. When it throws Error, the episode goes on as it was.
    void reset(std::uint64_t seed);
    void reset(std::uint64_t seed, ScenarioMaker make);
    /// Begins anew and takes the steps of a history again: to the last bit what the episode was that had it.
    void replay(const EpisodeHistory& history) { replay(history, {}); }
    const EpisodeHistory& history() const { return history_; }
    /// Another episode, which took the same steps as this one; `begun` is called before its first step.
    Episode again(const std::function<void(Simulation&)>& begun) const;
    /// The same episode at the same moment, which goes its own way from here; nullopt: see Simulation::copy().
    std::optional<Episode> copy() const;

    int agents() const { return static_cast<int>(agents_.size()); }
    RobotId robot(int agent) const { return agents_[index(agent)].robot; }
    const Belief& belief(int agent) const;
    /// Whether it has to decide before the next step.
    bool due(int agent) const { return agents_[index(agent)].mind.due(); }
    bool alive(int agent) const { return agents_[index(agent)].alive; }
    /// Steps since it decided last; 0 before it did.
    int since_decision(int agent) const { return agents_[index(agent)].mind.since_decision(belief(agent)); }
    /// What it chooses from, and its graph.
    Agent& mind(int agent) { return agents_[index(agent)].mind; }
    const Agent& mind(int agent) const { return agents_[index(agent)].mind; }
    const std::vector<FrontierChoice>& choices(int agent) const { return mind(agent).choices(); }
    int actions() const { return options_.actions(); }
    const AgentOptions& options() const { return options_; }

    /// Decides for an agent that is due (others keep their course). frontier: the number of a choice, from 0 to
    /// actions() - 1; node: a slot of its place's neighbours; view: a slot and a heading; meta: a strategy. A choice or
    /// a neighbour that there is not means to stay. Throws Error, which names the robot.
    void choose(int agent, std::int64_t choice);
    /// waypoint or velocity: two numbers within bounds(). Throws Error, which names the robot.
    void choose(int agent, const std::array<double, 2>& values);
    /// The same with an intent in place of an action, for an agent that is due.
    void decide(int agent, Intent intent);
    /// Throws what choose() would.
    template <class Choice>
    void expect_valid(int agent, const Choice& choice) const {
        mind(agent).expect_valid(belief(agent), choice);
    }
    /// Runs until an agent is due again, or the end. CHECK: it is not over.
    void step();

    const EpisodeOutcome& outcome() const { return outcome_; }
    /// Of the last step().
    const RewardTerms& terms(int agent) const { return agents_[index(agent)].terms; }
    /// Since the agent was due last, or since the beginning: what its last decision brought.
    const RewardTerms& terms_since(int agent) const { return agents_[index(agent)].since; }
    /// Whether these are complete: it is due again or out of service, or the episode is over. Summed over the steps
    /// after which they are, they are those of the episode.
    bool settled(int agent) const { return outcome_.over() || due(agent) || !alive(agent); }
    const Simulation& simulation() const { return *simulation_; }

  private:
    struct Member {
        RobotId robot = 0;
        Agent mind;
        bool alive = true;
        double travelled_m = 0;
        std::int64_t own_cells = 0;
        RewardTerms terms{}, since{};
    };

    static std::size_t index(int agent) { return static_cast<std::size_t>(agent); }
    void begin();
    void replay(const EpisodeHistory& history, const std::function<void(Simulation&)>& begun);
    void note(int agent, decltype(EpisodeChoice::what) what);
    void look();
    void count();

    ScenarioMaker make_;
    AgentOptions options_;
    std::shared_ptr<std::vector<SwitchedStrategy*>> switches_;  // for `meta`, by robot; the simulation owns them
    std::optional<Simulation> simulation_;
    std::vector<Member> agents_;
    EpisodeHistory history_;
    std::int64_t team_cells_ = 0, base_cells_ = 0;
    EpisodeOutcome outcome_;
};

}  // namespace outrider
