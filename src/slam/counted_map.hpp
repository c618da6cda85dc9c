// The map of a matcher: how often each cell was seen and how often it was hit, and the exact distance from each cell to
// the nearest occupied one, up to a horizon. A cell is occupied when it was hit in more than `occupied_share` of the
// scans that saw it; counts are halved when one reaches the memory, so that what was seen long ago weighs less.
//
// Cells lie in patches of 32 x 32. Copies share patches until one of them writes: a fork costs a table of pointers.
// Patches not used for long can be kept compressed; copies share them compressed, too. The distance is kept up to date
// as in wall_distance.hpp, along the same tree of offsets.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "grid/grid.hpp"
#include "outrider/detail/tiles.hpp"
#include "plan/spread_tree.hpp"

namespace outrider {

struct CountedMapOptions {
    double cell_m = 0.05;
    double horizon_m = 0.5;        ///< no distance is larger
    double occupied_share = 0.25;  ///< of hits among the scans that saw a cell
    int memory = 100;              ///< scans; at most 127
};

class CountedMap {
  public:
    static constexpr int patch_size = 32;

    explicit CountedMap(const CountedMapOptions& options);
    /// A given map to localise in: cells that are 0 free, 1 wall, anything else unknown.
    CountedMap(const CountedMapOptions& options, const Grid<std::uint8_t>& cells);
    /// A copy that shares all patches; neither writes into them from now on.
    CountedMap fork();
    CountedMap(CountedMap&&) noexcept;
    CountedMap& operator=(CountedMap&&) noexcept;
    ~CountedMap();

    /// Takes in a scan: the sensor at `origin` saw walls at `hits`, all in metres of the map's frame. Cells on the line
    /// to a hit count as seen once per scan; a cell that was hit counts as hit. Hits farther than 200 m are left out.
    /// `surfaces`: whether they count for surface_near().
    void insert(Point origin, std::span<const Point> hits, bool surfaces = true);
    /// The same for many scans at once: what is occupied, and the distances, follow with settle(), in a third of the
    /// time. Nothing else may be asked meanwhile.
    void insert_unsettled(Point origin, std::span<const Point> hits, bool surfaces = true);
    void settle();
    /// Takes in the beams of a scan that met nothing: what lies on the way to `ends` was seen, once, where no beam to
    /// one of its `hits` saw or met anything. What is occupied does not follow: for maps that are nothing but swept.
    void insert_free(Point origin, std::span<const Point> ends, std::span<const Point> hits);
    /// Frees the working memory of insertions: some hundred kilobytes, which matter when there are many maps.
    void rest() { work_ = nullptr; }
    /// Compresses the patches that the last so many insertions did not touch; they are unpacked when they are read.
    /// Afterwards only one thread at a time may read the map. Not while another thread works on a copy.
    void pack_cold(int insertions);

    const Lattice& lattice() const { return lattice_; }
    double horizon_m() const { return options_.horizon_m; }
    double occupied_share() const { return options_.occupied_share; }
    int seen(Cell c) const;
    int hits(Cell c) const;
    bool occupied(Cell c) const;
    /// Hits by scans that saw the cell of this point (metres); 0: never seen.
    double share(Point p) const;
    /// All cells that were hit, by patch, then row, then column, each with that share.
    std::vector<std::pair<Cell, double>> hit_cells() const;
    /// Number of cells that were seen at all.
    std::size_t seen_cells() const;
    /// Between the centres of cells, squared, in cells; horizon² + 1 where nothing is occupied within the horizon.
    int squared_distance_at(Cell c) const;

    /// Distance in metres, and its gradient, at a point (metres): bilinear between the centres of four cells.
    struct Sample {
        double distance_m, gx, gy;
    };
    Sample sample(Point p) const;

    /// The wall near a point, finer than cells: through the means of the hits in the occupied cells around the one that
    /// is nearest to the point's cell.
    struct Surface {
        enum class Kind { none, line, point } kind = Kind::none;  ///< point: no direction is seen in the cells around
        Point at;                                                 ///< metres
        Point normal;                                             ///< of a line, to either side
    };
    Surface surface_near(Point p) const;

    /// The rectangle of cells that hold anything: lower left cell, and upper right cell + 1. Empty: equal.
    std::pair<Cell, Cell> extent() const;
    /// Bytes of the patches that this map holds or shares, as they are kept.
    std::size_t bytes() const;
    /// Occupied cells added or removed so far, for tests and measurements.
    std::size_t occupied_cells() const { return occupied_cells_; }

  private:
    struct Patch;
    class Packed;
    struct Entry {
        mutable std::shared_ptr<Patch> patch;  // none: it is packed
        mutable int touched = 0;               // the insertion in which it was written or unpacked last
        std::shared_ptr<Packed> packed;        // the same content, if it was packed and not written since
        bool own = false;                      // created here since the last fork
    };
    struct Shape;
    struct Work;
    CountedMap(const CountedMap&) = default;

    const Patch* find(int px, int py) const {
        const Entry* e = patches_.find({px, py});
        return !e ? nullptr : e->patch ? e->patch.get() : unpacked(*e);
    }
    const Patch* unpacked(const Entry& e) const;
    Patch& writable(int px, int py);
    void make_work();
    /// Room for the rays to these points; false: none of them is near enough.
    bool open_window(Point origin, std::span<const Point> ends, std::span<const Point> more = {});
    std::uint16_t near(Cell c) const;
    void set_near(Cell c, std::uint16_t index);
    void mark_ray(Point from, Point to);
    void count_free();
    void count_hits(std::span<const Cell> hits);
    void average(Point hit);
    bool often_hit(Cell c) const;
    void update_distances();
    void forget(Cell wall, std::vector<Cell>& cleared);
    void offer(Cell c, Cell wall);

    CountedMapOptions options_;
    Lattice lattice_;
    std::shared_ptr<const Shape> shape_;
    TileTable<Entry> patches_;  // by patch coordinates
    std::shared_ptr<Work> work_;
    std::size_t occupied_cells_ = 0;
    int insertions_ = 0;
};

}  // namespace outrider
