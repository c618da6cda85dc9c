// Working memory of a search: a cost per cell, in tiles that are taken from a pool as the search touches them.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "outrider/detail/nav_map.hpp"
#include "plan/steps.hpp"

namespace outrider {

/// SearchTile::from of the start.
inline constexpr std::uint8_t no_step = 8;

inline constexpr std::uint32_t unseen_cost = std::numeric_limits<std::uint32_t>::max();

/// The part of a search that lies in one tile. A cost counts only with the stamp of the present search, so that nothing
/// has to be cleared.
struct SearchTile {
    TileCoord at;
    const NavTile* nav = nullptr;
    const NavTile::Rows* traversable = nullptr;
    std::array<SearchTile*, 9> around{};  ///< the neighbours, by row and column; null: not looked up yet
    std::uint32_t search = 0;
    std::array<std::uint64_t, tile_size * tile_size> cost{};  ///< the number of the search, then the cost
    std::array<std::uint8_t, tile_size * tile_size> from;     ///< direction of the step that led here

    std::uint32_t get(std::uint32_t key) const {
        return cost[key] >> 32 == search ? static_cast<std::uint32_t>(cost[key]) : unseen_cost;
    }
    void set(std::uint32_t key, std::uint32_t value) { cost[key] = std::uint64_t{search} << 32 | value; }
};

inline std::uint32_t key_in_tile(Cell c) { return static_cast<std::uint32_t>(row_in_tile(c) << 6 | column_in_tile(c)); }

class SearchMemory {
  public:
    void begin(const NavMap& nav) {
        nav_ = &nav;
        ++search_;
        for (std::size_t i = 0; i < used_; ++i) *lookup_.find(pool_[i]->at) = nullptr;
        used_ = 0;
    }
    SearchTile& tile(TileCoord t) {
        SearchTile*& entry = lookup_.at(t);
        if (entry) return *entry;
        static const NavTile nothing{};
        if (used_ == pool_.size()) pool_.push_back(std::make_unique<SearchTile>());
        SearchTile& fresh = *pool_[used_++];
        fresh.at = t;
        fresh.nav = nav_->tile(t) ? nav_->tile(t) : &nothing;
        fresh.traversable = &nav_->traversable_rows(t);
        fresh.around.fill(nullptr);
        fresh.search = search_;
        return *(entry = &fresh);
    }
    /// The tile beside `t`; k = 3 * (dy + 1) + dx + 1.
    SearchTile& beside(SearchTile& t, int k) {
        SearchTile*& known = t.around[static_cast<std::size_t>(k)];
        if (!known) known = &tile({t.at.x + k % 3 - 1, t.at.y + k / 3 - 1});
        return *known;
    }

    /// The tile of the cell (column, row) counted from the lower left corner of `t`, one cell outside of it at most.
    SearchTile& at(SearchTile& t, int column, int row) {
        const int k = 3 * ((row >> 6) + 1) + (column >> 6) + 1;
        return k == 4 ? t : beside(t, k);
    }

  private:
    const NavMap* nav_ = nullptr;
    std::uint32_t search_ = 0;
    std::size_t used_ = 0;
    std::vector<std::unique_ptr<SearchTile>> pool_;
    TileTable<SearchTile*> lookup_;
};

/// For each direction of the step into a cell (the last entry: no step), the directions of a next step that can be
/// worthwhile: the cell before it and that one's straight neighbours cost less to reach from the cell before it.
inline constexpr std::array<std::uint8_t, 9> worthwhile_steps = [] {
    std::array<std::uint8_t, 9> table{};
    for (std::size_t d = 0; d < 9; ++d)
        for (std::size_t e = 0; e < 8; ++e) {
            const int x = d < 8 ? steps[d].x + steps[e].x : 2, y = d < 8 ? steps[d].y + steps[e].y : 2;  // from there
            if (x * x + y * y > 1) table[d] = static_cast<std::uint8_t>(table[d] | 1u << e);
        }
    return table;
}();

/// Traversable cells around a cell; its own bit is set, whatever the map says.
inline unsigned traversable_around(SearchMemory& memory, SearchTile& tile, int column, int row) {
    unsigned around = 1u << 4;
    if (column > 0 && column < 63 && row > 0 && row < 63) {
        const std::uint64_t* pass = &(*tile.traversable)[static_cast<std::size_t>(row - 1)];
        for (int k = 0; k < 3; ++k) around |= static_cast<unsigned>(pass[k] >> (column - 1) & 7) << (3 * k);
        return around;
    }
    for (int k = 0; k < 9; ++k) {
        const int x = column + k % 3 - 1, y = row + k / 3 - 1;
        const NavTile::Rows& rows = *memory.at(tile, x, y).traversable;
        around |= static_cast<unsigned>(rows[static_cast<std::size_t>(y & 63)] >> (x & 63) & 1) << k;
    }
    return around;
}

/// The memory of this thread.
SearchMemory& search_memory();

}  // namespace outrider
