// The parts of outrider._core, and what they share. Positions are metres of the robot's map frame, unless a name says
// cells; arrays of cells have rows from the lowest up.
#pragma once

#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "learning/agent.hpp"
#include "metrics/step_metrics.hpp"
#include "outrider/belief.hpp"
#include "outrider/error.hpp"
#include "outrider/intent.hpp"
#include "outrider/rng.hpp"
#include "outrider/strategy.hpp"
#include "simulation/simulation.hpp"

namespace outrider::python {

namespace py = pybind11;

void bind_intents(py::module_& module);
void bind_beliefs(py::module_& module);
void bind_simulation(py::module_& module);
void bind_strategies(py::module_& module);
void bind_agents(py::module_& module);
void bind_environments(py::module_& module);
void bind_logs(py::module_& module);
void bind_statistics(py::module_& module);
void bind_sweeps(py::module_& module);

/// An array (n, 2) of points, each moved by `offset`.
py::array_t<double> points_array(const std::vector<Point>& points, Point offset);
/// The columns of the row per step, by name.
py::dict metric_columns(const std::vector<StepMetrics>& rows);
/// A robot by name or number. Throws Error.
RobotId robot_named(const Scenario& scenario, const py::object& robot);

/// What the arguments of Simulation() and of the environments name.
struct Wanted {
    py::object scenario;  ///< a name, a file, a dict, or an outrider.generated()
    py::dict settings;    ///< by "section.key"
    std::optional<std::string> strategy, folder;
};
/// The scenarios of each seed, and the seed to begin with.
struct Scenarios {
    ScenarioMaker make;
    std::uint64_t seed = 1;
};
/// Throws Error.
Scenarios scenarios_of(const Wanted& wanted, Notes& notes);
/// The same, but files are read when a scenario is made, in any thread and without Python.
ScenarioMaker later_scenarios_of(const Wanted& wanted);
/// How many maps a suite has, by name or file. Throws Error.
std::size_t suite_maps(const std::string& name);

/// Raises NotImplementedError: what there is can only be made by taking its steps again.
[[noreturn]] void refuse_copy();

/// What environments, and Agent, are given: window as (pixels, scale), graph as (nodes, spacing_m). Throws Error.
AgentOptions agent_options(const std::string& action, int frontiers, const std::optional<std::pair<int, int>>& window,
                           const std::optional<std::pair<int, double>>& graph, std::vector<std::string> strategies,
                           int every, int patience_steps);

/// The value of this name. Throws Error, beginning with `what`.
template <class Enum>
Enum named(const std::string& name, std::span<const std::string_view> names, const char* what) {
    const auto at = std::find(names.begin(), names.end(), name);
    if (at == names.end()) fail("{}: expected one of {}, got '{}'", what, fmt::join(names, ", "), name);
    return static_cast<Enum>(at - names.begin());
}

/// What a strategy in Python returned: an Intent, an action, or None for Stay. Throws Error.
Intent intent_of(const py::object& returned);

/// As long as it is true, what refers to a moment of a run may be used.
using Validity = std::shared_ptr<bool>;

/// A robot's belief at a moment: a view, which refuses to be used after it.
class BeliefView {
  public:
    BeliefView(const Belief& belief, Validity valid) : belief_(&belief), valid_(std::move(valid)) {}
    /// Throws Error when the moment is over.
    const Belief& get() const;
    py::array frontiers() const;

  private:
    const Belief* belief_;
    Validity valid_;
    mutable py::object frontiers_;  // made when first asked for
};

/// A robot's random numbers of a step.
struct RandomView {
    Rng* rng;
    Validity valid;
    Rng& get() const;
};

/// A strategy written in Python: an object with choose(belief, rng). What it raises becomes a RunFailure.
std::unique_ptr<Strategy> python_strategy(py::object object);
/// Whether Ctrl-C came while some strategy was asked; forgets it.
bool take_interrupt();

}  // namespace outrider::python
