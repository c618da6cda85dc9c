// outrider run
#include <fmt/ranges.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <filesystem>

#include "base/output.hpp"
#include "base/percentile.hpp"
#include "cli/arguments.hpp"
#include "cli/interrupt.hpp"
#include "cli/open_loop.hpp"
#include "outrider/error.hpp"
#include "run/log_reader.hpp"
#include "run/picture.hpp"
#include "run/simulation.hpp"

namespace outrider {
namespace {

/// A line on the terminal that is rewritten; elsewhere a line for every tenth of the area.
class Progress final : public Observer {
  public:
    explicit Progress(const Metrics& metrics) : metrics_(metrics), terminal_(isatty(STDERR_FILENO) != 0) {}
    ~Progress() override { clear(); }
    void on_step(const StepView&) override {
        const StepMetrics& row = metrics_.steps().back();
        const auto now = std::chrono::steady_clock::now();
        if (terminal_ ? now - last_ < std::chrono::milliseconds(100) : row.team_share < next_share_) return;
        last_ = now;
        while (next_share_ <= row.team_share) next_share_ += 0.1;
        print_aside("{}step {:5}  team knows {:5.1f} %  base {:5.1f} %  {} of {} robots linked to a base{}",
                    terminal_ ? "\r" : "", row.step, 100 * row.team_share, 100 * row.base_share, row.connected,
                    row.alive, terminal_ ? "\x1b[K" : "\n");
        shown_ = terminal_;
    }
    void clear() {
        if (shown_) std::fputs("\r\x1b[K", stderr);
        shown_ = false;
    }

  private:
    const Metrics& metrics_;
    bool terminal_, shown_ = false;
    std::chrono::steady_clock::time_point last_{};
    double next_share_ = 0.1;
};

/// Writes the rows per step as they come. When the disk is full the run goes on without: its log may lie elsewhere.
class CsvWriter final : public Observer {
  public:
    CsvWriter(OutputFile& file, const Metrics& metrics) : file_(file), metrics_(metrics) {}
    static void write_header(OutputFile& file) {
        file.write(step_csv_header());
        file.flush();  // a full disk is noticed before the run
    }
    void on_step(const StepView&) override {
        if (!failure_.empty()) return;
        try {
            file_.write(step_csv_row(metrics_.steps().back()));
        } catch (const Error& error) {
            failure_ = fmt::format("{}; nothing of it is kept", error.what());
        }
    }
    /// Empty when all rows were written.
    const std::string& failure() const { return failure_; }

