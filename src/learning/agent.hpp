// A robot whose decisions come from a policy: when it has to decide, what there is to choose from, and what a choice
// means. Environments for learning and learned strategies use the same one, so that both give the same run.
//
//     Agent agent(options);
//     if (auto intent = agent.look(belief)) return *intent;            // nothing to choose from
//     if (agent.due()) intent = agent.choose(belief, best(agent.choices()));
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "learning/place_graph.hpp"
#include "outrider/features.hpp"
#include "outrider/intent.hpp"

namespace outrider {

/// What an agent decides.
enum class AgentAction {
    frontier,  ///< which of its frontier_choices() to go to
    node,      ///< which neighbour of its place in the graph to go to
    view,      ///< to which neighbour, and where to look there: the number of its slot x headings + the heading
    waypoint,  ///< where to go, as metres from where it is, in its frame; if need be, only so far as it can get
    velocity,  ///< metres and radians per second, until it decides again
    meta,      ///< which of options.strategies decides for it, until it decides again
};
inline constexpr std::array<std::string_view, 6> agent_action_names{"frontier", "node",     "view",
                                                                    "waypoint", "velocity", "meta"};

struct AgentOptions {
    AgentAction action = AgentAction::frontier;
    int frontiers = 16;                        ///< choices at most
    std::optional<WindowShape> window{};       ///< none: tracks are not kept
    std::optional<PlaceGraphOptions> graph{};  ///< the actions `node` and `view` need it
    std::vector<std::string> strategies{};     ///< for the action `meta`: each remembers what it did when it was asked
    /// Steps from one decision of an agent to its next; 0: when something happened, that is when it reached its goal or
    /// can not, the goal is known by now, it met another robot, or `patience_steps` are over. The action `view` has
    /// reached its goal when it looks there as it was to, or does not turn any further.
    int every = 1;
    int patience_steps = 30;

    /// Throws Error.
    void expect_valid() const;
    /// How many actions of whole numbers there are; 0: actions are pairs of numbers.
    int actions() const;
    /// Whether agents choose from the neighbours of their place in the graph.
    bool on_graph() const { return action == AgentAction::node || action == AgentAction::view; }
};

class Agent {
  public:
    /// Throws Error when the options are not valid.
    explicit Agent(const AgentOptions& options);

    /// To be called after each perception of a robot in service. What the robot does when there is nothing to choose
    /// from: it drives to the nearest frontier, or home.
    std::optional<Intent> look(const Belief& belief);
    /// Whether it has to decide now. Never so when it drives by itself: then there is nothing to choose from.
    bool due() const { return due_; }
    /// Out of service: never asked again.
    void die() { due_ = false; }
    /// Steps since it decided last; 0 before it did.
    int since_decision(const Belief& belief) const { return decided_ < 0 ? 0 : belief.step() - decided_; }

    /// For the action `frontier`: what it can choose from when it is due; otherwise, what it could last.
    const std::vector<FrontierChoice>& choices() const { return choices_; }
    /// Only with options.graph.
    PlaceGraph& graph() { return *graph_; }
    /// For the actions `node`, `view`: the slots of neighbours that it can choose; none when it drives by itself.
    std::array<bool, PlaceGraph::neighbours> slots() const;
    /// Where it was; only when there is a window.
    const std::vector<Cell>& track() const { return track_; }

    /// What it does until it is due again. frontier: the number of a choice; node: a slot; view: a slot and a heading;
    /// meta: only noted here. A choice or a neighbour that there is not means to stay; nothing: it goes on by itself.
    /// Throws Error, which names the robot.
    std::optional<Intent> choose(const Belief& belief, std::int64_t choice);
    /// waypoint or velocity: two numbers within bounds(). Throws Error, which names the robot.
    Intent choose(const Belief& belief, const std::array<double, 2>& values);
    /// Notes that the robot follows this intent, of its user's own making, until it is due again.
    void follow(const Belief& belief, const Intent& intent);
    /// Throws what choose() would.
    void expect_valid(const Belief& belief, std::int64_t choice) const;
    void expect_valid(const Belief& belief, const std::array<double, 2>& values) const;
    /// The greatest values of the actions waypoint and velocity; the least ones are the negative.
    std::array<double, 2> bounds(const Belief& belief) const;

    /// An observation, row by row (docs/learning.md); an empty span is not filled. Features are float, masks 0 or 1.
    struct Observation {
        std::span<float> own;            ///< own_feature_names.size()
        std::span<float> frontiers;      ///< options.frontiers x frontier_feature_names.size()
        std::span<std::int8_t> mask;     ///< options.frontiers
        std::span<std::uint8_t> window;  ///< window_channel_names.size() x pixels x pixels
        PlaceGraph::Rows graph;          ///< options.graph->most rows
        std::span<std::int32_t> node;    ///< 1
        std::span<std::int8_t> slots;    ///< PlaceGraph::neighbours
    };
    void observe(const Belief& belief, const Observation& out);

  private:
    bool asks(const Belief& belief);
    bool arrived(const Belief& belief);
    void begin_decision(const Belief& belief);
    std::optional<Intent> look_around(const Belief& belief);

    AgentOptions options_;
    bool due_ = true;
    int decided_ = -1;        // in which step
    int looked_ = -1;         // in which step it decided, or found that there is nothing to choose from
    bool by_itself_ = false;  // so it is
    std::vector<FrontierChoice> choices_;
    std::optional<PlaceGraph> graph_;
    std::optional<Frontier> target_;
    std::optional<Point> goal_;
    std::optional<double> heading_;  // to look along there, with the action `view`
    std::optional<double> yaw_;      // how it looked there a step ago
    std::vector<bool> contacts_;     // robots that it was in contact with
    std::vector<Cell> track_;
};

}  // namespace outrider
