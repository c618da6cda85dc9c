#include "simulation/simulation.hpp"

#include "base/image.hpp"
#include "base/output.hpp"
#include "base/version.hpp"
#include "metrics/metrics.hpp"
#include "outrider/error.hpp"
#include "pictures/picture.hpp"
#include "python/bindings.hpp"
#include "robot/registry.hpp"
#include "robot/robot.hpp"
#include "run/run.hpp"

namespace outrider::python {
namespace {

/// A simulation as Python has it: with views of beliefs that end with their step, and tracks.
class PySimulation {
  public:
    PySimulation(const Wanted& wanted, int threads, const std::string& log, const std::string& level,
                 const py::object& decide)
        : decide_(decide) {
        SimulationOptions options;
        options.threads = threads;
        options.log_path = log;
        options.log_level = named<LogLevel>(level, log_level_names, "log_level");
        if (!decide.is_none())
            options.strategies = [this](const Briefing& briefing, const std::string& text) {
                return strategy_for(briefing, text);
            };
        const Scenarios scenarios = scenarios_of(wanted, notes_);
        const auto make = [make = scenarios.make, log, prepared = log.empty()](std::uint64_t seed) mutable {
            Scenario scenario = make(seed);
            if (!std::exchange(prepared, true)) prepare_database(log, false);  // a scenario that fails leaves no log
            return scenario;
        };
        sim_.emplace(make, scenarios.seed, options);
        watch();
    }
    /// A run as that of `other` is now, which goes its own way. Raises NotImplementedError where there can be none.
    PySimulation(const PySimulation& other) : decide_(other.decide_), notes_(other.notes_), sim_(other.sim_->copy()) {
        if (!sim_) refuse_copy();
        begin_moment();
        tracks_.emplace(*other.tracks_, sim_->driver());
        sim_->add_observer(*tracks_);
    }
    // Its own functions are called back, so it stays where it is.
    PySimulation& operator=(const PySimulation&) = delete;

    void step() {
        expect_going();
        if (sim_->perceived()) fail("step: perceive() was called; act() ends this step");
        begin_moment();
        unlocked([&] { sim_->step(); });
    }
    void perceive() {
        expect_going();
        if (sim_->perceived()) fail("perceive: it was called before in this step; act() ends the step");
        begin_moment();
        unlocked([&] { sim_->perceive(); });
    }
    void act(const py::dict& intents) {
        expect_going();
        if (!sim_->perceived()) fail("act: perceive() comes before it");
        for (const auto& [robot, intent] : intents)
            sim_->set_intent(robot_of(py::reinterpret_borrow<py::object>(robot)),
                             intent_of(py::reinterpret_borrow<py::object>(intent)));
        begin_moment();
        unlocked([&] { sim_->act(); });
    }
    std::string run() {
        while (!sim_->done()) {
            step();
            if (PyErr_CheckSignals() != 0) {
                sim_->finish();
                throw py::error_already_set();
            }
        }
        return finish();
    }
    std::string finish() {
        sim_->finish();
        return *reason();
    }
    void reset(std::uint64_t seed) {
        begin_moment();
        sim_->reset(seed);
        watch();
    }

    BeliefView belief(const py::object& robot) const {
        return {sim_->team()[static_cast<std::size_t>(robot_of(robot))].belief(), moment_};
    }
    std::vector<std::string> robots() const {
        std::vector<std::string> names;
        for (const RobotEntry& r : sim_->scenario().robots)
            if (r.role != Role::base) names.push_back(r.name);
        return names;
    }
    bool done() const { return sim_->done(); }
    std::uint64_t seed() const { return sim_->scenario().run.seed; }
    bool perceived() const { return sim_->perceived(); }
    int steps_done() const { return sim_->progress().steps; }
    std::string digest() const { return sim_->progress().digest.hex(); }
    const Notes& notes() const { return notes_; }
    std::string scenario_toml() const { return sim_->scenario().resolved(); }
    std::optional<std::string> reason() const {
        const auto end = sim_->end();
        return end ? std::optional(std::string(end_reason_names[static_cast<std::size_t>(*end)])) : std::nullopt;
    }

    /// (of the team by metric, of each robot by name and metric)
    std::pair<py::dict, py::dict> metrics() const {
        py::dict team, robots;
        const std::vector<RobotEntry>& entries = sim_->scenario().robots;
        const auto summary =
            sim_->metrics().summary(sim_->end().value_or(EndReason::interrupted), sim_->scenario().run.steps);
        for (const SummaryValue& v : summary) {
            const py::str name{std::string(v.metric->name)};
            if (v.robot < 0) {
                team[name] = v.value;
                continue;
            }
            const py::str robot{entries[static_cast<std::size_t>(v.robot)].name};
            if (!robots.contains(robot)) robots[robot] = py::dict();
            robots[robot][name] = v.value;
        }
        return {team, robots};
    }
    py::dict columns() const { return metric_columns(sim_->metrics().steps()); }
    py::dict tracks() const {
        py::dict out;
        const std::vector<RobotEntry>& entries = sim_->scenario().robots;
        for (std::size_t i = 0; i < entries.size() && i < tracks_->tracks().size(); ++i)
            if (entries[i].role != Role::base)
                out[py::str(entries[i].name)] = points_array(tracks_->tracks()[i], sim_->scenario().team_origin_m());
        return out;
    }
    py::bytes picture() const {
        const Scenario& s = sim_->scenario();
        const auto& rows = sim_->metrics().steps();
        const double share = rows.empty() ? 0 : rows.back().team_share;
        const std::string caption = fmt::format("{}: {} robots, {} steps, team knows {:.1f} %", s.name, s.team.robots,
                                                rows.size(), 100 * share);
        scene::Stage stage(s);
        return encode_png(draw_run(moment_of(*sim_, tracks_->tracks(), stage), caption));
    }

