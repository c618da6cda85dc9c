// The flags of the window.
#pragma once

#include <optional>
#include <string>

#include "arguments/arguments.hpp"

namespace outrider {

struct ViewFlags {
    ScenarioFlags scenario;
    std::optional<std::string> beside, connect, key, log_file, size, layers, select, tab, screenshot, frames, video;
    std::optional<int> threads, preset, step, from, to, every, fps, bench;
    std::optional<double> speed, scale, room;
    bool play = false, dark = false, map_only = false, as_base = false, force = false;
    void fields(Flags& f);
};

HelpPage view_page();

}  // namespace outrider
