// A robot that is stopped again and again at one place: its pose or its map is wrong there, and no plan gets it out.
#pragma once

#include <optional>
#include <span>

#include "outrider/geometry.hpp"

namespace outrider {

class Jam {
  public:
    /// Once a step, before its command is chosen. `stopped`: something that is not on its map stopped it where it
    /// stands.
    void look(Point here, bool stopped, double cell_m);
    /// Where it drives to get out, straight and whatever its map says; nothing: it is not jammed. Each time that it is
    /// stopped on the way there, it tries another point: by turns one of its trail (the last one is the newest) and one
    /// in another direction. Without a stop the point stays, so that a body that turns in place gets to its end.
    std::optional<Point> way_out(std::span<const Point> trail) const;

  private:
    Point place_;       // where it began
    int stops_ = 0;     // near there
    bool out_ = false;  // it is on its way out
    double near_m_ = 0;
};

}  // namespace outrider
