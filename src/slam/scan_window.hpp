// The tiles around a sensor, into which one scan is drawn before it is merged into a map.
#pragma once

#include <deque>
#include <utility>
#include <vector>

#include "outrider/known_map.hpp"
#include "outrider/ray.hpp"

namespace outrider {

class ScanWindow {
  public:
    struct Tile {
        TileCoord at;
        CellTile claims;
        bool used = false;
    };

    /// Empty tiles over all cells between these corners (cell units) and two cells around.
    void begin(Point low, Point high);

    bool claimed(Cell c) { return tile(tile_of(c)).claims.known.test(c); }
    void claim(Cell c, CellState state) {
        Tile& t = tile(tile_of(c));
        t.claims.set(c, state);
        t.used = true;
    }

    /// Sets in `plane` the cells whose centre lies in the polygon (even-odd rule).
    void fill_polygon(const std::vector<Point>& corners, BitTile CellTile::*plane);
    /// Before the first and after the last of the rays of a scan.
    void begin_rays();
    void finish_rays();
    /// Claims as known (free) the cells that a ray enters before the length `end`; with `inclusive`, also at it.
    void mark_ray(const Ray& ray, double end, bool inclusive);

    bool contains(TileCoord t) const {
        return t.x >= min_.x && t.y >= min_.y && t.x - min_.x < width_ && t.y - min_.y < height_;
    }
    /// t lies in the window.
    Tile& tile(TileCoord t) {
        return tiles_[static_cast<std::size_t>(t.y - min_.y) * static_cast<std::size_t>(width_) +
                      static_cast<std::size_t>(t.x - min_.x)];
    }
    /// Keeps what the scan that is in the window said about cells, for as long as no scan of another step comes.
    void keep_if_of(std::uint32_t step) {
        if (step != step_) kept_.clear();
        if (step == step_)
            for (const Tile& t : tiles_)
                if (t.used) kept_.emplace_back(t.at, t.claims.known);
        step_ = step;
    }
    const std::deque<std::pair<TileCoord, BitTile>>& kept() const { return kept_; }
    std::vector<Tile>& tiles() { return tiles_; }
    const std::vector<Tile>& tiles() const { return tiles_; }

  private:
    void toggle_edge(Point a, Point b, BitTile CellTile::*plane);
    TileCoord min_;
    int width_ = 0, height_ = 0;
    std::vector<Tile> tiles_;
    // The cells marked by rays, as lines of words without tile edges: rows of the map for steep rays, columns of it for
    // flat ones, so that each column of a ray is one word.
    std::vector<std::uint64_t> rows_, columns_;
    std::vector<std::int32_t> words_;  // of the ray being marked: where it leaves each of its columns, as word and bit
    std::vector<std::uint64_t> bits_;
    std::deque<std::pair<TileCoord, BitTile>> kept_;  // of the earlier scans of this step
    std::int64_t step_ = -1;
};

}  // namespace outrider
