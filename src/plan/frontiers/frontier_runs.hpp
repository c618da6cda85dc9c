// Frontier cells as runs along rows, the clusters that these form, and what these are.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "outrider/frontier.hpp"
#include "plan/frontiers/frontier_finder.hpp"

namespace outrider {

/// Frontier cells side by side in a row of a tile: columns first ... last.
struct FrontierRun {
    int row = 0, first = 0, last = 0;
    int label = 0;
    /// By row, then column.
    std::int64_t order() const { return std::int64_t{row} * (std::int64_t{1} << 32) + first; }
    friend bool operator<(const FrontierRun& a, const FrontierRun& b) { return a.order() < b.order(); }
};

/// Adds the runs of these cells of a row of a tile, by column.
void add_runs(TileCoord t, int row, std::uint64_t cells, std::vector<FrontierRun>& runs);
/// By row, then column.
void sort_runs(std::vector<FrontierRun>& runs);
/// Gives sorted runs that touch (8-connected) the same label; labels count up in the order of the clusters' first runs.
/// Returns the number of labels.
int label_clusters(std::vector<FrontierRun>& runs);

/// Size, area and centroid of a cluster.
Frontier measure_cluster(std::span<const FrontierRun> runs);
/// The unknown cell beside c (4 neighbours) that lies most towards all unknown cells within two cells: looking exactly
/// at one cell, even a narrow field of view sees it. c itself when there is none. wanted: only these cells count;
/// nullptr: all.
Cell unknown_neighbour(const KnownMap& map, Cell c, const TileTable<BitTile>* wanted = nullptr);
/// A cluster's description, and where to stand to see the unknown behind it: far from walls, then near its middle.
/// False: it cannot be seen from any of its cells. Runs by row, then column.
bool describe_cluster(const KnownMap& map, const NavMap& nav, std::span<const FrontierRun> runs,
                      const FrontierOptions& options, Frontier& f);

/// Bits of the run's cells in its row of the tile.
inline std::uint64_t cells_of(const FrontierRun& run) {
    const int length = run.last - run.first + 1;
    return (length == tile_size ? ~std::uint64_t{0} : (std::uint64_t{1} << length) - 1) << (run.first & 63);
}

/// Calls visit(cell) for each cell of the run in `bits`.
template <class Visit>
void for_each_cell(const FrontierRun& run, std::uint64_t bits, Visit&& visit) {
    for (; bits; bits &= bits - 1) visit(Cell{run.first - (run.first & 63) + std::countr_zero(bits), run.row});
}

}  // namespace outrider
