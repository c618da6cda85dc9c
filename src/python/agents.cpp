#include "learning/agent.hpp"

#include "python/bindings.hpp"

namespace outrider::python {
namespace {

/// What a policy decides on and does, in a run: the observations and actions of an environment, for one robot.
class PolicyAgent {
  public:
    PolicyAgent(const AgentOptions& options, bool frontiers)
        : options_(options), agent_(options), frontiers_(frontiers) {
        if (options.actions() == 0 || options.action == AgentAction::meta)
            fail("action: expected 'frontier', 'node' or 'view', got '{}'",
                 agent_action_names[static_cast<std::size_t>(options.action)]);
    }

    py::object look(const BeliefView& view) {
        auto intent = agent_.look(view.get());
        return intent ? py::cast(std::move(*intent)) : py::none();
    }
    bool due() const { return agent_.due(); }
    py::object choose(const BeliefView& view, std::int64_t choice) {
        auto intent = agent_.choose(view.get(), choice);
        return intent ? py::cast(std::move(*intent)) : py::none();
    }
    py::dict observe(const BeliefView& view) {
        py::dict out;
        Agent::Observation rows{};
        rows.own = add<float>(out, "own", {own_feature_names.size()});
        const auto most = static_cast<std::size_t>(options_.frontiers);
        if (frontiers_ || options_.action == AgentAction::frontier) rows.mask = add<std::int8_t>(out, "mask", {most});
        if (frontiers_) rows.frontiers = add<float>(out, "frontiers", {most, frontier_feature_names.size()});
        if (options_.graph) {
            const auto nodes = static_cast<std::size_t>(options_.graph->most);
            rows.graph = {add<float>(out, "nodes", {nodes, place_feature_names.size()}),
                          add<std::int32_t>(out, "neighbours", {nodes, PlaceGraph::neighbours}),
                          add<std::int8_t>(out, "node_mask", {nodes})};
            if (options_.action == AgentAction::view)
                rows.graph.ahead = add<float>(out, "ahead", {nodes, PlaceGraph::headings});
            rows.node = add<std::int32_t>(out, "node", {1});
        }
        if (options_.window) {
            const auto side = static_cast<std::size_t>(options_.window->pixels);
            rows.window = add<std::uint8_t>(out, "window", {window_channel_names.size(), side, side});
        }
        if (options_.on_graph()) rows.slots = add<std::int8_t>(out, "slots", {PlaceGraph::neighbours});
        agent_.observe(view.get(), rows);
        return out;
    }

  private:
    template <class Number>
    static std::span<Number> add(py::dict& out, const char* name, std::vector<std::size_t> shape) {
        py::array_t<Number> array(std::vector<py::ssize_t>(shape.begin(), shape.end()));
        out[name] = array;
        return {array.mutable_data(), static_cast<std::size_t>(array.size())};
    }

    AgentOptions options_;
    Agent agent_;
    bool frontiers_;
};

}  // namespace

AgentOptions agent_options(const std::string& action, int frontiers, const std::optional<std::pair<int, int>>& window,
                           const std::optional<std::pair<int, double>>& graph, std::vector<std::string> strategies,
                           int every, int patience_steps) {
    AgentOptions options;
    options.action = named<AgentAction>(action, agent_action_names, "action");
    options.frontiers = frontiers;
    if (window) options.window = WindowShape{window->first, window->second};
    if (graph) options.graph = PlaceGraphOptions{graph->second, graph->first};
    options.strategies = std::move(strategies);
    options.every = every;
    options.patience_steps = patience_steps;
    return options;
}

void bind_agents(py::module_& module) {
    py::class_<PolicyAgent>(module, "Agent",
                            "The observations and actions of an environment, for a strategy that decides by a policy: "
                            "the same decisions give the same run (docs/learning.md).")
        .def(py::init([](const std::string& action, int most, std::optional<std::pair<int, int>> window,
                         std::optional<std::pair<int, double>> graph, int every, int patience_steps, bool frontiers) {
                 return std::make_unique<PolicyAgent>(
                     agent_options(action, most, window, graph, {}, every, patience_steps), frontiers);
             }),
             py::arg("action"), py::kw_only(), py::arg("most") = 16, py::arg("window") = py::none(),
             py::arg("graph") = py::none(), py::arg("every") = 0, py::arg("patience_steps") = 30,
             py::arg("frontiers") = false,
             "action: 'frontier', 'node' or 'view'. most: frontiers to choose from. window: (pixels, scale). graph: "
             "(nodes, "
             "spacing_m). every: steps from one decision to the next, 0: when something happened. frontiers: whether "
             "they are observed. Raises Error as an environment does.")
        .def("look", &PolicyAgent::look, py::arg("belief"),
             "To be called in each step. The Intent of a robot that has nothing to choose from; else None.")
        .def_property_readonly("due", &PolicyAgent::due, "Whether it has to decide now.")
        .def("observe", &PolicyAgent::observe, py::arg("belief"),
             "What it decides on, when it is due: arrays by name, as an environment has them.")
        .def("choose", &PolicyAgent::choose, py::arg("belief"), py::arg("choice"),
             "The Intent to keep until it is due again; None: as before. choice: as an action of an environment. "
             "Raises Error when there can be no such choice.");
}

}  // namespace outrider::python
