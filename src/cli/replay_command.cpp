// outrider replay
#include <cstdio>

#include "arguments/arguments.hpp"
#include "base/output.hpp"
#include "base/video.hpp"
#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "cli/logged.hpp"
#include "cli/run_page.hpp"
#include "log/replay.hpp"
#include "outrider/error.hpp"
#include "pictures/picture.hpp"
#include "recording/sensor_log_run.hpp"
#include "simulation/simulation.hpp"

namespace outrider {
namespace {

/// Which steps are drawn, and where to.
class Frames {
  public:
    Frames(const Logged& logged, int from, int to, int every) : logged_(logged), from_(from), to_(to), every_(every) {}
    void to_folder(std::string folder, bool force) {
        folder_ = std::move(folder);
        force_ = force;
        prepare_output(folder_ + "/000000.png", true);
    }
    void to_video(const std::string& path, int per_second, bool force) { video_.emplace(path, per_second, force); }
    bool wanted(int step) const { return step >= from_ && step <= to_ && (step - from_) % every_ == 0; }
    void draw(int step, const StepMetrics& row, const Moment& moment) {
        const std::string png = encode_png(
            draw_run(moment, fmt::format("{}: step {}, team knows {:.1f} %, base {:.1f} %", logged_.scenario.name, step,
                                         100 * row.team_share, 100 * row.base_share)));
        if (video_) video_->add(png);
        if (!folder_.empty()) {
            OutputFile file(fmt::format("{}/{:06}.png", folder_, step), force_);
            file.write(png);
            file.commit();
        }
        ++count_;
    }
    void finish() {
        if (video_) video_->finish();
    }
    int count() const { return count_; }

  private:
    const Logged& logged_;
    int from_, to_, every_;
    std::string folder_;
    bool force_ = false;
    std::optional<Video> video_;
    int count_ = 0;
};

/// Draws steps of a run in progress.
class LiveFrames final : public Observer {
  public:
    LiveFrames(const Simulation& sim, Frames& frames)
        : sim_(sim), tracks_(sim.driver()), stage_(sim.scenario()), frames_(frames) {}
    void on_step(const StepView& view) override {
        tracks_.on_step(view);
        if (frames_.wanted(view.step))
            frames_.draw(view.step, sim_.metrics().steps().back(), moment_of(sim_, tracks_.tracks(), stage_));
    }

