// outrider run
#include <fmt/ranges.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <optional>

#include "base/input.hpp"
#include "base/output.hpp"
#include "base/percentile.hpp"
#include "base/progress.hpp"
#include "cli/batch/reference_flags.hpp"
#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "cli/logged.hpp"
#include "cli/run_flags.hpp"
#include "cli/run_summary.hpp"
#include "live/foxglove_observer.hpp"
#include "log/log_reader.hpp"
#include "log/orders_file.hpp"
#include "metrics/group.hpp"
#include "net/visitors.hpp"
#include "outrider/error.hpp"
#include "pictures/picture.hpp"
#include "player/page.hpp"
#include "player/page_observer.hpp"
#include "player/run_link.hpp"
#include "robot/registry.hpp"
#include "simulation/simulation.hpp"

namespace outrider {
namespace {

/// How far the run is: on a terminal as a Work, elsewhere a line for every tenth of the area.
class Progress final : public Observer {
  public:
    Progress(const Scenario& scenario, const Metrics& metrics)
        : metrics_(metrics), limit_(scenario.run.steps), work_(terminal_text("{}", scenario.name)) {}
    void on_step(const StepView&) override {
        const StepMetrics& row = metrics_.steps().back();
        const auto now = std::chrono::steady_clock::now();
        if (Work::watched() ? now - last_ < std::chrono::milliseconds(100) : row.team_share < next_share_) return;
        last_ = now;
        while (next_share_ <= row.team_share) next_share_ += 0.1;
        const TerminalText text = terminal_text(
            "step {:5} of {}  team knows {:5.1f} %  base {:5.1f} %  {} of {} linked{}", row.step, limit_,
            100 * row.team_share, 100 * row.base_share, row.connected, row.alive, Work::watched() ? "" : "\n");
        Work::watched() ? work_.at(text) : print_aside(text);
    }

