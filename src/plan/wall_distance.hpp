// The exact Euclidean distance from every cell to the nearest known wall, up to a horizon, kept right while the map
// grows. A wall spreads along a tree of offsets that is the same for all walls: the parent of a cell in the tree is
// chosen so that any place as near to the parent as the wall is nearer to the cell than the wall. The cells that a wall
// is nearest to are then connected in its tree, whatever other walls there are, so that following the tree and turning
// back where another wall is nearer finds them all; a brushfire over neighbours does not (Cuisenaire & Macq 1999).
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "outrider/detail/boxed.hpp"
#include "outrider/detail/known_map.hpp"
#include "plan/wall_distance.hpp"

namespace outrider {

/// Cells whose distance changed since a follower last asked; a cell may be listed more than once.
using DistanceChanges = Changes<Cell>;

class WallDistance {
  public:
    static constexpr int max_horizon_cells = 100;
    explicit WallDistance(int horizon_cells = 50);
    ~WallDistance();
    WallDistance(const WallDistance&);
    WallDistance(WallDistance&&) noexcept;
    WallDistance& operator=(WallDistance&&) noexcept;

    /// Takes in what changed in the map since the last call.
    void update(const KnownMap& map);

    /// Between the centres of cells, squared; none() where no wall is known within the horizon.
    int squared(Cell c) const;
    int none() const { return horizon_ * horizon_ + 1; }
    int horizon() const { return horizon_; }
    /// In cells; the horizon where no wall is known within it.
    double cells(Cell c) const;
    /// The nearest wall; of equally near ones the first by row, then column.
    std::optional<Cell> nearest(Cell c) const;

    /// For followers; valid until the next update.
    DistanceChanges changes_since(ChangeCursor& cursor) const { return changes_.since(cursor); }

    struct Counters {
        std::uint64_t changed = 0;  ///< cells whose nearest wall an update changed
        std::uint64_t touched = 0;  ///< cells looked at
        std::uint64_t rebuilds = 0;
    };
    const Counters& counters() const { return counters_; }

  private:
    struct Tile;
    struct Queue;
    struct Walls {
        std::vector<Cell> appeared, vanished;
    };
    Walls follow(const KnownMap& map);
    static constexpr std::size_t change_cap = 1 << 17;
    void forget(Cell wall, std::vector<Cell>& cleared);
    void offer(Cell c, Cell wall);
    void set(Cell c, std::optional<Cell> wall);
    Tile& tile(TileCoord t);

    int horizon_;
    const class SpreadTree* tree_;
    TileTable<Boxed<Tile>> tiles_;
    Boxed<Queue> queue_;
    std::vector<std::pair<Cell, std::optional<Cell>>> before_;  // cells set in this update, with their wall before it
    ChangeCursor seen_;                                         // of the map
    ChangeLog<Cell> changes_{change_cap};
    Counters counters_;
};

}  // namespace outrider
