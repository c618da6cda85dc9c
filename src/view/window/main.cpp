// outrider-view: the window.
#include <SDL.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "arguments/arguments.hpp"
#include "base/output.hpp"
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

double number_of(const cxxopts::ParseResult& result, const std::string& option, double low, double high) {
    const auto text = result[option].as<std::string>();
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (end == text.c_str() || *end || !(value >= low && value <= high))
        fail("--{} {}: expected a number, {} to {}", option, text, low, high);
    return value;
}

/// The source that the arguments name; nothing: the window begins empty.
std::unique_ptr<Source> source_of(const cxxopts::ParseResult& result, const LiveOptions& live) {
    const bool has_file = result.count("scenario") > 0;
    if (!has_file && !result.count("map")) return nullptr;
    const std::string file = has_file ? result["scenario"].as<std::string>() : "";
    if (file.ends_with(".sqlite") || file.ends_with(".db") || file.ends_with(".log")) return make_replay(file);
    Notes notes;
    Scenario scenario = scenario_from(result, notes);
    return make_live(std::move(scenario), live, std::move(notes));
}

/// Until the window is closed.
void watch(Platform& platform, App& app) {
    double busy_until = 1;
    for (bool open = true; open && !interrupted;) {
        const bool playing = app.ui().model && app.ui().model->playing();
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

int run(int argc, char** argv) {
    cxxopts::Options options(
        "outrider view", "Watch a run live, or replay a log. Without arguments an empty window; drop a file on it.\n");
    add_scenario_options(options);
    options.positional_help("[SCENARIO.toml | LOG.sqlite]");
    options.add_options()("log-file", "live: write a full log of the run here", cxxopts::value<std::string>(), "FILE")(
        "threads", "live: threads; the result is the same", cxxopts::value<std::string>(), "N")(
        "play", "begin at once")("speed", "times simulated time; 0: as fast as possible", cxxopts::value<std::string>(),
                                 "X")("dark", "dark colours; otherwise as they were left")(
        "scale", "size of text and buttons as far as the window has room for them, 0.5 to 4",
        cxxopts::value<std::string>(),
        "X")("size", "of the window, or of pictures; otherwise 1280x720, or as the window was left",
             cxxopts::value<std::string>(),
             "WxH")("preset", "set of layers to begin with, 1 to 9", cxxopts::value<std::string>(), "N")(
        "layers", "layers to show, such as 'walls free:all path:mobile'", cxxopts::value<std::string>(), "LIST")(
        "select", "select this robot", cxxopts::value<std::string>(), "NAME")(
        "tab", "tab on the left: layers, why, tables, plots, operate, edit", cxxopts::value<std::string>(), "TAB")(
        "step", "go to this step", cxxopts::value<std::string>(), "N")(
        "map-only", "pictures of the map without panels")("screenshot", "write a picture and end; needs no display",
                                                          cxxopts::value<std::string>(), "FILE")(
        "frames", "write pictures 000000.png, ... into this folder; needs no display", cxxopts::value<std::string>(),
        "DIR")("video", "write a video, if ffmpeg is installed; needs no display", cxxopts::value<std::string>(),
               "FILE")("from", "first step of frames and video", cxxopts::value<std::string>(), "N")(
        "to", "last step", cxxopts::value<std::string>(), "N")("every", "a picture of every so many steps",
                                                               cxxopts::value<std::string>(), "N")(
        "fps", "pictures per second of the video", cxxopts::value<std::string>(), "N")(
        "bench", "measure this many frames at 30 steps a second, print their times, and end",
        cxxopts::value<std::string>(), "N")("force", "overwrite files that exist");
    const auto result = parse_arguments(options, Arguments(argv + 1, argv + argc));
    if (!result) return 0;

    const auto text = [&](const char* option) {
        return result->count(option) ? (*result)[option].as<std::string>() : std::string();
    };
    const auto whole = [&](const char* option, int otherwise, int low, int high = INT32_MAX) {
        return static_cast<int>(whole_number(*result, option, low, high).value_or(otherwise));
    };
    Capture capture;
    capture.screenshot = text("screenshot");
    capture.frames = text("frames");
    capture.video = text("video");
    capture.step = whole("step", -1, 0);
    capture.from = whole("from", 0, 0);
    capture.to = whole("to", -1, 0);
    capture.every = whole("every", 1, 1);
    capture.per_second = whole("fps", 10, 1, 240);
    capture.bench = whole("bench", 0, 1, 1'000'000);
    capture.force = result->count("force") > 0;
    capture.map_only = result->count("map-only") > 0;

    LiveOptions live;
    live.threads = whole("threads", 0, 0, 256);
    live.log_path = text("log-file");
    if (!live.log_path.empty()) prepare_database(live.log_path, capture.force);

    live.again = "outrider view";
    for (int k = 1; k < argc; ++k) live.again += fmt::format(" '{}'", argv[k]);
    std::unique_ptr<Source> source = source_of(*result, live);
    live.again.clear();
    live.log_path.clear();  // runs that are opened later have none
    if (!source && capture.wanted() && capture.screenshot.empty())
        fail("nothing to draw: expected a scenario or a log");

    Platform::Options window;
    window.display = !capture.wanted();
    const std::string settings = window.display ? settings_path() : "";
    if (result->count("size")) {
        std::tie(window.width, window.height) = size_of(text("size"));
    } else {
        const Settings left = read_settings(settings).settings;  // as it was left
        window.width = left.width;
        window.height = left.height;
    }
    Platform platform(window);
    AppOptions app_options;
    app_options.scale = result->count("scale") ? static_cast<float>(number_of(*result, "scale", 0.5, 4)) : 0;
    app_options.dark = result->count("dark") > 0;
    app_options.live = live;
    app_options.settings = settings;
    App app(platform, app_options);
    if (source) {
        app.open(std::move(source));
        ViewModel& model = *app.ui().model;
        if (result->count("preset")) model.apply_preset(whole("preset", 1, 1, 9) - 1);
        if (result->count("layers")) model.layers.apply(text("layers"));
        if (result->count("select")) {
            for (std::size_t i = 0; i < model.info().robots(); ++i)
                if (model.info().scenario.robots[i].name == text("select")) model.select_robot(static_cast<RobotId>(i));
            if (!model.selection.robot) fail("--select {}: nobody is called so", text("select"));
            app.ui().tab = Tab::why;
        }
        if (result->count("speed")) {
            const double wanted = number_of(*result, "speed", 0, 60);
            int best = 0;
            for (std::size_t k = 0; k < speeds.size(); ++k)
                if (wanted == 0 ? speeds[k] == 0 : speeds[k] > 0 && speeds[k] <= wanted) best = static_cast<int>(k);
            model.set_speed(best);
        }
    }
    for (std::size_t k = 0; k < tab_names.size(); ++k) {
        std::string name = tab_names[k];
        name[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(name[0])));
        if (text("tab") == name) app.ui().tab = static_cast<Tab>(k);
    }
    if (capture.wanted()) return run_capture(platform, app, capture);

    std::signal(SIGINT, [](int) { interrupted = 1; });
    std::signal(SIGTERM, [](int) { interrupted = 1; });
    if (ViewModel* model = app.ui().model.get()) {
        if (capture.step > 0) model->go_to(capture.step);
        if (result->count("play")) model->play(true);
    }
    watch(platform, app);
    if (ViewModel* model = app.ui().model.get()) {
        const bool unfinished = model->info().live && !model->progress().ended;
        const int step = model->step();
        app.ui().model->source().stop();
        if (unfinished) print_aside("note: the window was closed; the run was ended after step {}\n", step);
        if (const std::string log = text("log-file"); !log.empty()) fmt::print("log {}\n", log);
    }
    return interrupted > 0 ? 130 : 0;
}

}  // namespace outrider::view

int main(int argc, char** argv) {
    try {
        return outrider::view::run(argc, argv);
    } catch (const outrider::Error& error) {
        outrider::print_aside("outrider view: {}\n", error.what());
        return 2;
    } catch (const std::exception& error) {
        outrider::print_aside("outrider view: {}\n", error.what());
        return 1;
    }
}
