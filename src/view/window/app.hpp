// The window as a whole: opens runs and logs, draws a frame, performs actions.
#pragma once

#include "view/settings.hpp"
#include "view/window/controllers.hpp"
#include "view/window/keys.hpp"
#include "view/window/platform.hpp"
#include "view/window/ui.hpp"

namespace outrider::view {

struct AppOptions {
    float scale = 0;  ///< at most, as far as there is room; 0: as the display suggests
    bool dark = false;
    LiveOptions live{};
    std::string settings{};      ///< file that keeps colours, layout and presets; empty: none
    std::string pictures = ".";  ///< folder for screenshots
};

class App {
  public:
    App(Platform& platform, AppOptions options);
    ~App();

    /// Throws Error.
    void open(std::unique_ptr<Source> source);
    /// A second log beside the one that is open. Throws Error.
    void open_beside(std::unique_ptr<Source> source);
    /// Opens a scenario, a map or a log by its file; an error becomes a message in the window.
    void open_file(const std::string& path);

    /// Draws a frame; `complete`: with the whole map painted, however long that takes.
    void frame(const InjectedInput* input = nullptr, bool complete = false);
    /// Keys, gamepads, files that are dropped on the window.
    void handle(const SDL_Event& event);
    /// `typing`: into a field of the window.
    void press(const KeyPress& key, bool typing = false);
    void perform(const UiAction& action);
    /// Whether a key asked to quit.
    bool closing() const { return closing_; }
    /// Whether the next frame would differ from the last one.
    bool stale();
    Ui& ui() { return ui_; }
    /// Draws until nothing moves any more: for pictures.
    void settle();
    /// A picture as it would be saved.
    Raster picture(bool map_only);

  private:
    void fit_scale();
    void layout();
    void unfold(const char* name, const char* sign, const char* what, Rect area);
    void split(const char* name, ImVec2 at, float height, float& width, float direction, float least);
    struct Performer;
    void perform_asked();
    void save_picture(bool map_only);
    /// Under a name that is free, beside the pictures.
    void save(std::string_view bytes, const std::string& stem, const char* ending);
    void banner();
    void steer();
    std::optional<RobotId> drivable() const;
    double speed_of(RobotId robot) const;
    void keep_settings();

    Platform& platform_;
    AppOptions options_;
    Ui ui_;
    Controllers controllers_;
    ReadSettings kept_;
    Settings written_;
    bool painted_ = true, closing_ = false;
    std::uint64_t seen_ = ~std::uint64_t{0};
    double looked_again_ = 0;
};

/// A scenario from a file or a map, as `outrider run` would run it. Throws Error.
/// Whether a file is the log of a run or the recording of a robot; else it is a scenario or a map.
bool is_log(const std::string& path);
std::unique_ptr<Source> open_source(const std::string& path, const LiveOptions& live);

}  // namespace outrider::view