  private:
    /// Does something while other threads of Python may run. A run that fails is over, and its log finished; Ctrl-C in
    /// a strategy is passed on as such.
    template <class Part>
    void unlocked(Part&& part) {
        try {
            const py::gil_scoped_release released;
            part();
        } catch (const RunFailure&) {
            sim_->finish();
            if (!take_interrupt()) throw;
            PyErr_SetNone(PyExc_KeyboardInterrupt);
            throw py::error_already_set();
        }
    }
    /// What has been looked at so far is over.
    void begin_moment() {
        if (moment_) *moment_ = false;
        moment_ = std::make_shared<bool>(true);
    }
    void expect_going() const {
        if (sim_->done()) fail("the run is over ({}); reset(seed) begins another one", *reason());
    }
    void watch() {
        begin_moment();
        tracks_.emplace(sim_->driver());
        sim_->add_observer(*tracks_);
    }
    RobotId robot_of(const py::object& robot) const { return robot_named(sim_->scenario(), robot); }
    std::unique_ptr<Strategy> strategy_for(const Briefing& briefing, const std::string& text) const {
        const py::gil_scoped_acquire lock;
        py::object object = decide_(briefing.me().name, text);
        return object.is_none() ? nullptr : python_strategy(std::move(object));
    }

    py::object decide_;
    Notes notes_;
    std::optional<Simulation> sim_;
    std::optional<TrackRecorder> tracks_;  // watches sim_
    Validity moment_;
};

}  // namespace

void refuse_copy() {
    PyErr_SetString(PyExc_NotImplementedError, "it can be copied only by taking its steps again");
    throw py::error_already_set();
}

void bind_simulation(py::module_& module) {
    py::class_<PySimulation>(module, "Simulation")
        .def(py::init<const PySimulation&>(), py::arg("other"),
             "A copy of another one, at the same moment. Raises NotImplementedError where there can be none.")
        .def(py::init([](py::object scenario, py::dict settings, std::optional<std::string> strategy,
                         std::optional<std::string> folder, int threads, const std::string& log,
                         const std::string& log_level, const py::object& decide) {
                 return std::make_unique<PySimulation>(
                     Wanted{std::move(scenario), std::move(settings), std::move(strategy), std::move(folder)}, threads,
                     log, log_level, decide);
             }),
             py::arg("scenario"), py::kw_only(), py::arg("settings") = py::dict(), py::arg("strategy") = py::none(),
             py::arg("folder") = py::none(), py::arg("threads") = 0, py::arg("log") = "",
             py::arg("log_level") = "poses", py::arg("decide") = py::none())
        .def("step", &PySimulation::step, "One step of all robots.")
        .def("perceive", &PySimulation::perceive,
             "First half of a step: what the robots sense and hear. Their beliefs then are those of this step.")
        .def("act", &PySimulation::act, py::arg("intents") = py::dict(),
             "Second half: the robots decide and move. intents: by robot (name or number), an Intent or an action for "
             "those whose strategy is 'remote'; it holds until another one is set.")
        .def("run", &PySimulation::run, "Steps to the end; returns the reason. Ctrl-C finishes the log and raises.")
        .def("finish", &PySimulation::finish, "Ends the run and its log; returns the reason.")
        .def("reset", &PySimulation::reset, py::arg("seed"),
             "Begins anew with another seed, exactly as a new simulation with that seed would. No log is written.")
        .def("belief", &PySimulation::belief, py::arg("robot"), py::keep_alive<0, 1>(),
             "What a robot (name or number) knows; a view until the next step.")
        .def_property_readonly("robots", &PySimulation::robots, "Names of the robots, base stations left out.")
        .def_property_readonly("done", &PySimulation::done, "Whether the run is over.")
        .def_property_readonly("reason", &PySimulation::reason, "Why it ended; None while it goes on.")
        .def_property_readonly("steps_done", &PySimulation::steps_done)
        .def_property_readonly("seed", &PySimulation::seed, "Of this run: the one it was made or reset with.")
        .def_property_readonly("perceived", &PySimulation::perceived, "Whether act() comes next, after perceive().")
        .def_property_readonly("digest", &PySimulation::digest,
                               "Hash of all steps so far: two runs with the same one went the same way.")
        .def_property_readonly("notes", &PySimulation::notes, "What the scenario's maker should know: list of str.")
        .def_property_readonly("toml", &PySimulation::scenario_toml, "The scenario with all its values, as TOML.")
        .def_property_readonly("summary", &PySimulation::metrics,
                               "Metrics up to now: a dict of the team, and a dict of dicts by robot. nan: never.")
        .def_property_readonly("columns", &PySimulation::columns, "Metrics of each step: float64 arrays by name.")
        .def_property_readonly("tracks", &PySimulation::tracks,
                               "By robot the path it drove: float64 array (n, 2), metres from the map's lower left "
                               "corner.")
        .def("png", &PySimulation::picture, "Picture of what the team knows, with the tracks: bytes of a PNG.");
    module.def(
        "strategies",
        [] {
            py::dict out;
            for (const StrategyInfo& s : strategies()) out[py::str(s.name)] = s.summary;
            return out;
        },
        "The strategies of the program: name and summary.");
    module.attr("version") = std::string(version());
}

}  // namespace outrider::python