  private:
    const Metrics& metrics_;
    int limit_;
    Work work_;
    std::chrono::steady_clock::time_point last_{};
    double next_share_ = 0.1;
};

/// Writes the rows of each step at once. When the disk is full the run continues without: its log may be on another
/// disk.
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

/// Of RUSAGE_SELF or of RUSAGE_CHILDREN (programs that ended and were waited for).
double cpu_seconds(int who) {
    rusage usage;
    getrusage(who, &usage);
    return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

double peak_megabytes() {
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024;
}

std::vector<StopWhen> stops_of(const RunFlags& flags) {
    std::vector<StopWhen> stops;
    for (const std::string& text : flags.stop_when) stops.push_back(StopWhen::read(text));
    return stops;
}

/// `programs_s`: the part of the CPU time that other programs took; the times of single steps do not include it.
void print_costs(Timing timing, const std::vector<RobotEntry>& robots, double cpu_s, double programs_s) {
    std::vector<float>& steps = timing.steps_cpu_s;
    std::sort(steps.begin(), steps.end());
    print_plain(
        "cost                 {:.3f} ms CPU per step ({:.2f} s in all{}); median {:.3f} ms, p99 {:.3f} ms{}; peak "
        "{:.0f} MB\n",
        1000 * cpu_s / static_cast<double>(steps.size()), cpu_s,
        programs_s > 0 ? fmt::format(", {:.2f} s of it in external programs", programs_s) : "",
        1000 * percentile(steps, 0.5), 1000 * percentile(steps, 0.99), programs_s > 0 ? " without these" : "",
        peak_megabytes());
    const auto longest = std::max_element(timing.longest_part.begin(), timing.longest_part.end(),
                                          [](const auto& a, const auto& b) { return a.seconds < b.seconds; });
    if (longest != timing.longest_part.end())
        print_plain("longest choice       {:.3f} ms, of {} in step {}\n", 1000 * longest->seconds,
                    robots[static_cast<std::size_t>(longest - timing.longest_part.begin())].name, longest->step);
}

/// The files that a run writes beside its log.
struct Outputs {
    std::unique_ptr<OutputFile> csv, png, html;
    std::optional<TakenName> log;
    std::string log_path;  ///< empty: no log
    Outputs(const RunFlags& flags, const Scenario& scenario) {
        std::vector<std::string> inputs = flags.scenario.inputs();
        inputs.push_back(scenario.map_path);
        expect_distinct(flags, {"csv", "png", "html", "log-file"}, inputs);
        if (flags.csv) csv = std::make_unique<OutputFile>(*flags.csv, flags.force);
        if (flags.png) png = std::make_unique<OutputFile>(*flags.png, flags.force);
        if (flags.html) html = std::make_unique<OutputFile>(*flags.html, flags.force);
        if (csv) CsvWriter::write_header(*csv);
        if (flags.log.value == "none") return;
        log.emplace(
            take_log_name(flags.log_file, flags.force, scenario));  // last: when anything above fails, there is no log
        log_path = log->path();
    }
};

Scenario make_run(const RunFlags& flags) {
    if (flags.range) fail("--range: expected --replay with the log of a real robot, too");
    Notes notes;
    Scenario scenario = scenario_from(flags.scenario, notes);
    if (!flags.quiet)
        for (const std::string& note : notes) print_aside("note: {}\n", note);
    if (flags.log.value == "none" && flags.log_file)
        fail("--log none: no log is written, so that --log-file has nothing to name");
    return scenario;
}

std::vector<OperatorOrder> read_orders_of(const RunFlags& flags, const Scenario& scenario) {
    constexpr std::string_view what = "the orders of an operator";
    if (!flags.orders) return {};
    if (scenario.script) fail("--operator: robots that follow a script take no orders");
    if (*flags.orders == "-") return read_orders(read_standard_input(what), "standard input", scenario);
    return read_orders(read_text_file(*flags.orders, what), *flags.orders, scenario);
}

void print_start(const Scenario& s) {
    print_aside("{}: {} robot{}, {} base{}, strategy {}, {} cells of {} m\n", s.name, s.team.robots,
                s.team.robots == 1 ? "" : "s", s.team.bases, s.team.bases == 1 ? "" : "s", strategies_of(s, false),
                fmt::format("{}x{}", s.walls.width(), s.walls.height()), s.map.cell_m);
}

void write_picture(OutputFile& png, const Simulation& sim, const TrackRecorder& tracks,
                   const std::vector<SummaryValue>& summary) {
    const Scenario& s = sim.scenario();
    const SummaryWords words(summary, sim.driver());
    const std::string caption = fmt::format("{}: {}, {} robots, {:.0f} steps, team knows {:.1f} %, base {:.1f} %",
                                            s.name, strategies_of(s, false), s.team.robots, words["steps"],
                                            100 * words["final_team"], 100 * words["final_base"]);
    scene::Stage stage(s);
    png.write(encode_png(draw_run(moment_of(sim, tracks.tracks(), stage), caption)));
}

void print_log(const Hash128& digest, const std::string& path) {
    if (path.empty())
        print_plain("hash of all steps    {}\n", digest.hex());
    else
        print_plain("log                  {}\ndigest               {}\n", path, LogReader(path).digest().hex());
}

/// For Foxglove; nullptr: nobody is to look on.
std::unique_ptr<FoxgloveServer> listen_for_viewers(const RunFlags& flags, const Scenario& scenario) {
    if (!flags.foxglove) return nullptr;
    return std::make_unique<FoxgloveServer>(flags.listen.value_or("127.0.0.1"), *flags.foxglove,
                                            "Outrider: " + scenario.name, checked_origins(flags.allow_origin));
}

int run_scenario(const RunFlags& flags) {
    for (const char* flag : {"speed", "listen", "allow-origin"})
        if (given(flags, flag) && !flags.foxglove) fail("--{}: expected --foxglove PORT, too", flag);
    if (flags.reference.folder && flags.json) fail("--reference does not go with --json; outrider compare has both");
    if (flags.quiet) Work::hide();
    if (flags.replay) return run_open_loop(flags);
    const double foreign_cpu_s = cpu_seconds(RUSAGE_CHILDREN);  // of a shell whose place this program took (tools/run)
    Scenario made = make_run(flags);
    flags.reference.expect_fits(made);
    expect_programs_allowed(made);  // before an old log is overwritten
    std::vector<OperatorOrder> orders = read_orders_of(flags, made);
    if (flags.playable && !flags.html) fail("--playable: expected --html FILE, too");
    if (flags.link && flags.json) fail("--link does not go with --json, which prints the summary alone");
    const bool for_browsers = flags.link || flags.playable;
    if (for_browsers && flags.orders) fail("--link and --playable do not go with --operator: a page takes no orders");
    const std::string address = for_browsers ? run_address(made) : "";
    if (flags.playable) playable_page(*flags.playable, "");
    const std::atomic<bool>& interrupted = catch_interrupts();
    const std::unique_ptr<FoxgloveServer> viewers = listen_for_viewers(flags, made);  // likewise
    Outputs outputs(flags, made);
    SimulationOptions options;
    options.threads = flags.threads.value_or(0);
    options.log_level = log_level(flags.log.value);
    options.log_path = outputs.log_path;
    options.interrupted = &interrupted;
    options.orders = std::move(orders);
    options.overlays = outputs.html != nullptr || flags.foxglove;

    std::optional<Simulation> run(std::in_place, std::move(made), options);
    Simulation& sim = *run;
    const Scenario& scenario = sim.scenario();
    std::optional<CsvWriter> rows;
    if (outputs.csv) sim.add_observer(rows.emplace(*outputs.csv, sim.metrics()));
    TrackRecorder tracks(sim.driver());
    if (outputs.png) sim.add_observer(tracks);
    std::optional<PlayerRecorder> recorder;
    std::optional<PageObserver> page;
    if (outputs.html && !flags.playable) {
        recorder.emplace(scenario, sim.driver().world().walls());
        sim.add_observer(page.emplace(sim, *recorder, true));
    }
    std::optional<Progress> progress;
    if (!flags.quiet) sim.add_observer(progress.emplace(scenario, sim.metrics()));
    if (!flags.quiet) print_start(scenario);

    Health health(stops_of(flags));
    sim.add_observer(health);
    std::optional<FoxgloveObserver> watched;
    if (viewers) {
        sim.add_observer(watched.emplace(sim, *viewers, flags.speed.value_or(10)));
        print_aside("foxglove: open {} (connection: Foxglove WebSocket); the run begins when a topic is shown\n",
                    viewers->url());
        watched->wait_for_viewer(interrupted);
    }
    while (!sim.done() && !health.stop()) sim.step();
    if (viewers) {
        watched->finish();
        for (const std::string& complaint : viewers->take_complaints()) print_aside("note: foxglove: {}\n", complaint);
    }
    const EndReason reason = sim.finish();
    const double own_cpu_s = cpu_seconds(RUSAGE_SELF);
    progress.reset();

    const auto summary = sim.metrics().summary(reason, scenario.run.steps);
    const std::optional<TourPlan::Times> reference = reference_of(sim.scenario(), flags.reference);
    if (flags.json) {
        print_plain("{}", Lines{summary_json(sim, reason, summary, health, outputs.log_path)});
    } else {
        print_summary(sim, reason, summary);
        print_standstills(sim);
        if (reference) print_reference(sim, *reference);
        print_health(health, sim, outputs.log_path);
    }
    if (outputs.png) write_picture(*outputs.png, sim, tracks, summary);
    if (recorder) {
        const std::string again = outputs.log_path.empty() ? "" : "outrider rerun " + outputs.log_path;
        recorder->settle(sim.team());
        PlayedRun played{*recorder, page_caption(sim, reason, again)};
        if (reference) played.caption.renew(reference_rows(sim.metrics().steps(), *reference));
        outputs.html->write(player_page(std::span(&played, 1)));
    }
    const std::vector<RobotEntry> robots = scenario.robots;
    const Timing timing = sim.progress().timing;
    const Hash128 digest = sim.progress().digest;
    const std::string whole =  // with the hash of a run that came to its end
        address + (reason == EndReason::interrupted ? "" : "&hash=" + digest.hex());
    if (flags.playable) outputs.html->write(playable_page(*flags.playable, whole));
    run.reset();  // ends the programs of the robots: only then is their CPU time known
    const double programs_cpu_s = cpu_seconds(RUSAGE_CHILDREN) - foreign_cpu_s;
    if (!flags.json) print_costs(timing, robots, own_cpu_s + programs_cpu_s, programs_cpu_s);
    if (rows && rows->failure().empty()) {
        outputs.csv->commit();
        if (!flags.json) print_plain("csv                  {}\n", outputs.csv->path());
    }
    if (outputs.png) {
        outputs.png->commit();
        if (!flags.json) print_plain("picture              {}\n", outputs.png->path());
    }
    if (outputs.html) {
        outputs.html->commit();
        if (!flags.json) print_plain("page                 {}\n", outputs.html->path());
    }
    if (!flags.json) print_log(digest, outputs.log_path);
    if (flags.link && !flags.json) print_plain("link                 {}#{}\n", *flags.link, whole);
    if (rows && !rows->failure().empty()) throw RunFailure(rows->failure());
    return reason == EndReason::interrupted && !health.stop() ? 130 : 0;
}

}  // namespace

void RunFlags::fields(Flags& f) {
    scenario.fields(f);
    f("threads", threads, 0, 256, "N",
      "threads; 0: one for every sixteen robots, at most one per core; the result is the same");
    f("csv", csv, "FILE", "write a row of metrics per step");
    f("png", png, "FILE", "write a picture of the map with the tracks");
    f("html", html, "FILE", "write a page that plays the run in a browser, without a network");
    f("playable", playable, "PAGE",
      "with --html: the page of tools/browser, so that FILE runs the scenario itself, and goes on from any step");
    f("foxglove", foxglove, 0, 65535, "PORT",
      "show the run in Foxglove as it goes: waits for a viewer at ws://127.0.0.1:PORT; 0: any free port");
    f.number("speed", speed, 0, 1000, "", "X",
             "with --foxglove: times simulated time, otherwise 10; 0: as fast as possible");
    f("listen", listen, "ADDRESS", "with --foxglove: where to listen; 0.0.0.0: for other machines, too");
    f("allow-origin", allow_origin, "ORIGIN",
      "with --foxglove: let web pages of this origin look on, too: https://app.foxglove.dev; may be repeated");
    f("link", link, "PAGE",
      "print the link at which the page of tools/browser, wherever it is (https://..., index.html), makes this run");
    f("log", log, "LEVEL",
      "what the log holds: none, metrics, poses, or full (all that robots perceive, say and decide)")
        .choose(log_level_names);
    f("log-file", log_file, "FILE", "where the log goes; otherwise a new name in logs/");
    f("force", force, "overwrite output files that exist");
    reference.fields(f);
    f("json", json, "the summary as JSON");
    f("quiet", quiet, "no progress, no notes");
    f("stop-when", stop_when, "CONDITION",
      "stop to look at it: idle=30 (a robot stands so many steps), goal-changes=2/5 (within so many steps), "
      "out-of-contact=50, unreachable=10; may be repeated");
    f("operator", orders, "FILE",
      "orders of an operator, a JSON line each (docs/operator.md); -: from the standard input, read to its end first");
    f("replay", replay, "LOG",
      "what --strategy would have decided on the percepts of this full log, or of the log of a real robot (open "
      "loop); with --log-file as a log");
    f("range", range, "M",
      "with the log of a real robot: readings of so many metres and more mean that nothing was seen; otherwise found "
      "out from the log");
}

Subcommand run_command() {
    return subcommand<RunFlags, run_scenario>(
        {"run", "Run a scenario, or a map with a team placed on it.\n", "[OPTION...] SCENARIO.toml"}, "run a scenario");
}

}  // namespace outrider
