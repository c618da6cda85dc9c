// From metres of the team's frame to pixels of the window (y down) and back.
#pragma once

#include <algorithm>

#include "outrider/geometry.hpp"

namespace outrider::view {

struct Camera {
    Point centre;  ///< what is in the middle of the view
    double pixels_per_m = 10;
    Point origin, size{1, 1};  ///< of the view: its upper left corner and its size, in pixels
    double unit = 1;           ///< pixels of a point of the screen

    Point to_pixels(Point m) const {
        return {origin.x + size.x / 2 + (m.x - centre.x) * pixels_per_m,
                origin.y + size.y / 2 - (m.y - centre.y) * pixels_per_m};
    }
    Point to_metres(Point p) const {
        return {centre.x + (p.x - origin.x - size.x / 2) / pixels_per_m,
                centre.y - (p.y - origin.y - size.y / 2) / pixels_per_m};
    }
    /// The whole rectangle with a margin, in pixels.
    void fit(Point low, Point high, double margin) {
        centre = (low + high) * 0.5;
        const double w = std::max(1e-3, high.x - low.x), h = std::max(1e-3, high.y - low.y);
        pixels_per_m = std::max(1e-3, std::min((size.x - 2 * margin) / w, (size.y - 2 * margin) / h));
    }
    /// Zooms in or out, keeping the point under this pixel there.
    void zoom(double factor, Point at) {
        const Point before = to_metres(at);
        pixels_per_m = std::clamp(pixels_per_m * factor, 0.05, 2000.0);
        centre = centre + (before - to_metres(at));
    }
    void pan(Point pixels) {
        centre.x -= pixels.x / pixels_per_m;
        centre.y += pixels.y / pixels_per_m;
    }
};

}  // namespace outrider::view
