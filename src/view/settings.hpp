// What the window keeps from one time to the next: colours, layout and sets of layers, in a TOML file.
#pragma once

#include "view/layers.hpp"

namespace outrider::view {

struct Settings {
    bool dark = false, panels = true;
    int width = 1280, height = 720;        ///< of the window
    double left = 290, right = 312;        ///< widths of the panels, in points
    std::array<std::string, 9> presets{};  ///< sets of layers of one's own; empty: as they come
    std::string others{};                  ///< what another version wrote, as TOML

    void fields(Fields& f);
    bool operator==(const Settings&) const = default;
};

struct ReadSettings {
    Settings settings;
    std::string problem;  ///< why the file could not be read; empty: it could, or there is none
};
/// A file that is damaged gives the settings of a new user and says what is wrong.
ReadSettings read_settings(const std::string& path);
/// With `damaged` the file that is there is first put aside as PATH.damaged. Throws Error.
void write_settings(const std::string& path, const Settings& settings, bool damaged);

}  // namespace outrider::view
