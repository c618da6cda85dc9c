// The length of the shortest way from every cell to the nearest of some sources, kept right while the map grows and the
// sources change: only cells whose length changes, and those beside them, are touched (Ramalingam & Reps 1996).
#pragma once

#include <memory>
#include <vector>
#include "outrider/detail/nav_map.hpp"

#include "outrider/path.hpp"

namespace outrider {

/// What the upkeep of a field of costs came to.
struct FieldCounters {
    std::uint64_t changed = 0;   ///< cells whose cost is another one after an update than before
    std::uint64_t touched = 0;   ///< cells looked at with all their neighbours
    std::uint64_t rebuilds = 0;  ///< updates that began anew
};

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
    /// Down the steepest descent to a source; equal ones: the first by row, then column. The map of the last update has
    /// to be there still, and unchanged.
    Path path(Cell from) const;

    FieldCounters counters() const;

  private:
    struct Field;
    std::unique_ptr<Field> field_;
    const NavMap* nav_ = nullptr;  // of the last update
};

}  // namespace outrider
