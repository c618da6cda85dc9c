#include "base/programs.hpp"
#include "log/log_reader.hpp"
#include "log/replay.hpp"
#include "metrics/metric_list.hpp"
#include "outrider/error.hpp"
#include "python/bindings.hpp"
#include "simulation/rerun.hpp"

namespace outrider::python {
namespace {

/// The log of a run, as Python has it.
class Log {
  public:
    explicit Log(const std::string& path) : log_(path), steps_(log_.steps()), scenario_(log_.scenario()) {}
    Log(const Log&) = delete;
    Log& operator=(const Log&) = delete;

    py::dict meta() const {
        py::dict out;
        for (const auto& [key, value] : log_.meta()) out[py::str(key)] = value;
        return out;
    }
    std::vector<std::string> robots() const {
        std::vector<std::string> names;
        for (const RobotEntry& r : scenario_.robots)
            if (r.role != Role::base) names.push_back(r.name);
        return names;
    }
    std::string scenario_toml() const { return scenario_.resolved(); }
    const std::vector<std::string>& damaged() const { return steps_.damaged; }
    py::dict columns() const { return metric_columns(steps_.metrics); }
    /// By robot, (n, 3): where it truly was after each step, and its heading, in the frame of the map.
    py::dict poses() const {
        if (steps_.poses.empty()) fail("{}: a log of the level metrics has no poses", log_.path());
        py::dict out;
        const Point origin = scenario_.team_origin_m();
        for (std::size_t i = 0; i < scenario_.robots.size(); ++i) {
            if (scenario_.robots[i].role == Role::base) continue;
            py::array_t<double> rows({static_cast<py::ssize_t>(steps_.poses.size()), py::ssize_t{3}});
            auto at = rows.mutable_unchecked<2>();
            for (std::size_t k = 0; k < steps_.poses.size(); ++k) {
                const auto row = static_cast<py::ssize_t>(k);
                at(row, 0) = steps_.poses[k][i].x + origin.x;
                at(row, 1) = steps_.poses[k][i].y + origin.y;
                at(row, 2) = steps_.poses[k][i].yaw;
            }
            out[py::str(scenario_.robots[i].name)] = rows;
        }
        return out;
    }
    /// What a robot knew at a step.
    BeliefView belief(const py::object& robot, int step) {
        const RobotId id = robot_named(scenario_, robot);
        go_to(step);
        return {replay_->team()[static_cast<std::size_t>(id)].belief(), moment_};
    }
    /// What its strategy showed of its reasons at a step: a list of dicts.
    py::list why(const py::object& robot, int step) {
        const RobotId id = robot_named(scenario_, robot);
        go_to(step);
        py::list out;
        for (const Overlay& o : replay_->decisions()[static_cast<std::size_t>(id)].overlays) {
            py::dict one;
            one["layer"] = o.layer;
            one["meaning"] = std::string(overlay_meaning_names[static_cast<std::size_t>(o.meaning)]);
            one["text"] = o.text;
            one["points"] = points_array(o.points, {});
            one["values"] = py::array_t<double>(static_cast<py::ssize_t>(o.values.size()), o.values.data());
            out.append(one);
        }
        return out;
    }
    /// Runs it again; the first step that differs, none: all are the same.
    std::optional<int> first_difference(bool allow_external) {
        if (allow_external) allow_all_programs();
        const auto kind = log_.meta().find("open_loop");
        if (kind != log_.meta().end())
            fail("{}: the decisions of an open loop had no effect; run it again as a log", log_.path());
        SimulationOptions options;
        options.orders = log_.orders();
        options.stop_after = steps_.steps.empty() ? 0 : steps_.steps.back() + 1;
        const py::gil_scoped_release released;
        Simulation again(scenario_, options);
        HashCheck check(steps_);
        again.add_observer(check);
        again.run();
        if (check.divergence()) return check.divergence()->step;
        return {};
    }

  private:
    void go_to(int step) {
        if (!replay_) {
            if (log_.level() != LogLevel::full)
                fail("{}: what robots knew is in logs of the level full alone; this one has the level {}", log_.path(),
                     log_.meta().at("level"));
            replay_.emplace(log_);
        }
        if (moment_ && replay_->step() == step) return;
        if (moment_) *moment_ = false;
        moment_.reset();
        if (!replay_->seek(step))
            fail("{}: step {} is not in it; it has {}", log_.path(), step,
                 steps_.steps.empty() ? "none" : fmt::format("{} to {}", steps_.steps.front(), steps_.steps.back()));
        moment_ = std::make_shared<bool>(true);
    }

    LogReader log_;
    LogSteps steps_;
    Scenario scenario_;
    std::optional<Replay> replay_;
    Validity moment_;
};

}  // namespace

void bind_logs(py::module_& module) {
    py::class_<Log>(module, "Log", "The log of a run.")
        .def(py::init<const std::string&>(), py::arg("path"))
        .def_property_readonly("meta", &Log::meta, "What the log says of itself: a dict of str.")
        .def_property_readonly("robots", &Log::robots, "Names of the robots, base stations left out.")
        .def_property_readonly("toml", &Log::scenario_toml, "The scenario with all its values, as TOML.")
        .def_property_readonly("damaged", &Log::damaged, "Parts that could not be read: list of str.")
        .def_property_readonly("steps", &Log::columns, "Metrics of each step: float64 arrays by name.")
        .def_property_readonly("poses", &Log::poses,
                               "By robot, where it truly was: float64 array (steps, 3), metres from the map's lower "
                               "left corner and radians.")
        .def("belief", &Log::belief, py::arg("robot"), py::arg("step"), py::keep_alive<0, 1>(),
             "What a robot (name or number) knew at a step; a view until another step is asked for. Full logs alone.")
        .def("why", &Log::why, py::arg("robot"), py::arg("step"),
             "What its strategy showed of its reasons at a step: dicts with layer, meaning, text, points (n, 2) in "
             "metres of the robots' frame, values. Full logs alone.")
        .def("first_difference", &Log::first_difference, py::arg("allow_external") = false,
             "Runs it again: the first step that differs from the log; None: the run is the same.");
}

}  // namespace outrider::python
