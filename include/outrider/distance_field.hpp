// The length of the shortest way from every cell to the nearest of some sources, kept right while the map grows and the
// sources change: only cells whose length changes, and those beside them, are touched (Ramalingam & Reps 1996).
#pragma once

#include <memory>
#include <vector>

#include "outrider/path.hpp"

namespace outrider {

class DistanceField {
  public:
    DistanceField();
    ~DistanceField();
    DistanceField(DistanceField&&) noexcept;

    /// Takes in what changed in the map, and the sources, since the last call. Sources that cannot be passed count for
    /// nothing. 8-connected, no cutting of corners, unknown not traversable.
    void update(const NavMap& nav, std::span<const Cell> sources);

    /// In cost units (straight_cost a cell); no_bound where no source can be reached from.
    std::uint32_t cost(Cell c) const;
    /// Down the steepest descent to a source; equal ones: the first by row, then column.
    Path path(Cell from) const;

    struct Counters {
        std::uint64_t changed = 0;   ///< cells whose cost is another one after an update than before
        std::uint64_t touched = 0;   ///< cells looked at with all their neighbours
        std::uint64_t rebuilds = 0;  ///< updates that began anew
    };
    const Counters& counters() const { return counters_; }

  private:
    struct Tile;
    struct Queue;
    Tile* tile(TileCoord t) const;
    std::uint32_t& cost_of(Cell c);
    void set(Cell c, std::uint32_t cost);
    template <class Visit>
    void neighbours(Cell c, Visit&& visit) const;
    std::uint32_t best_through_neighbours(Cell c) const;
    bool is_source(Cell c) const;
    void raise();
    void lower();

    const NavMap* nav_ = nullptr;  // during an update
    std::uint64_t seen_ = 0;
    bool begun_ = false;
    std::vector<Cell> sources_;  // sorted, passable
    TileTable<std::unique_ptr<Tile>> tiles_;
    std::unique_ptr<Queue> queue_;
    std::vector<std::pair<Cell, std::uint32_t>> before_;  // cells set in this update, with their cost before it
    bool fresh_ = false;                                  // this update begins anew: all costs were no_bound
    Counters counters_;
};

}  // namespace outrider
