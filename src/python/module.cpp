// outrider._core: what the Python package stands on.
#include <pybind11/pybind11.h>

#include "outrider/error.hpp"
#include "python/bindings.hpp"
#include "scenario/suite.hpp"

PYBIND11_MODULE(_core, module) {
    using namespace outrider;
    namespace py = pybind11;
    module.doc() = "The simulator as an extension; use the package outrider.";
    static py::exception<Error> error(module, "Error", PyExc_ValueError);
    error.doc() = "A mistake of the caller: a file, an option, a map. The message says where and what was expected.";
    static py::exception<RunFailure> failure(module, "RunFailure", PyExc_RuntimeError);
    failure.doc() = "The run itself failed: a full disk, a strategy that raised.";
    py::register_exception_translator([](std::exception_ptr thrown) {
        try {
            if (thrown) std::rethrow_exception(thrown);
        } catch (const Error& e) {
            PyErr_SetString(error.ptr(), e.what());
        } catch (const RunFailure& e) {
            PyErr_SetString(failure.ptr(), e.what());
        }
    });
    python::bind_intents(module);
    python::bind_beliefs(module);
    python::bind_simulation(module);
    python::bind_strategies(module);
    python::bind_agents(module);
    python::bind_environments(module);
    python::bind_logs(module);
    python::bind_statistics(module);
    python::bind_sweeps(module);
    module.def("add_shipped_folder", &add_shipped_folder, py::arg("folder"),
               "Another folder in which named scenarios are looked for.");
}
