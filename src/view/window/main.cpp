// outrider-view: the window.
#include <SDL.h>

#include <csignal>
#include <cstdlib>

#include "arguments/own_strategies.hpp"
#include "arguments/view_flags.hpp"
#include "base/output.hpp"
#include "live/live_run.hpp"
#include "outrider/error.hpp"
#include "view/window/app.hpp"
#include "view/window/capture.hpp"

namespace outrider::view {
namespace {

volatile std::sig_atomic_t interrupted = 0;

std::string settings_path() {
    if (const char* config = std::getenv("XDG_CONFIG_HOME")) return std::string(config) + "/outrider/view.toml";
    if (const char* home = std::getenv("HOME")) return std::string(home) + "/.config/outrider/view.toml";
    return {};
}

std::pair<int, int> size_of(const std::string& text) {
    int w = 0, h = 0, end = 0;
    if (std::sscanf(text.c_str(), "%dx%d%n", &w, &h, &end) != 2 || end != static_cast<int>(text.size()) || w < 320 ||
        h < 240 || w > 7680 || h > 4320)
        fail("--size {}: expected WIDTHxHEIGHT, 320x240 to 7680x4320", text);
    return {w, h};
}

/// The team that --connect names.
std::unique_ptr<Source> live_team(const ViewFlags& flags) {
    if (!flags.scenario.scenario || !flags.scenario.scenario->ends_with(".toml"))
        fail("--connect: expected the scenario that the team's processes read: outrider view TEAM.toml --connect URL");
    const ScenarioFlags& team = flags.scenario;
    if (team.map || team.import_mresim || team.import_positions || team.import_marmotlab || team.strategy ||
        team.base || team.robots || team.steps || team.seed || flags.beside)
        fail("--connect: what the team is stands in its file; besides it expected --set, with what its processes got");
    if (!flags.connect->starts_with("ws://")) fail("--connect {}: expected ws://HOST:PORT, a relay", *flags.connect);
    if (flags.frames || flags.video || flags.bench)
        fail("--connect: of a live team there are pictures by --screenshot alone");
    if (flags.log_file) fail("--log-file: with --connect, the team's own processes write logs");
    Notes notes;
    Scenario scenario =
        live_scenario(*flags.scenario.scenario, settings_of(flags.scenario.set), flags.room.value_or(60), notes);
    const RelayAccess relay{*flags.connect, flags.key ? read_relay_key(*flags.key) : std::string()};
    return make_connected(std::move(scenario), relay, std::move(notes));
}

/// The source that the arguments name; nothing: the window begins empty.
std::unique_ptr<Source> source_of(const ScenarioFlags& flags, const LiveOptions& live) {
    if (!flags.scenario && !flags.map) return nullptr;
    const std::string file = flags.scenario.value_or("");
    if (is_log(file)) return make_replay(file);
    Notes notes;
    Scenario scenario = scenario_from(flags, notes);
    return make_live(std::move(scenario), live, std::move(notes));
}

Capture capture_of(const ViewFlags& flags) {
    Capture capture;
    capture.screenshot = flags.screenshot.value_or("");
    capture.frames = flags.frames.value_or("");
    capture.video = flags.video.value_or("");
    capture.step = flags.step.value_or(-1);
    capture.from = flags.from.value_or(0);
    capture.to = flags.to.value_or(-1);
    capture.every = flags.every.value_or(1);
    capture.per_second = flags.fps.value_or(10);
    capture.bench = flags.bench.value_or(0);
    capture.force = flags.force;
    capture.map_only = flags.map_only;
    return capture;
}

Platform::Options window_of(const ViewFlags& flags, bool display, const std::string& settings) {
    Platform::Options window;
    window.display = display;
    if (flags.size) {
        std::tie(window.width, window.height) = size_of(*flags.size);
    } else {
        const Settings left = read_settings(settings).settings;  // from the last session
        window.width = left.width;
        window.height = left.height;
    }
    return window;
}

/// The nearest available speed below the wanted one; 0: as fast as possible.
int speed_of(double wanted) {
    int best = 0;
    for (std::size_t k = 0; k < speeds.size(); ++k)
        if (wanted == 0 ? speeds[k] == 0 : speeds[k] > 0 && speeds[k] <= wanted) best = static_cast<int>(k);
    return best;
}

/// What is shown of the run, and how fast it goes.
void prepare(App& app, const ViewFlags& flags) {
    ViewModel& model = *app.ui().model;
    if (flags.preset) model.apply_preset(*flags.preset - 1);
    if (flags.layers) model.layers.apply(*flags.layers);
    if (flags.as_base) model.show_as_base(true);
    if (flags.select) {
        for (std::size_t i = 0; i < model.info().robots(); ++i)
            if (model.info().scenario.robots[i].name == *flags.select) model.select_robot(static_cast<RobotId>(i));
        if (!model.selection.robot) fail("--select {}: nobody is called so", *flags.select);
        app.ui().tab = Tab::why;
    }
    if (flags.speed) model.set_speed(speed_of(*flags.speed));
}

void open_tab(App& app, const std::string& tab) {
    for (std::size_t k = 0; k < tab_names.size(); ++k) {
        std::string name = tab_names[k];
        name[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(name[0])));
        if (tab == name) app.ui().tab = static_cast<Tab>(k);
    }
}

/// Until the window is closed.
void watch(Platform& platform, App& app) {
    double busy_until = 1;
    for (bool open = true; open && !interrupted;) {
        const bool playing = app.ui().model && app.ui().clock().playing();
        const bool moving = app.stale() || ImGui::GetTime() < busy_until;
        bool input = false;
        open = platform.poll(moving    ? 1
                             : playing ? 4
                                       : 50,
                             [&](const SDL_Event& event) {
                                 input = true;
                                 app.handle(event);
                                 if (app.closing()) interrupted = -1;
                             });
        if (moving || input) app.frame();
        // For hovering and tooltips. Counted from the frame on: its time is that of all the waiting before it.
        if (input) busy_until = ImGui::GetTime() + 0.4;
    }
}

}  // namespace

