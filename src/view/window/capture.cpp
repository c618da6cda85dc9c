#include "view/window/capture.hpp"

#include <SDL.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>

#include "base/output.hpp"
#include "base/percentile.hpp"
#include "base/video.hpp"
#include "outrider/error.hpp"

namespace outrider::view {
namespace {

/// Until a live team elsewhere has come as far; what is past is not shown.
void wait_for(ViewModel& model, int step) {
    constexpr Uint32 patience_ms = 10'000;
    const Uint32 begin = SDL_GetTicks();
    for (model.update(); model.step() < std::max(0, step); model.update()) {
        const Progress& p = model.progress();
        if (!p.error.empty()) throw RunFailure(p.error);
        if (!p.note.empty() && SDL_GetTicks() - begin > patience_ms) throw RunFailure(p.note);
        SDL_Delay(1);
    }
}

/// Goes to a step, or to the last one when the run or the log ends before it; to one near it where the log is damaged.
void go_to(App& app, int step) {
    const Ui& ui = app.ui();
    while (ui.other.model && (ui.model->step() < 0 || ui.other.model->step() < 0)) {
        app.stale();
        for (const ViewModel* m : {ui.model.get(), ui.other.model.get()})
            if (!m->progress().error.empty()) throw RunFailure(m->progress().error);
        SDL_Delay(1);
    }
    ViewModel& model = app.ui().clock();
    const auto update = [&] {
        model.update();
        if (!model.progress().error.empty()) throw RunFailure(model.progress().error);
    };
    if (!model.info().seekable) return wait_for(model, step);
    for (update(); model.step() < 0; update()) SDL_Delay(1);
    const bool live = model.info().live;
    if (!live) step = std::min(step, model.progress().last);  // a log that was cut off has no mark of its end
    if (step < 0 || model.step() == step) return;
    model.go_to(step);
    const auto arrived = [&] {
        update();
        const Progress& p = model.progress();
        return model.step() == step || (live ? p.ended && model.step() == p.last : p.sought == step);
    };
    while (!arrived()) SDL_Delay(1);
}

void write_png(const std::string& path, const Raster& raster, bool force) {
    OutputFile file(path, force);
    file.write(encode_png(raster));
    file.commit();
}

void make_frames(App& app, const Capture& capture) {
    ViewModel& model = app.ui().clock();
    std::optional<Video> video;
    if (!capture.video.empty()) video.emplace(capture.video, capture.per_second, capture.force);
    if (!capture.frames.empty()) prepare_output(capture.frames + "/000000.png", true);
    int count = 0;
    for (int step = capture.from; capture.to < 0 || step <= capture.to; step += capture.every) {
        go_to(app, step);
        const bool past = step > model.progress().last;
        if (past && count > 0) break;
        if (!past && model.step() != step) continue;  // damaged
        app.settle();
        const Raster raster = app.picture(capture.map_only);
        if (!capture.frames.empty())
            write_png(fmt::format("{}/{:06}.png", capture.frames, model.step()), raster, capture.force);
        if (video) video->add(encode_png(raster));
        ++count;
        if (past || (model.progress().ended && model.step() >= model.progress().last)) break;
    }
    if (video) video->finish();
    if (!capture.frames.empty()) fmt::print("{} pictures in {}\n", count, capture.frames);
    if (video) fmt::print("{} pictures in {}\n", count, capture.video);
}

double thread_cpu_ms() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return 1e3 * static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_nsec);
}

/// Frames while the run goes on at 30 steps a second: the time of each, drawing and presenting included.
void bench(Platform& platform, App& app, int frames) {
    ViewModel& model = app.ui().clock();
    go_to(app, 0);
    app.settle();
    model.source().control().set_speed(30);
    model.play(true);
    std::vector<double> times, busy;
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    const int first = model.step();
    for (int k = 0; k < frames && model.playing() && !model.progress().ended; ++k) {
        // A frame for each new moment. A log that was cut off stops at its last step, without a mark of its end.
        while (!app.stale() && model.playing() && !model.progress().ended) SDL_Delay(1);
        const auto start = Clock::now();
        const double cpu = thread_cpu_ms();
        app.frame();
        busy.push_back(thread_cpu_ms() - cpu);
        times.push_back(std::chrono::duration<double, std::milli>(Clock::now() - start).count());
    }
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    const int steps = model.step() - first;
    std::sort(times.begin(), times.end());
    std::sort(busy.begin(), busy.end());
    const Grid<std::uint8_t>& walls = model.info().walls;
    fmt::print("{} x {} cells, {} robots, window {} x {}, {}\n", walls.width(), walls.height(), model.info().robots(),
               platform.width(), platform.height(), platform.renderer());
    fmt::print("{} frames in {:.1f} s, {:.1f} steps a second\n", times.size(), seconds, steps / seconds);
    for (const auto& [name, list] : {std::pair("frame", &times), {"CPU of the drawing thread", &busy}})
        fmt::print("{}: median {:.1f} ms, p95 {:.1f} ms, p99 {:.1f} ms, most {:.1f} ms\n", name, percentile(*list, 0.5),
                   percentile(*list, 0.95), percentile(*list, 0.99), list->back());
}

}  // namespace

int run_capture(Platform& platform, App& app, const Capture& capture) {
    if (capture.bench > 0) {
        if (!app.ui().model) fail("--bench: expected a scenario or a log");
        bench(platform, app, capture.bench);
        return 0;
    }
    if (!capture.screenshot.empty()) {
        OutputFile(capture.screenshot, capture.force);  // an unwritable file is noticed before the work
        if (app.ui().model) go_to(app, capture.step);
        app.settle();
        write_png(capture.screenshot, app.picture(capture.map_only), capture.force);
        fmt::print("picture {}\n", capture.screenshot);
    }
    if (!capture.frames.empty() || !capture.video.empty()) make_frames(app, capture);
    if (app.ui().model && !app.ui().model->progress().warning.empty())
        print_aside("note: {}\n", app.ui().model->progress().warning);
    return 0;
}

}  // namespace outrider::view
