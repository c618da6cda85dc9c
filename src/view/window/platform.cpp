#include "view/window/platform.hpp"

#include <SDL.h>
#include <SDL_opengl.h>
#include <backends/imgui_impl_opengl3.h>
#include <backends/imgui_impl_sdl.h>

#include <algorithm>

#include "outrider/error.hpp"

namespace outrider::view {

Platform::Platform(const Options& options) : display_(options.display) {
    if (!options.display) SDL_SetHint(SDL_HINT_VIDEODRIVER, "offscreen");
    SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1");
    SDL_SetHint(SDL_HINT_VIDEO_ALLOW_SCREENSAVER, "1");
    SDL_SetHint(SDL_HINT_MOUSE_FOCUS_CLICKTHROUGH, "1");
    const auto no_display = [](const std::string& why) {
        fail(
            "no display ({}). Without one the same command makes a picture or a video: add --screenshot view.png or "
            "--video view.mp4. A page for any browser: outrider run SCENARIO --html run.html, outrider replay LOG "
            "--html "
            "run.html",
            why);
    };
    if (SDL_Init(SDL_INIT_VIDEO | SDL_INIT_GAMECONTROLLER) != 0) no_display(SDL_GetError());
    // If there is no display, SDL picks a driver that shows nothing.
    const std::string driver = SDL_GetCurrentVideoDriver();
    if (options.display && (driver == "offscreen" || driver == "dummy")) {
        SDL_Quit();
        no_display("neither X11 nor Wayland");
    }
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_CORE);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_DOUBLEBUFFER, 1);
    const Uint32 flags = SDL_WINDOW_OPENGL | SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI;
    window_ = SDL_CreateWindow(options.title.c_str(), SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, options.width,
                               options.height, flags);
    context_ = window_ ? SDL_GL_CreateContext(window_) : nullptr;
    if (!context_) {
        const std::string why = SDL_GetError();
        if (window_) SDL_DestroyWindow(window_);
        SDL_Quit();
        fail("no OpenGL 3.3 ({}); expected a graphics driver, or the packages libegl1 and libgl1-mesa-dri", why);
    }
    SDL_GL_SetSwapInterval(options.vsync && options.display ? 1 : 0);
    if (options.display) SDL_SetWindowMinimumSize(window_, 800, 500);  // a picture may be smaller
    IMGUI_CHECKVERSION();
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
    ImGui_ImplSDL2_InitForOpenGL(window_, context_);
    ImGui_ImplOpenGL3_Init("#version 330");
}

Platform::~Platform() {
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplSDL2_Shutdown();
    ImGui::DestroyContext();
    SDL_GL_DeleteContext(context_);
    SDL_DestroyWindow(window_);
    SDL_Quit();
}

bool Platform::poll(int wait_ms, const std::function<void(const SDL_Event&)>& handle) {
    SDL_Event event;
    bool any = wait_ms > 0 ? SDL_WaitEventTimeout(&event, wait_ms) != 0 : SDL_PollEvent(&event) != 0;
    for (; any; any = SDL_PollEvent(&event) != 0) {
        ImGui_ImplSDL2_ProcessEvent(&event);
        if (event.type == SDL_QUIT) return false;
        handle(event);
    }
    return true;
}

void Platform::begin_frame(const InjectedInput* input) {
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplSDL2_NewFrame();
    if (input || !display_) {
        // The backend asks SDL where the mouse is; off screen there is none.
        ImGuiIO& io = ImGui::GetIO();
        io.MousePos = input && input->mouse ? *input->mouse : ImVec2(-1e6f, -1e6f);
        for (int i = 0; i < 3; ++i) io.MouseDown[i] = input && input->down[i];
        io.MouseWheel = input ? input->wheel : 0;
        if (!display_) io.DeltaTime = 1.0f / 60;  // the same frames always
    } else if (ImGuiIO& io = ImGui::GetIO(); io.MousePos.x > -1e6f) {
        // The backend asks for the position on the whole screen, which is outdated for a remote mouse (XTest, as used
        // by desktops over a network).
        int x = 0, y = 0;
        SDL_GetMouseState(&x, &y);
        io.MousePos = ImVec2(static_cast<float>(x), static_cast<float>(y));
    }
    ImGui::NewFrame();
}

void Platform::end_frame(ImVec4 ground) {
    ImGui::Render();
    glViewport(0, 0, width(), height());
    glClearColor(ground.x, ground.y, ground.z, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    if (display_ && present_)
        SDL_GL_SwapWindow(window_);
    else
        glFinish();  // what was drawn stays where it can be read
}

Raster Platform::read_pixels(int x, int y, int width, int height) const {
    Raster out{width, height, 3, {}};
    out.values.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 3);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(x, this->height() - y - height, width, height, GL_RGB, GL_UNSIGNED_BYTE, out.values.data());
    const std::size_t row = static_cast<std::size_t>(width) * 3;
    for (int top = 0, bottom = height - 1; top < bottom; ++top, --bottom)
        std::swap_ranges(out.values.begin() + static_cast<std::ptrdiff_t>(row) * top,
                         out.values.begin() + static_cast<std::ptrdiff_t>(row) * (top + 1),
                         out.values.begin() + static_cast<std::ptrdiff_t>(row) * bottom);
    return out;
}

Raster Platform::read_pixels() const { return read_pixels(0, 0, width(), height()); }

int Platform::width() const {
    int w = 0, h = 0;
    SDL_GL_GetDrawableSize(window_, &w, &h);
    return w;
}

int Platform::height() const {
    int w = 0, h = 0;
    SDL_GL_GetDrawableSize(window_, &w, &h);
    return h;
}

void Platform::resize(int width, int height) { SDL_SetWindowSize(window_, width, height); }
std::pair<int, int> Platform::window_size() const {
    int w = 0, h = 0;
    SDL_GetWindowSize(window_, &w, &h);
    return {w, h};
}

void Platform::renew_fonts() {
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    ImGui_ImplOpenGL3_CreateFontsTexture();
}

void Platform::set_title(const std::string& title) { SDL_SetWindowTitle(window_, title.c_str()); }

float Platform::suggested_scale() const {
    float dpi = 96;
    if (!display_ || SDL_GetDisplayDPI(SDL_GetWindowDisplayIndex(window_), nullptr, &dpi, nullptr) != 0) return 1;
    return std::clamp(std::floor(dpi / 96 * 4 + 0.5f) / 4, 1.0f, 3.0f);
}

std::string Platform::renderer() const { return reinterpret_cast<const char*>(glGetString(GL_RENDERER)); }

}  // namespace outrider::view