int run(const Arguments& arguments) {
    ViewFlags flags;
    if (!parse(view_page(), flags, arguments)) return 0;
    const Capture capture = capture_of(flags);
    LiveOptions live;
    live.threads = flags.threads.value_or(0);
    live.log_path = flags.log_file.value_or("");
    if (!live.log_path.empty()) prepare_database(live.log_path, capture.force);
    live.again = "outrider view";
    for (const std::string& a : arguments) live.again += fmt::format(" '{}'", a);
    if (!flags.connect && (flags.key || flags.room))
        fail("--{}: expected --connect URL, too", flags.key ? "key" : "room");
    std::unique_ptr<Source> source = flags.connect ? live_team(flags) : source_of(flags.scenario, live);
    if (flags.beside && !source) fail("--beside: expected a log before it, to be shown beside");
    live.again.clear();
    live.log_path.clear();  // runs that are opened later have none
    if (!source && capture.wanted() && capture.screenshot.empty())
        fail("nothing to draw: expected a scenario or a log");

    AppOptions app_options;
    app_options.settings = capture.wanted() ? "" : settings_path();
    app_options.scale = static_cast<float>(flags.scale.value_or(0));
    app_options.dark = flags.dark;
    app_options.live = live;
    Platform platform(window_of(flags, !capture.wanted(), app_options.settings));
    App app(platform, app_options);
    if (source) {
        app.open(std::move(source));
        if (flags.beside) app.open_beside(make_replay(*flags.beside));
        prepare(app, flags);
    }
    open_tab(app, flags.tab.value_or(""));
    if (capture.wanted()) return run_capture(platform, app, capture);

    std::signal(SIGINT, [](int) { interrupted = 1; });
    std::signal(SIGTERM, [](int) { interrupted = 1; });
    if (app.ui().model) {
        if (capture.step >= 0) app.ui().clock().go_to(capture.step);
        if (flags.play) app.ui().clock().play(true);
    }
    watch(platform, app);
    if (ViewModel* model = app.ui().model.get()) {
        const bool unfinished = model->info().live && model->info().seekable && !model->progress().ended;
        const int step = model->step();
        app.ui().model->source().stop();
        if (unfinished) print_aside("note: the window was closed; the run was ended after step {}\n", step);
        if (flags.log_file) fmt::print("log {}\n", *flags.log_file);
    }
    return interrupted > 0 ? 130 : 0;
}

}  // namespace outrider::view

int main(int argc, char** argv) {
    try {
        outrider::load_own_strategies();
        return outrider::view::run({argv + 1, argv + argc});
    } catch (const outrider::Error& error) {
        outrider::print_aside("outrider view: {}\n", error.what());
        return 2;
    } catch (const std::exception& error) {
        outrider::print_aside("outrider view: {}\n", error.what());
        return 1;
    }
}
