#include "outrider/strategy.hpp"

#include <atomic>

#include "external/python_bridge.hpp"
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

py::object value_of(const Setting& setting) {
    return std::visit([](const auto& value) -> py::object { return py::cast(value); }, setting.value);
}

/// For programs that run Python inside: see external/python_bridge.hpp.
Strategy* make_named(const std::string& python_class, const std::vector<Setting>& options, std::string& error) {
    try {
        const std::size_t colon = python_class.find(':');
        py::object found = py::module_::import(python_class.substr(0, colon).c_str());
        for (std::string rest = python_class.substr(colon + 1); !rest.empty();) {
            const std::size_t dot = std::min(rest.find('.'), rest.size());
            found = found.attr(rest.substr(0, dot).c_str());
            rest.erase(0, dot + 1);
        }
        py::dict given;
        for (const Setting& s : options) given[py::str(s.key)] = value_of(s);
        return python_strategy(found(**given)).release();
    } catch (const std::exception& e) {
        error = e.what();
        return nullptr;
    }
}

}  // namespace

void bind_strategies(py::module_& module) {
    static MakePythonStrategy make = make_named;
    module.attr("_make_strategy") = py::capsule(&make, python_bridge);
}

bool take_interrupt() { return interrupted.exchange(false); }

std::unique_ptr<Strategy> python_strategy(py::object object) {
    if (!py::hasattr(object, "choose"))
        fail("expected a strategy, an object with choose(belief, rng); got {}", std::string(py::repr(object)));
    return std::make_unique<PythonStrategy>(std::move(object));
}

}  // namespace outrider::python