  private:
    OutputFile& file_;
    const Metrics& metrics_;
    std::string failure_;
};

/// What the mobile robots do; "A and B" when they differ. As a part of a file name: bare names.
std::string strategies_of(const Scenario& scenario, bool bare) {
    if (scenario.script) return bare ? "imported" : "as imported";
    std::vector<std::string> names;
    for (const RobotEntry& r : scenario.robots) {
        if (r.role == Role::base) continue;
        const std::string name = bare ? strategy_name(r.strategy) : r.strategy;
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
    if (names.size() > 3) return bare ? "mixed" : fmt::format("{} different ones", names.size());
    return fmt::format("{}", fmt::join(names, bare ? "+" : " and "));
}

std::string free_log_path(const Scenario& scenario) {
    const std::string stem =
        fmt::format("logs/{}_{}_s{}", scenario.name, strategies_of(scenario, true), scenario.run.seed);
    for (int i = 1;; ++i) {
        std::string path = i == 1 ? stem + ".sqlite" : fmt::format("{}_{}.sqlite", stem, i);
        if (!std::filesystem::exists(path)) return path;
    }
}

double value_of(const std::vector<SummaryValue>& summary, std::string_view name) {
    for (const SummaryValue& v : summary)
        if (v.metric->name == name && v.robot < 0) return v.value;
    return std::nan("");
}

double cpu_seconds() {
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

double peak_megabytes() {
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024;
}

void print_summary(const Simulation& sim, EndReason reason, const std::vector<SummaryValue>& summary) {
    const auto get = [&](std::string_view name) { return value_of(summary, name); };
    const auto at = [&](std::string_view name) {
        const double v = get(name);
        return std::isnan(v) ? std::string("-") : fmt::format("{:.0f}", v);
    };
    const auto percent = [](double share) { return fmt::format("{:.2f} %", 100 * share); };
    fmt::print("ended after {:.0f} steps: {}\n\n", get("steps"), end_reason_texts[static_cast<std::size_t>(reason)]);
    fmt::print("                     team       base\n");
    fmt::print("known at the end {:>10} {:>10}   of {:.1f} m2 that can be sensed; {:.2f} m2 left\n",
               percent(get("final_team")), percent(get("final_base")),
               static_cast<double>(sim.metrics().coverage().sensable()) * std::pow(sim.scenario().map.cell_m, 2.0),
               get("area_left_m2"));
    for (const char* level : {"50", "90", "95", "99"})
        fmt::print("step of {} %     {:>10} {:>10}\n", level, at(fmt::format("t{}_team", level)),
                   at(fmt::format("t{}_base", level)));
    fmt::print("\nway driven           {:.1f} m in all, {:.1f} m at most by a robot, balance {:.2f}\n",
               get("distance_m"), get("distance_max_m"), get("balance"));
    fmt::print("sensed again         {:.2f} times the area\n", get("redundant_sensing"));
    fmt::print("news at the base     after {} steps in the mean, {} at most\n", at("latency_mean"), at("latency_max"));
    fmt::print("radio                {:.0f} messages, {:.1f} MB; linked to a base {:.0f} % of the time\n",
               get("messages"), get("bytes") / 1e6, 100 * get("connected_share"));
    fmt::print("map against truth    {} falsely free, {} falsely occupied\n", percent(get("falsely_free")),
               percent(get("falsely_occupied")));
    if (std::isnan(get("pose_error_m"))) return;
    fmt::print("poses                {:.3f} m off (rms), {:.2f} m at most; {:.0f} robots lost, {:.0f} maps broken\n",
               get("pose_error_m"), get("pose_error_max_m"), get("lost_robots"), get("broken_maps"));
}

void print_costs(const Simulation& sim, double cpu_s) {
    std::vector<float> steps = sim.progress().timing.steps_cpu_s;
    std::sort(steps.begin(), steps.end());
    fmt::print(
        "cost                 {:.3f} ms CPU per step ({:.2f} s in all); median {:.3f} ms, p99 {:.3f} ms; peak {:.0f} "
        "MB\n",
        1000 * cpu_s / static_cast<double>(steps.size()), cpu_s, 1000 * percentile(steps, 0.5),
        1000 * percentile(steps, 0.99), peak_megabytes());
}

}  // namespace

int run_command(const Arguments& arguments) {
    cxxopts::Options options("outrider run", "Run a scenario, or a map with a team placed on it.\n");
    add_scenario_options(options);
    options.add_options()("threads",
                          "threads; 0: one for every sixteen robots, at most one per core; the result is the same",
                          cxxopts::value<std::string>(),
                          "N")("csv", "write a row of metrics per step", cxxopts::value<std::string>(), "FILE")(
        "png", "write a picture of the map with the tracks", cxxopts::value<std::string>(), "FILE")(
        "log", "what the log holds: none, metrics, poses, or full (all that robots perceive, say and decide)",
        cxxopts::value<std::string>()->default_value("poses"),
        "LEVEL")("log-file", "where the log goes; otherwise a new name in logs/", cxxopts::value<std::string>(),
                 "FILE")("force", "overwrite output files that exist")("quiet", "no progress, no notes")(
        "replay",
        "what --strategy would have decided on the percepts of this full log, or of the log of a real robot (open "
        "loop); with --log-file as a log",
        cxxopts::value<std::string>(), "LOG")(
        "range",
        "with the log of a real robot: readings of so many metres and more mean that nothing was seen; otherwise found "
        "out from the log",
        cxxopts::value<std::string>(), "M");
    const auto result = parse_arguments(options, arguments);
    if (!result) return 0;
    if (result->count("replay")) return run_open_loop(*result);
    if (result->count("range")) fail("--range: expected --replay with the log of a real robot, too");
    const bool force = result->count("force") > 0, quiet = result->count("quiet") > 0;
    const auto threads = whole_number(*result, "threads", 0, 256);

    Notes notes;
    const Scenario scenario = scenario_from(*result, notes);
    if (!quiet)
        for (const std::string& note : notes) print_aside("note: {}\n", note);

    SimulationOptions sim_options;
    sim_options.threads = static_cast<int>(threads.value_or(0));
    sim_options.log_level = log_level((*result)["log"].as<std::string>());
    if (sim_options.log_level == LogLevel::none && result->count("log-file"))
        fail("--log none: no log is written, so that --log-file has nothing to name");
    expect_distinct(*result, {"csv", "png", "log-file"}, {scenario.map_path});
    sim_options.interrupted = &catch_interrupts();
    const auto output = [&](const char* option) {
        return result->count(option) ? std::make_unique<OutputFile>((*result)[option].as<std::string>(), force)
                                     : nullptr;
    };
    const std::unique_ptr<OutputFile> csv = output("csv"), png = output("png");
    if (csv) CsvWriter::write_header(*csv);
    if (sim_options.log_level != LogLevel::none) {  // last: when anything above fails, there is no log
        sim_options.log_path =
            result->count("log-file") ? (*result)["log-file"].as<std::string>() : free_log_path(scenario);
        prepare_database(sim_options.log_path, force);
    }

    Simulation sim(scenario, sim_options);
    std::unique_ptr<CsvWriter> rows;
    if (csv) sim.add_observer(*(rows = std::make_unique<CsvWriter>(*csv, sim.metrics())));
    TrackRecorder tracks(sim.driver());
    if (png) sim.add_observer(tracks);
    Progress progress(sim.metrics());
    if (!quiet) sim.add_observer(progress);
    if (!quiet)
        print_aside("{}: {} robot{}, {} base{}, strategy {}, {} cells of {} m\n", scenario.name, scenario.team.robots,
                    scenario.team.robots == 1 ? "" : "s", scenario.team.bases, scenario.team.bases == 1 ? "" : "s",
                    strategies_of(scenario, false),
                    fmt::format("{}x{}", scenario.walls.width(), scenario.walls.height()), scenario.map.cell_m);

    const EndReason reason = sim.run();
    const double cpu_s = cpu_seconds();
    progress.clear();

    const auto summary = sim.metrics().summary(reason, scenario.run.steps);
    print_summary(sim, reason, summary);
    print_costs(sim, cpu_s);
    if (csv && rows->failure().empty()) {
        csv->commit();
        fmt::print("csv                  {}\n", csv->path());
    }
    if (png) {
        const std::string caption =
            fmt::format("{}: {}, {} robots, {:.0f} steps, team knows {:.1f} %, base {:.1f} %", scenario.name,
                        strategies_of(scenario, false), scenario.team.robots, value_of(summary, "steps"),
                        100 * value_of(summary, "final_team"), 100 * value_of(summary, "final_base"));
        png->write(encode_png(draw_run(moment_of(sim, tracks.tracks()), caption)));
        png->commit();
        fmt::print("picture              {}\n", png->path());
    }
    if (sim_options.log_path.empty())
        fmt::print("hash of all steps    {}\n", sim.progress().digest.hex());
    else
        fmt::print("log                  {}\ndigest               {}\n", sim_options.log_path,
                   LogReader(sim_options.log_path).digest().hex());
    if (rows && !rows->failure().empty()) throw RunFailure(rows->failure());
    return reason == EndReason::interrupted ? 130 : 0;
}

}  // namespace outrider
