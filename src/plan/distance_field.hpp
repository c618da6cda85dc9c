// The length of the shortest path from every cell to the nearest of some sources, kept right while the map grows and
// the sources change: only cells whose length changes, and those beside them, are touched (Ramalingam & Reps 1996).
#pragma once

#include <vector>
#include "outrider/detail/boxed.hpp"
#include "outrider/detail/nav_map.hpp"

#include "outrider/path.hpp"

namespace outrider {

/// The work done to keep a cost field up to date.
struct FieldCounters {
    std::uint64_t changed = 0;   ///< cells whose cost an update changed
    std::uint64_t touched = 0;   ///< cells looked at with all their neighbours
    std::uint64_t rebuilds = 0;  ///< updates from scratch
};

class DistanceField {
  public:
    DistanceField();
    ~DistanceField();
    DistanceField(const DistanceField&);
    DistanceField(DistanceField&&) noexcept;

    /// Takes in the changes of the map and of the sources since the last call. Impassable sources are ignored.
    /// 8-connected, no cutting of corners, unknown not traversable.
    void update(const NavMap& nav, std::span<const Cell> sources);

    /// In cost units (straight_cost a cell); no_bound where no source can be reached.
    std::uint32_t cost(Cell c) const;
    /// The path of steepest descent to a source; of equal steps the first by row, then column. The map of the last
    /// update must still exist, unchanged.
    Path path(Cell from) const;

    FieldCounters counters() const;

  private:
    struct Field;
    Boxed<Field> field_;
    NotCopied<const NavMap*> nav_;  // of the last update
};

}  // namespace outrider
