#include "python/environments.hpp"

namespace outrider::python {
namespace {

template <std::size_t n>
py::tuple names_tuple(const std::array<std::string_view, n>& names) {
    py::tuple out(n);
    for (std::size_t i = 0; i < n; ++i) out[i] = py::str(std::string(names[i]));
    return out;
}

}  // namespace

void bind_environments(py::module_& module) {
    py::class_<Environments>(module, "Environments",
                             "Environments that take their steps together; see outrider.make_vec.")
        .def(py::init([](py::object scenario, py::dict settings, std::optional<std::string> strategy, int count,
                         const std::string& action, int most, std::optional<std::pair<int, int>> window,
                         std::optional<std::pair<int, double>> graph, std::vector<std::string> strategies, int every,
                         int patience_steps, bool frontiers, int threads) {
                 return std::make_unique<Environments>(
                     Wanted{std::move(scenario), std::move(settings), std::move(strategy), {}}, count,
                     agent_options(action, most, window, graph, std::move(strategies), every, patience_steps),
                     frontiers, threads);
             }),
             py::arg("scenario"), py::kw_only(), py::arg("settings"), py::arg("strategy"), py::arg("count"),
             py::arg("action"), py::arg("most"), py::arg("window"), py::arg("graph"), py::arg("strategies"),
             py::arg("every"), py::arg("patience_steps"), py::arg("frontiers"), py::arg("threads"))
        .def(py::init<const Environments&>(), py::arg("other"))
        .def(
            "reset",
            [](Environments& self, const std::vector<int>& which, const std::vector<std::uint64_t>& seeds,
               const std::vector<std::pair<py::object, py::dict>>& scenarios,
               const std::optional<std::string>& strategy) {
                std::vector<Wanted> wanted;
                for (const auto& [scenario, settings] : scenarios) wanted.push_back({scenario, settings, strategy, {}});
                self.reset(which, seeds, wanted);
            },
            py::arg("which"), py::arg("seeds"), py::arg("scenarios") = py::list(), py::arg("strategy") = py::none())
        .def("step", &Environments::step, py::arg("which"), py::arg("actions"))
        .def("page", &Environments::page, py::arg("environment"))
        .def("save", &Environments::save, py::arg("environment"))
        .def("restore", &Environments::restore, py::arg("which"), py::arg("saved"))
        .def("decide", &Environments::decide, py::arg("environment"), py::arg("agent"), py::arg("intent"))
        .def("belief", &Environments::belief, py::arg("environment"), py::arg("agent"))
        .def("state", &Environments::state, py::arg("environment"))
        .def("true_graph", &Environments::true_graph, py::arg("environment"), py::arg("most"))
        .def("render", &Environments::render, py::arg("environment"))
        .def("digest", &Environments::digest, py::arg("environment"))
        .def("bounds", &Environments::bounds, py::arg("agent"))
        .def_property_readonly("actions", &Environments::actions)
        .def_property_readonly("arrays", &Environments::arrays)
        .def_property_readonly("agents", &Environments::agents)
        .def_property_readonly("seed", &Environments::seed);
    module.def(
        "extent_of",
        [](py::object scenario, py::dict settings, std::optional<std::string> strategy) {
            Notes notes;
            const Scenarios scenarios =
                scenarios_of({std::move(scenario), std::move(settings), std::move(strategy), {}}, notes);
            const Scenario made = scenarios.make(scenarios.seed);
            return std::tuple(agents_of(made).size(), made.walls.height(), made.walls.width());
        },
        py::arg("scenario"), py::arg("settings"), py::arg("strategy"),
        "How many agents it has, and rows and columns its map.");
    module.def("suite_maps", &suite_maps, py::arg("suite"), "How many maps a suite has.");
    module.attr("frontier_features") = names_tuple(frontier_feature_names);
    module.attr("own_features") = names_tuple(own_feature_names);
    module.attr("place_features") = names_tuple(place_feature_names);
    module.attr("window_channels") = names_tuple(window_channel_names);
    module.attr("reward_terms") = names_tuple(reward_term_names);
    module.attr("max_feature") = max_feature;
}

}  // namespace outrider::python
