// How well robots know their poses, and how well the walls in their maps match the true walls.
#pragma once

#include <span>
#include <vector>

#include "metrics/group.hpp"
#include "world/world.hpp"

namespace outrider {

class Localisation final : public Copied<Localisation, Counter> {
  public:
    /// Steps between the two poses of a relation, and the error above which it counts as lost.
    static constexpr int relation_steps = 10;
    static constexpr double lost_m = 1, lost_share = 0.01;
    /// A wall cell of a map is off when no true wall is within so many cells; a map with a larger share is broken.
    static constexpr int off_cells = 5;
    static constexpr double broken_share = 0.02;

    /// The robots stand at their starts.
    explicit Localisation(const Measured& run);
    void count_in(const Measured& run) override {
        world_ = &run.driver.world();
        believed_ = &run.truth;
    }
    /// To be called after the robots moved: their believed poses refer to where they stood before.
    void on_step(const StepView& view) override;

    /// Of the mobile robots, in the team's frame. 0 when there is none.
    double rms_m() const;
    double rms_m(std::size_t robot) const;
    double largest_m() const;
    int off() const;              ///< robots that were more than lost_m off in the last step
    double relative_m() const;    ///< rms over all relations
    double relative_rad() const;  ///< likewise
    int lost() const;             ///< robots whose error is above lost_m in more than lost_share of their relations

  private:
    struct Track {
        std::vector<Pose> truth, belief;  // the last relation_steps + 1, in a ring
        int steps = 0, relations = 0, bad_relations = 0;
        double squares = 0, largest = 0, last = 0, relative_squares = 0, turn_squares = 0;
    };
    const World* world_ = nullptr;
    const TrueView* believed_ = nullptr;
    std::vector<Pose> truth_;  // where the robots stand
    std::vector<Track> tracks_;
};

/// Whether poses can be wrong: robots match scans, or have frames of their own.
bool localises(const Measured& run);

/// Share of the wall cells of a map that are off: no true wall is within so many cells.
double walls_off(const KnownMap& map, const World& world, int off_cells = Localisation::off_cells);

}  // namespace outrider
