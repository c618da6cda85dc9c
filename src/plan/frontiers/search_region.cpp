#include "plan/frontiers/search_region.hpp"

#include <algorithm>

namespace outrider {
namespace {

bool any_free(const KnownMap& map, const std::vector<std::pair<TileCoord, BitTile>>& part) {
    return std::any_of(part.begin(), part.end(), [&](const auto& cells) {
        const CellTile* tile = map.tile(cells.first);
        for (int row = 0; tile && row < tile_size; ++row)
            if (tile->free_row(row) & cells.second.rows[static_cast<std::size_t>(row)]) return true;
        return false;
    });
}

}  // namespace

bool FoundParts::all(const KnownMap& map) {
    while (next_ < region_->parts.size() && any_free(map, region_->parts[next_])) ++next_;
    return next_ == region_->parts.size();
}

}  // namespace outrider