  private:
    const Simulation& sim_;
    TrackRecorder tracks_;
    scene::Stage stage_;
    Frames& frames_;
};

/// Draws the steps out of a full log; false when interrupted.
bool draw_recorded(Logged& logged, Frames& frames) {
    const std::atomic<bool>& interrupted = catch_interrupts();
    Replay replay(logged.log);
    const Grid<std::uint8_t> walls = logged.walls(), sensable = *sensable_cells(logged.scenario);
    std::vector<std::vector<Point>> tracks(logged.scenario.robots.size());
    const LogSteps& steps = logged.steps;
    scene::Stage stage(logged.scenario);
    const std::vector<RunEvent> events = logged.log.events();
    Work work(terminal_text("drawing"));
    std::size_t k = 0;
    for (; k < steps.steps.size() && !interrupted; ++k) {
        work.at(k, steps.steps.size(), "steps");
        std::vector<Point> positions;
        // The track begins anew after a gap.
        const bool gap = k > 0 && steps.steps[k] > steps.steps[k - 1] + 1;
        for (std::size_t i = 0; i < tracks.size(); ++i) {
            if (gap)
                tracks[i].clear();
            else
                tracks[i].insert(tracks[i].end(), steps.paths[k][i].begin(), steps.paths[k][i].end());
            tracks[i].push_back(steps.poses[k][i].position());
            positions.push_back(tracks[i].back());
        }
        if (!frames.wanted(steps.steps[k]) || !replay.seek(steps.steps[k])) continue;
        std::vector<std::uint8_t> alive;
        for (const Percept& percept : replay.percepts()) alive.push_back(percept.alive);
        TrueView truth(logged.scenario.start_poses(), replay.team());
        truth.update(replay.team());
        frames.draw(steps.steps[k], steps.metrics[k],
                    {walls, sensable, replay.team(), positions, tracks, truth, alive,
                     stage.all({replay.view(), truth, steps.poses[k], events})});
    }
    for (const std::string& damaged : replay.damaged()) print_aside("note: left out, damaged: {}\n", damaged);
    if (k < steps.steps.size()) print_plain("interrupted before step {}\n", steps.steps[k]);
    return k == steps.steps.size();
}

/// Runs the scenario again and draws on the way; the exit code, 130 when interrupted.
int draw_again(const Logged& logged, int to, Frames* frames) {
    SimulationOptions options;
    options.interrupted = &catch_interrupts();
    options.orders = logged.orders;
    options.stop_after = std::min(logged.length(), to + 1);
    Simulation sim(logged.scenario, options);
    HashCheck check(logged.steps);
    StepCount count(options.stop_after);
    sim.add_observer(count);
    sim.add_observer(check);
    std::optional<LiveFrames> live;
    if (frames) sim.add_observer(live.emplace(sim, *frames));
    const bool whole = sim.run() != EndReason::interrupted;
    if (!whole) print_plain("interrupted before step {}\n", sim.progress().steps);
    const int code = report(check, logged);
    return whole ? code : 130;
}

void print_events(Logged& logged, int from, int to) {
    for (const LogReader::Event& e : logged.log.events())
        if (e.step >= from && e.step <= to)
            print_plain("step {:>6}  {:<12}{:<10}{}\n", e.step, e.kind,
                        e.robot ? e.robot->in(logged.scenario.robots).name : "", e.json == "{}" ? "" : e.json);
}

struct ReplayFlags {
    std::vector<std::string> files;
    std::optional<std::string> html, png, video;
    std::optional<int> from, to, every, fps;
    ReferenceFlags reference;
    bool force = false;
    void fields(Flags& f) {
        f("from", from, 0, INT32_MAX, "N", "first step");
        f("to", to, 0, INT32_MAX, "N", "last step");
        f("every", every, 1, INT32_MAX, "N", "a picture of every so many steps");
        allow_external(f);
        f("html", html, "FILE",
          "write a page that plays the whole run in a browser, without a network; of two logs: side by side");
        f("png", png, "DIR", "write pictures 000000.png, ... into this folder");
        f("video", video, "FILE", "write a video (.mp4, .webm, .gif), if ffmpeg is installed");
        f("fps", fps, 1, 240, "N", "pictures per second of the video");
        reference.fields(f);
        f("force", force, "overwrite files that exist");
        f.positional("files", files);
    }
    bool draws() const { return png || video; }
};

/// The steps asked for; throws where the log has none of them.
std::pair<int, int> steps_of(const ReplayFlags& flags, const Logged& logged) {
    const int end = std::max(0, logged.length() - 1);
    const int from = flags.from.value_or(0), to = flags.to.value_or(end);
    if (from > end) fail("--from {}: the last step of the log is {}", from, end);
    if (from > to) fail("--from {} is behind --to {}", from, to);
    return {from, to};
}

/// The logs that are named, those of recordings made now; none where it was interrupted.
std::vector<std::unique_ptr<WatchableLog>> logs_of(const std::vector<std::string>& files) {
    std::vector<std::unique_ptr<WatchableLog>> logs;
    for (const std::string& file : files) {
        const std::atomic<bool>& interrupted = catch_interrupts();
        std::vector<std::string> notes;
        logs.push_back(std::make_unique<WatchableLog>(file, notes, interrupted));
        for (const std::string& note : notes) print_aside("note: {}: {}\n", file, note);
        if (interrupted) return {};
    }
    return logs;
}

/// Writes the page of one log, or of two; the exit code.
int write_page(const ReplayFlags& flags) {
    if (flags.files.empty() || flags.files.size() > 2)
        fail("expected outrider replay LOG --html FILE, or two logs; there are {}", flags.files.size());
    if (flags.draws() || flags.from || flags.to || flags.every)
        fail("--html: the page holds the whole run; --png, --video, --from, --to and --every are not for it");
    expect_distinct(flags, {"html"}, flags.files);
    OutputFile file(*flags.html, flags.force);
    std::vector<std::unique_ptr<LoggedPage>> pages;
    std::vector<PlayedRun> runs;
    int code = 0;
    const std::vector<std::unique_ptr<WatchableLog>> logs = logs_of(flags.files);
    if (logs.empty()) return 130;
    for (std::size_t k = 0; k < logs.size(); ++k)
        pages.push_back(std::make_unique<LoggedPage>(
            logs[k]->path(), logs[k]->is_recording() ? "outrider view " + shell_word(flags.files[k]) : ""));
    for (const auto& page : pages) {
        page->add_reference(flags.reference);
        code = std::max(code, page->record());
        if (code == 130) return code;  // half a run is no page
        runs.push_back(page->played());
    }
    const std::string html = player_page(runs);
    file.write(html);
    file.commit();
    print_plain("page                 {} ({:.0f} kB)\n", *flags.html, static_cast<double>(html.size()) / 1000);
    return code;
}

int replay(const ReplayFlags& flags) {
    flags.reference.options();
    if (flags.html) return write_page(flags);
    if (flags.reference.folder) fail("--reference: its times are shown in a page; expected --html FILE, too");
    if (flags.files.size() > 1) fail("expected one log; two are shown side by side with --html FILE");
    const std::string file =
        expect_log(flags.files.empty() ? std::nullopt : std::optional(flags.files.front()), "replay");
    const std::vector<std::unique_ptr<WatchableLog>> logs = logs_of({file});
    if (logs.empty()) return 130;
    Logged logged(logs[0]->path());
    const auto [from, to] = steps_of(flags, logged);
    expect_distinct(flags, {"video"}, {file});
    Frames frames(logged, from, to, flags.every.value_or(flags.video && !flags.png ? 1 : 10));
    if (flags.png) frames.to_folder(*flags.png, flags.force);
    if (flags.video) frames.to_video(*flags.video, flags.fps.value_or(10), flags.force);

    int code = 0;
    if (logged.full() && flags.draws())
        code = draw_recorded(logged, frames) ? 0 : 130;
    else if (!logged.full())
        code = draw_again(logged, to, flags.draws() ? &frames : nullptr);
    frames.finish();
    for (const auto& target : {flags.png, flags.video})
        if (target) print_plain("{} pictures in {}\n", frames.count(), *target);
    if (flags.draws()) return code;
    if (code == 130)
        print_plain("no events are printed\n");
    else
        print_events(logged, from, to);
    return code;
}

}  // namespace

Subcommand replay_command() {
    return subcommand<ReplayFlags, replay>(
        {"replay",
         "Replay a log: its events in order, a page that plays it in any browser, pictures of its steps, or a video of "
         "them. A log of the level full holds all of that; any other is run again, and where it diverges is printed, "
         "if it does. The recording of a real robot (CARMEN, bags, MCAP) is replayed likewise.\n",
         "[OPTION...] LOG [LOG]"},
        "a log's events, a page that plays it in a browser, or pictures");
}

}  // namespace outrider
