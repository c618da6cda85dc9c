// Pictures, videos and measurements without a display.
#pragma once

#include "view/window/app.hpp"

namespace outrider::view {

struct Capture {
    std::string screenshot, frames, video;
    int step = -1, from = 0, to = -1, every = 1, per_second = 10;
    int bench = 0;  ///< frames to measure
    bool force = false, map_only = false;
    bool wanted() const { return bench > 0 || !screenshot.empty() || !frames.empty() || !video.empty(); }
};

/// The exit code. Throws Error.
int run_capture(Platform& platform, App& app, const Capture& capture);

}  // namespace outrider::view
