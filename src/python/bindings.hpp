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

#include "outrider/belief.hpp"
#include "outrider/error.hpp"
#include "outrider/intent.hpp"
#include "outrider/rng.hpp"
#include "outrider/strategy.hpp"

namespace outrider::python {

namespace py = pybind11;

void bind_intents(py::module_& module);
void bind_beliefs(py::module_& module);
void bind_simulation(py::module_& module);

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
