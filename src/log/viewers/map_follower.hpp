// A robot's map as grids for other programs, as often as is worth it.
#pragma once

#include <optional>

#include "mcap/messages.hpp"
#include "outrider/detail/hash.hpp"
#include "outrider/detail/known_map.hpp"

namespace outrider {

class MapFollower {
  public:
    /// The map at this time, cut to what is known, when it is due: it changed since the last time, and either by a
    /// twentieth of what was known, or that time is 10 s ago (for large maps longer, a second for 50,000 cells).
    /// `at_end`: whatever changed is due. `offset`: the map's frame in that of the grid, metres.
    std::optional<GridMessage> due(const KnownMap& map, double time_s, Point offset, bool at_end = false);
    /// The map was built anew: it is looked at from the beginning.
    void forget() { seen_ = {}; }

  private:
    ChangeCursor seen_;
    bool changed_ = false, written_ = false;
    double written_s_ = 0;
    std::size_t known_ = 0, cells_ = 0;  // when it was written
    Hash128 content_;
};

/// What is known of a map, cut to it; none: nothing is.
std::optional<GridMessage> grid_of(const KnownMap& map, Point offset);

}  // namespace outrider
