// What takes all steps to know: since when each cell is known, to the first robot and to a base station, and how each
// robot did so far.
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <optional>

#include "metrics/health.hpp"
#include "outrider/briefing.hpp"

namespace outrider::view {

/// Since when a cell is known. "At the latest" when steps in between were not looked at.
struct CellHistory {
    int first_step = -1;  ///< -1: nobody knew it in any step looked at
    RobotId first_robot = -1;
    bool first_exact = true;
    int base_step = -1;
    bool base_exact = true;
};

/// Steps of a tile's cells; -1: not known in any step looked at.
struct TileHistory {
    std::array<std::int32_t, tile_size * tile_size> first_step, base_step;
    std::array<std::int16_t, tile_size * tile_size> first_robot;
    BitTile known, at_base, first_loose, base_loose;
    TileHistory();
};

/// Thread-safe: the run writes, the window reads.
class History {
  public:
    /// Records that a robot knows these cells at a step. `exact`: the step before was looked at, too. Call for the
    /// robots of a step in the order of their numbers; `base`: the robot is a base station.
    void note(TileCoord tile, const BitTile& known, RobotId robot, bool base, int step, bool exact);
    CellHistory at(Cell c) const;
    /// A copy of the tile; nullptr where nothing is known.
    std::unique_ptr<TileHistory> tile(TileCoord t) const;
    void clear();

  private:
    mutable std::mutex mutex_;
    TileTable<std::unique_ptr<TileHistory>> tiles_;
};

/// How each robot did up to a step. Thread-safe, too.
class HealthHistory {
  public:
    /// After a step, in the order of steps: kept where it changed. Steps that were noted before change nothing.
    void note(int step, const std::vector<RobotHealth>& robots);
    RobotHealth at(RobotId robot, int step) const;
    void clear();

  private:
    mutable std::mutex mutex_;
    std::vector<std::vector<std::pair<int, RobotHealth>>> changes_;  // by robot
    int noted_ = -1;                                                 // up to this step
};

}  // namespace outrider::view
