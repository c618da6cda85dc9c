// The window of the system: SDL, OpenGL and Dear ImGui, with or without a display.
#pragma once

#include <imgui.h>

#include <functional>
#include <optional>
#include <string>

#include "base/image.hpp"

struct SDL_Window;
union SDL_Event;

namespace outrider::view {

/// A mouse that a test or a script moves.
struct InjectedInput {
    std::optional<ImVec2> mouse;
    bool down[3] = {};  ///< left, right, middle
    float wheel = 0;
};

class Platform {
  public:
    struct Options {
        std::string title = "Outrider";
        int width = 1280, height = 720;
        bool display = true;  ///< false: draws into memory
        bool vsync = true;
    };
    /// Throws Error when there is no display, or no OpenGL.
    explicit Platform(const Options& options);
    ~Platform();
    Platform(const Platform&) = delete;
    Platform& operator=(const Platform&) = delete;

    /// Handles the events since the last call; false: the window was closed. Waits up to `wait_ms` for an event.
    bool poll(int wait_ms, const std::function<void(const SDL_Event&)>& handle);
    void begin_frame(const InjectedInput* input = nullptr);
    /// Draws on this ground, and shows it.
    void end_frame(ImVec4 ground);
    /// Whether frames are shown; the picture of one can only be read when it is not.
    void present(bool on) { present_ = on; }
    /// The picture of the last frame, row 0 at the top.
    Raster read_pixels(int x, int y, int width, int height) const;
    Raster read_pixels() const;
    int width() const;
    int height() const;
    void resize(int width, int height);
    /// Size as resize() takes it; on some displays this is less than the size in pixels.
    std::pair<int, int> window_size() const;
    void set_title(const std::string& title);
    /// After fonts were loaded, between two frames.
    void renew_fonts();
    /// Of text and widgets, as the display suggests.
    float suggested_scale() const;
    /// The renderer: "llvmpipe (LLVM 15.0.6, 256 bits)".
    std::string renderer() const;

  private:
    SDL_Window* window_ = nullptr;
    void* context_ = nullptr;
    bool display_, present_ = true;
};

}  // namespace outrider::view
