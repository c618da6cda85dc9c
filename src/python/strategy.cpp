#include "outrider/strategy.hpp"

#include <atomic>

#include "outrider/error.hpp"
#include "python/bindings.hpp"

namespace outrider::python {
namespace {

std::atomic<bool> interrupted = false;

/// Asks an object with choose(belief, rng), with the interpreter's lock held.
class PythonStrategy final : public Strategy {
  public:
    explicit PythonStrategy(py::object object) : object_(std::move(object)), choose_(object_.attr("choose")) {}
    ~PythonStrategy() override {
        const py::gil_scoped_acquire lock;
        choose_ = {};
        object_ = {};
    }
    PythonStrategy(const PythonStrategy&) = delete;
    PythonStrategy& operator=(const PythonStrategy&) = delete;

    Intent choose(const Belief& belief, Rng& rng) override {
        const py::gil_scoped_acquire lock;
        const Validity valid = std::make_shared<bool>(true);
        const struct Over {
            bool& valid;
            ~Over() { valid = false; }
        } over{*valid};
        try {
            return intent_of(choose_(BeliefView(belief, valid), RandomView{&rng, valid}));
        } catch (py::error_already_set& raised) {
            if (raised.matches(PyExc_KeyboardInterrupt)) interrupted = true;
            throw RunFailure(raised.what());  // with the lines of the strategy that it came from
        }
    }

  private:
    py::object object_, choose_;
};

}  // namespace

bool take_interrupt() { return interrupted.exchange(false); }

std::unique_ptr<Strategy> python_strategy(py::object object) {
    if (!py::hasattr(object, "choose"))
        fail("expected a strategy, an object with choose(belief, rng); got {}", std::string(py::repr(object)));
    return std::make_unique<PythonStrategy>(std::move(object));
}

}  // namespace outrider::python
