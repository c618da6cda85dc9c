// Whether a plan of the building fits what a robot has seen.
#pragma once

#include <cstdint>

#include "outrider/detail/known_map.hpp"

namespace outrider {

/// A plan is trusted as long as three quarters of the wall cells that the robot knows lie within two cells of a wall of
/// the plan, where it says something; at first it is. Plans that miss some walls stay trusted, those that lie off do
/// not.
class PlanTrust {
  public:
    static constexpr int tolerance_cells = 2;
    static constexpr double least_share = 0.75;
    static constexpr std::int64_t least_walls = 100;  ///< fewer known wall cells say nothing

    explicit PlanTrust(const KnownMap& plan);
    /// Takes in what changed in the robot's map.
    void update(const KnownMap& map);
    bool trusted() const {
        return walls_ < least_walls || static_cast<double>(fitting_) >= least_share * static_cast<double>(walls_);
    }

  private:
    TileTable<BitTile> near_;   // cells near a wall of the plan
    TileTable<BitTile> shown_;  // cells of which it says something
    struct Count {
        std::int64_t walls = 0, fitting = 0;
    };
    TileTable<Count> counts_;  // by tile of the robot's map
    std::int64_t walls_ = 0, fitting_ = 0;
    ChangeCursor seen_;
};

}  // namespace outrider
