// The parts of outrider._core, and what they share. Positions are metres of the robot's map frame, unless a name says
// cells; arrays of cells have rows from the lowest up.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <memory>

#include "outrider/belief.hpp"
#include "outrider/intent.hpp"
#include "outrider/rng.hpp"
#include "outrider/strategy.hpp"

namespace outrider::python {

namespace py = pybind11;

void bind_intents(py::module_& module);
void bind_beliefs(py::module_& module);
void bind_simulation(py::module_& module);

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
