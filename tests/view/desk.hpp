// The window without a display, with a hand on its mouse and keys.
#pragma once

#include <SDL.h>
#include <doctest/doctest.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <thread>

#include "view/window/app.hpp"

namespace outrider::view {

inline const std::string source_dir = OUTRIDER_SOURCE_DIR;

inline AppOptions test_options() {
    AppOptions options;
    options.scale = 1;
    options.pictures = std::filesystem::temp_directory_path().string();
    return options;
}

/// The window over a source, with a hand on the mouse.
struct Desk {
    Platform platform{{.title = "test", .width = 1280, .height = 720, .display = false}};
    App app;
    InjectedInput mouse;

    explicit Desk(const std::string& file = "", const AppOptions& options = test_options()) : app(platform, options) {
        if (!file.empty()) app.open(open_source(file, {}));
        if (app.ui().model) wait([&] { return model().step() == 0; });
        frames(2);
    }
    ViewModel& model() { return *app.ui().model; }
    void frames(int count) {
        for (int k = 0; k < count; ++k) app.frame(&mouse, true);
    }
    template <class Condition>
    void wait(Condition&& holds) {
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
        while (!holds() && std::chrono::steady_clock::now() < end) {
            app.frame(&mouse, true);
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
        REQUIRE(holds());
    }
    Rect rect(const std::string& name) {
        frames(1);
        INFO("no widget is called " << name);
        REQUIRE(app.ui().rects.contains(name));
        return app.ui().rects[name];
    }
    void move(ImVec2 at) {
        mouse.mouse = at;
        frames(1);
    }
    void press(bool down) {
        mouse.down[0] = down;
        frames(1);
    }
    void click(ImVec2 at) {
        move(at);
        press(true);
        press(false);
        frames(1);
    }
    void click(const std::string& name) { click(rect(name).centre()); }
    void drag(ImVec2 from, ImVec2 to) {
        move(from);
        press(true);
        for (int k = 1; k <= 5; ++k)
            move({from.x + (to.x - from.x) * static_cast<float>(k) / 5,
                  from.y + (to.y - from.y) * static_cast<float>(k) / 5});
        press(false);
    }
    void key(int code, bool shift = false, bool ctrl = false) {
        app.press({code, shift, ctrl});
        frames(2);
    }
    ImVec2 pixel(Point team) { return vec(model().camera.to_pixels(team)); }
    Colour colour(ImVec2 at) {
        const Raster r = platform.read_pixels(static_cast<int>(at.x), static_cast<int>(at.y), 1, 1);
        return {r.values[0], r.values[1], r.values[2]};
    }
    /// Share of the map's pixels that have this colour.
    double share_of(Colour c) {
        const Rect r = rect("map");
        const Raster p =
            platform.read_pixels(static_cast<int>(r.low.x), static_cast<int>(r.low.y),
                                 static_cast<int>(r.high.x - r.low.x), static_cast<int>(r.high.y - r.low.y));
        std::size_t hits = 0;
        for (std::size_t k = 0; k < p.values.size(); k += 3)
            hits += std::abs(p.values[k] - c.red) < 4 && std::abs(p.values[k + 1] - c.green) < 4 &&
                    std::abs(p.values[k + 2] - c.blue) < 4;
        return 3 * static_cast<double>(hits) / static_cast<double>(p.values.size());
    }
};

inline const std::string office = source_dir + "/environments/small_office.toml",
                         sample = source_dir + "/logs/sample/small_office.sqlite";

}  // namespace outrider::view
