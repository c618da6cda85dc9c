// The skeleton of the space that a robot can pass: what thinning leaves of it, one cell wide, in the middle between
// walls. In wide open space (no obstacle in the window of 101 x 101 cells around) there is none; it is ringed instead.
// Kept up to date as the map grows. (de Hoog, Cameron & Visser, AAMAS 2010; the thinning is Hilditch's.)
#pragma once

#include <memory>
#include <vector>

#include "outrider/detail/boxed.hpp"
#include "outrider/detail/nav_map.hpp"
#include "plan/skeleton/skeleton.hpp"

namespace outrider {

class Skeleton {
  public:
    Skeleton();
    ~Skeleton();
    Skeleton(const Skeleton&);
    Skeleton(Skeleton&&) noexcept;
    Skeleton& operator=(Skeleton&&) noexcept;

    /// Takes in what changed since the last call.
    void update(const NavMap& nav);

    bool on(Cell c) const;
    /// Bit i of word j: the cell in column i, row j of the tile lies on the skeleton; nullptr: no cell of it does.
    const NavTile::Rows* rows(TileCoord t) const;
    /// Whether no obstacle is within 50 rows and columns.
    bool wide_open(Cell c) const;
    /// Neighbours on the skeleton, of 8.
    int neighbours(Cell c) const;
    /// How many ways lead away from a cell of it: 1 at an end, 2 in a corridor, 3 and more at a junction. (Changes from
    /// off to on around the cell.)
    int degree(Cell c) const;
    /// Tiles with cells of it, by row, then column.
    std::vector<TileCoord> tiles() const;

    /// Tiles in which the last update changed the skeleton, sorted; whether it was from scratch.
    const std::vector<TileCoord>& changed() const { return changed_; }
    bool began_anew() const { return fresh_; }

    struct Counters {
        std::uint64_t tiles_changed = 0;  ///< tiles in which passable cells outside of wide open space changed
        std::uint64_t words_thinned = 0;  ///< words of 64 cells looked at, once for each round of thinning
        std::uint64_t tiles_thinned = 0;  ///< tiles thinned anew
    };
    const Counters& counters() const { return counters_; }

  private:
    struct Tile;
    const Tile* tile(TileCoord t) const;
    Tile& edit(TileCoord t);
    std::vector<TileCoord> take_input(const NavMap& nav);

    TileTable<Boxed<Tile>> tiles_;
    std::vector<TileCoord> changed_;
    ChangeCursor seen_;  // of passability
    bool fresh_ = false;
    Counters counters_;
};

}  // namespace outrider
