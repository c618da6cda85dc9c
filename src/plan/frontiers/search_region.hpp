// Where a team explores: the unknown outside of a region of interest is no goal.
#pragma once

#include <utility>
#include <vector>

#include "outrider/detail/known_map.hpp"

namespace outrider {

/// Whether a cell is one of these.
inline bool holds(const TileTable<BitTile>& cells, Cell c) {
    const BitTile* tile = cells.find(tile_of(c));
    return tile && tile->test(c);
}

struct SearchRegion {
    TileTable<BitTile> cells;  ///< in the robots' frame
    /// Its connected parts, each as the cells of some tiles.
    std::vector<std::vector<std::pair<TileCoord, BitTile>>> parts;
};

/// Which parts of a region a robot has found: it knows a free cell of each. What was found stays so.
class FoundParts {
  public:
    explicit FoundParts(const SearchRegion& region) : region_(&region) {}

    bool all(const KnownMap& map);

  private:
    const SearchRegion* region_;
    std::size_t next_ = 0;  // the parts before this one were found
};

}  // namespace outrider
