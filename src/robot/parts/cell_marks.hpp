// Cells that get a mark in a robot's map.
#pragma once

#include <bit>

#include "robot/knowledge.hpp"

namespace outrider {

class CellMarks {
  public:
    void add(Cell c) { cells_.at(tile_of(c)).set(c); }
    /// Cells with their middle in the disc; in the frame of the map.
    void add_disc(const Lattice& lattice, Point middle, double radius_m) {
        const Cell low = lattice.cell_of(middle - Point{radius_m, radius_m}),
                   high = lattice.cell_of(middle + Point{radius_m, radius_m});
        for (int y = low.y; y <= high.y; ++y)
            for (int x = low.x; x <= high.x; ++x)
                if (distance(lattice.centre({x, y}), middle) <= radius_m) add({x, y});
    }
    template <class Visit>
    void for_each(Visit&& visit) const {
        cells_.for_each([&](TileCoord t, const BitTile& cells) {
            for (int row = 0; row < tile_size; ++row)
                for (std::uint64_t open = cells.rows[static_cast<std::size_t>(row)]; open; open &= open - 1)
                    visit(cell_of(t, std::countr_zero(open), row));
        });
    }
    void set(KnownMap& map, Mark mark) const {
        cells_.for_each([&](TileCoord t, const BitTile& cells) {
            if (cells != BitTile{}) map.mark(mark, t, cells);
        });
    }
    /// In what a robot knows: they move with the scans.
    void set(Knowledge& known, Mark mark) const {
        set(known.map, mark);
        if (known.submaps) known.submaps->mark(mark, cells_, inverse(known.in_map({})));
    }

  private:
    TileTable<BitTile> cells_;
};

}  // namespace outrider
