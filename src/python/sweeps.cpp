#include <atomic>
#include <future>
#include <thread>

#include "base/output.hpp"
#include "base/programs.hpp"
#include "batch/report/report.hpp"
#include "batch/sweep_file.hpp"
#include "batch/sweep_merge.hpp"
#include "batch/sweep_worker.hpp"
#include "python/bindings.hpp"

namespace outrider::python {
namespace {

/// Does what is left of a sweep. Ctrl-C lets the current runs end, a second one breaks them off.
py::dict do_sweep(const std::string& folder, int jobs, bool retry, bool mix, bool allow_external) {
    if (allow_external) allow_all_programs();
    const SweepPlan plan = read_plan(folder);
    expect_programs_allowed(plan);
    std::atomic<bool> stop{false}, abandon{false};
    SweepWork work;
    work.jobs = jobs > 0 ? jobs : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    work.retry = retry;
    work.mix = mix;
    work.stop = &stop;
    work.abandon = &abandon;
    SweepOutcome outcome;
    {
        const py::gil_scoped_release released;
        auto done = std::async(std::launch::async, [&] { return run_sweep(folder, plan, work, [](const auto&) {}); });
        while (done.wait_for(std::chrono::milliseconds(100)) != std::future_status::ready) {
            const py::gil_scoped_acquire locked;
            if (PyErr_CheckSignals() == 0) continue;
            PyErr_Clear();
            abandon = stop.load();
            stop = true;
        }
        outcome = done.get();
    }
    if (outcome.stopped) {
        PyErr_SetString(PyExc_KeyboardInterrupt, (folder + ": stopped; run(folder, resume=True) goes on").c_str());
        throw py::error_already_set();
    }
    py::dict out;
    out["done"] = outcome.progress.done;
    out["failed"] = outcome.progress.failed;
    out["failures"] = outcome.failures;
    return out;
}

/// The columns of a sweep's results: a row for each run that was done and did not fail, map by map, start by start,
/// repetition by repetition, cell by cell.
py::dict sweep_columns(const std::string& folder) {
    const std::string path = folder + "/results.sqlite";
    merge_sweep(folder, read_plan(folder), path, true);
    Results results(path);
    const SweepPlan& plan = results.plan();
    std::vector<std::pair<std::size_t, std::size_t>> rows;  // cell, pair
    for (std::size_t pair = 0; pair < results.pairs(); ++pair)
        for (std::size_t cell = 0; cell < plan.cells.size(); ++cell)
            if (results.there(cell, pair)) rows.emplace_back(cell, pair);
    py::list maps, labels;
    std::vector<std::int64_t> starts, repetitions;
    std::vector<py::list> axes(plan.axes.size());
    for (const auto& [cell, pair] : rows) {
        const std::size_t repetition = pair % static_cast<std::size_t>(plan.repetitions);
        maps.append(plan.maps[static_cast<std::size_t>(results.map_of(pair))].name);
        starts.push_back(plan.starts[pair / static_cast<std::size_t>(plan.repetitions) % plan.starts.size()]);
        repetitions.push_back(static_cast<std::int64_t>(repetition));
        labels.append(plan.cells[cell].label);
        for (std::size_t a = 0; a < axes.size(); ++a) axes[a].append(plan.cells[cell].values[a]);
    }
    py::dict out;
    out["map"] = maps;
    out["start"] = py::array_t<std::int64_t>(static_cast<py::ssize_t>(starts.size()), starts.data());
    out["repetition"] = py::array_t<std::int64_t>(static_cast<py::ssize_t>(repetitions.size()), repetitions.data());
    out["cell"] = labels;
    for (std::size_t a = 0; a < axes.size(); ++a) out[py::str(plan.axes[a])] = axes[a];
    for (const std::string& metric : plan.metrics) {
        const std::vector<std::vector<double>> values = results.metric(metric);
        py::array_t<double> column(static_cast<py::ssize_t>(rows.size()));
        for (std::size_t i = 0; i < rows.size(); ++i)
            column.mutable_at(static_cast<py::ssize_t>(i)) = values[rows[i].first][rows[i].second];
        out[py::str(metric)] = column;
    }
    return out;
}

}  // namespace

void bind_sweeps(py::module_& module) {
    py::class_<SweepPlan>(module, "SweepPlan", "Every run of a sweep; see outrider.Sweep.")
        .def(py::init([](const std::string& path, int shards) { return read_sweep(path, shards); }), py::arg("path"),
             py::arg("shards"))
        .def_readonly("name", &SweepPlan::name)
        .def_readonly("metrics", &SweepPlan::metrics)
        .def_readonly("axes", &SweepPlan::axes)
        .def_property_readonly("cells",
                               [](const SweepPlan& plan) {
                                   std::vector<std::string> labels;
                                   for (const SweepCell& cell : plan.cells) labels.push_back(cell.label);
                                   return labels;
                               })
        .def_property_readonly("runs", &SweepPlan::runs)
        .def(
            "write", [](const SweepPlan& plan, const std::string& folder) { write_plan(plan, folder); },
            py::arg("folder"));
    module.def("do_sweep", &do_sweep, py::arg("folder"), py::arg("jobs"), py::arg("retry"), py::arg("mix"),
               py::arg("allow_external"));
    module.def("sweep_columns", &sweep_columns, py::arg("folder"));
    module.def(
        "sweep_report",
        [](const std::string& folder, const std::string& path, bool overwrite) {
            Results results(folder + "/results.sqlite");
            return write_report(results, path,
                                {fmt::format("outrider sweep report {} -o {}", shell_word(folder), shell_word(path))},
                                overwrite);
        },
        py::arg("folder"), py::arg("path"), py::arg("overwrite"));
}

}  // namespace outrider::python
