// Pictures of a run and of a scenario.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/canvas.hpp"
#include "metrics/true_view.hpp"
#include "run/run.hpp"
#include "scene/stage.hpp"
#include "simulation/simulation.hpp"

namespace outrider {

/// Records the tracks of the robots, in the team's frame.
class TrackRecorder final : public Observer {
  public:
    explicit TrackRecorder(const SimDriver& driver) : driver_(driver) {}
    /// Goes on in a copy of the run.
    TrackRecorder(const TrackRecorder& before, const SimDriver& driver) : driver_(driver), tracks_(before.tracks_) {}
    void on_step(const StepView& view) override;
    const std::vector<std::vector<Point>>& tracks() const { return tracks_; }

  private:
    const SimDriver& driver_;
    std::vector<std::vector<Point>> tracks_;  // by robot
};

/// A moment of a run, for a picture; all in the team's frame.
struct Moment {
    const Grid<std::uint8_t>&walls, &sensable;
    std::span<const Robot> team;
    std::vector<Point> positions;
    const std::vector<std::vector<Point>>& tracks;
    const TrueView& truth;            ///< of the team
    std::vector<std::uint8_t> alive;  ///< what robots out of service knew alone is not known to the team
    scene::Scene scene{};
};
/// `stage`: of the simulation's scenario.
Moment moment_of(const Simulation& simulation, const std::vector<std::vector<Point>>& tracks, scene::Stage& stage);

/// The map as far as the team knows it, with the tracks of the robots, a scale and a legend.
Raster draw_run(const Moment& moment, const std::string& caption);

/// What `outrider check` found of a scenario.
struct CheckReport {
    std::size_t free = 0, walls = 0;
    // Free cells are of three kinds: those that a body overlaps somewhere on its paths, others that can be sensed, and
    // the rest.
    std::size_t reached = 0, only_seen = 0, unseen = 0;
    std::size_t narrow = 0;                ///< free cells that the largest body could not overlap if it stood anywhere
    std::optional<std::size_t> in_region;  ///< free cells in the region of interest, if there is one
    Raster picture;                        ///< empty unless asked for
};
CheckReport check_scenario(const Scenario& scenario, bool with_picture);

}  // namespace outrider
