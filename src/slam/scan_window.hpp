// The tiles around a sensor, into which one scan is drawn before it is merged into a map.
#pragma once

#include <cmath>
#include <vector>

#include "outrider/detail/known_map.hpp"
#include "outrider/ray.hpp"
#include "slam/scan_beams.hpp"

namespace outrider {

class ScanWindow {
  public:
    struct Tile {
        TileCoord at;
        CellTile claims;
        bool used = false;
    };

    /// Empty tiles over all cells between these two and two cells around.
    void begin(Cell low, Cell high);

    bool claimed(Cell c) { return tile(tile_of(c)).claims.known.test(c); }
    void claim(Cell c, CellState state) {
        Tile& t = tile(tile_of(c));
        t.claims.set(c, state);
        t.used = true;
    }
    /// The same as claims of occupied and safe_occupied, for a cell that is not known to be free and safe.
    void claim_wall(Cell c) {
        Tile& t = tile(tile_of(c));
        t.claims.known.set(c);
        t.claims.occupied.set(c);
        t.used = true;
    }
    void claim_safe(Cell c) { tile(tile_of(c)).claims.safe.set(c); }

    /// Sets in `plane` the cells whose centre lies in a polygon (even-odd rule).
    void fill(const ScanBeams::Outline& outline, BitTile CellTile::*plane);
    /// Before the first and after the last of the rays of a scan.
    void begin_rays();
    void finish_rays();
    /// Claims as known (free) the cells that a ray enters before the length `end`; with `inclusive`, also at it.
    /// `without`: a stretch of it that may be left out, since what lies there is claimed already.
    void mark_ray(const Ray& ray, double end, bool inclusive, const ScanBeams::Stretch& without = {});

    bool contains(TileCoord t) const {
        return t.x >= min_.x && t.y >= min_.y && t.x - min_.x < width_ && t.y - min_.y < height_;
    }
    /// t lies in the window.
    Tile& tile(TileCoord t) {
        return tiles_[static_cast<std::size_t>(t.y - min_.y) * static_cast<std::size_t>(width_) +
                      static_cast<std::size_t>(t.x - min_.x)];
    }
    std::vector<Tile>& tiles() { return tiles_; }
    const std::vector<Tile>& tiles() const { return tiles_; }

  private:
    void mark_columns(const Ray& ray, int begin, int end);
    std::uint64_t* line_of(const Ray& ray, int column);
    void mark(const Ray& ray, int column, int minor);
    /// Of the kind in which the ray is marked.
    int lines(const Ray& ray) const { return (ray.x_major ? width_ : height_) * tile_size; }

    TileCoord min_;
    int width_ = 0, height_ = 0;
    std::vector<Tile> tiles_;
    // Of the polygon being drawn: where a row crosses its outline; columns of words, in each all rows of the window.
    // Empty between polygons.
    std::vector<std::uint64_t> toggles_;
    // The cells marked by rays: rows of the map for steep rays, columns of it for flat ones, so that each column of a
    // ray is one word. First the first word of all lines, then the second: a tile's words lie together. Zero between
    // scans.
    std::vector<std::uint64_t> rows_, columns_;
    std::vector<std::int32_t> words_;  // of the ray being marked: where it leaves each of its columns, as word and bit
    std::vector<std::uint64_t> bits_;
};

}  // namespace outrider
