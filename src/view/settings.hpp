// What the window stores between sessions: colours, layout and sets of layers, in a TOML file.
#pragma once

#include "view/layers.hpp"

namespace outrider::view {

struct Settings {
    bool dark = false, panels = true;
    int width = 1280, height = 720;        ///< of the window
    double left = 290, right = 312;        ///< widths of the panels, in points
    std::array<std::string, 9> presets{};  ///< the user's own sets of layers; empty: the default
    std::string others{};                  ///< what another version wrote, as TOML

    void fields(Fields& f);
    bool operator==(const Settings&) const = default;
};

struct ReadSettings {
    Settings settings;
    std::string problem;  ///< why the file could not be read; empty: it could, or there is none
};
/// A damaged file gives the default settings and a message about what is wrong.
ReadSettings read_settings(const std::string& path);
/// With `damaged` the existing file is first renamed to PATH.damaged. Throws Error.
void write_settings(const std::string& path, const Settings& settings, bool damaged);

}  // namespace outrider::view
