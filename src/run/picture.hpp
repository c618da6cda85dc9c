// Pictures of a run and of a scenario.
#pragma once

#include <string>
#include <vector>

#include "base/canvas.hpp"
#include "run/run.hpp"
#include "run/simulation.hpp"

namespace outrider {

/// Remembers where every robot was, in the team's frame.
class TrackRecorder final : public Observer {
  public:
    explicit TrackRecorder(const SimDriver& driver) : driver_(driver) {}
    void on_step(const StepView& view) override;
    const std::vector<std::vector<Point>>& tracks() const { return tracks_; }

  private:
    const SimDriver& driver_;
    std::vector<std::vector<Point>> tracks_;  // by robot
};

/// The map as far as the team knows it, with the tracks of the robots, a scale and a legend.
Raster draw_run(const Simulation& simulation, const std::vector<std::vector<Point>>& tracks,
                const std::string& caption);

/// What `outrider check` found of a scenario.
struct CheckReport {
    std::size_t free = 0, walls = 0;
    std::size_t reachable = 0;    ///< by some robot's body
    std::size_t unreachable = 0;  ///< free, but no robot can sense it
    std::size_t narrow = 0;       ///< free and connected, but too narrow for the largest body
    Raster picture;
};
CheckReport check_scenario(const Scenario& scenario);

}  // namespace outrider
