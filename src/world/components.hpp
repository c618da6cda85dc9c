// What of a map is connected: 4-connected, since no body cuts a corner.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "grid/grid.hpp"

namespace outrider {

/// A bit for each cell of a rectangle of the lattice.
class CellBits {
  public:
    CellBits(int width, int height, Cell origin)
        : width_(width),
          height_(height),
          words_((width + 63) / 64),
          origin_(origin),
          bits_(static_cast<std::size_t>(words_) * static_cast<std::size_t>(height)) {}

    int width() const { return width_; }
    int height() const { return height_; }
    int words() const { return words_; }  ///< in a row
    bool contains(Cell c) const {
        return c.x >= origin_.x && c.y >= origin_.y && c.x - origin_.x < width_ && c.y - origin_.y < height_;
    }
    /// False outside.
    bool test(Cell c) const {
        const Cell at = c - origin_;
        return contains(c) && (row(at.y)[at.x >> 6] >> (at.x & 63) & 1);
    }
    void set(Cell c) { row(c.y - origin_.y)[(c.x - origin_.x) >> 6] |= std::uint64_t{1} << ((c.x - origin_.x) & 63); }
    /// The cells of a row from one column to before another, all in the frame.
    void set_run(int y, int x, int end) {
        std::uint64_t* words = row(y - origin_.y);
        for (int i = x - origin_.x, last = end - origin_.x; i < last; i = (i | 63) + 1) {
            const int left = last - (i & ~63);
            words[i >> 6] |=
                (~std::uint64_t{0} << (i & 63)) & (left < 64 ? (std::uint64_t{1} << left) - 1 : ~std::uint64_t{0});
        }
    }
    /// The words of the y-th row from below: bit i of word w is the cell in column 64 w + i; those beyond are zero.
    std::uint64_t* row(int y) { return bits_.data() + static_cast<std::ptrdiff_t>(y) * words_; }
    const std::uint64_t* row(int y) const { return bits_.data() + static_cast<std::ptrdiff_t>(y) * words_; }
    Cell origin() const { return origin_; }
    void set_origin(Cell origin) { origin_ = origin; }
    /// Calls visit(cell) for each that is set, by row, then column.
    template <class Visit>
    void for_each(Visit&& visit) const {
        for (int y = 0; y < height_; ++y)
            for (int w = 0; w < words_; ++w)
                for (std::uint64_t left = row(y)[w]; left; left &= left - 1)
                    visit(origin_ + Cell{64 * w + std::countr_zero(left), y});
    }

  private:
    int width_, height_, words_;
    Cell origin_;
    std::vector<std::uint64_t> bits_;
};

/// The cells that are zero, and those that are not.
CellBits open_bits(const Grid<std::uint8_t>& blocked);
CellBits nonzero_bits(const Grid<std::uint8_t>& cells);
/// 1 where a bit is set.
Grid<std::uint8_t> bytes_of(const CellBits& cells, const Lattice& lattice);

/// The cells that are set with all eight around them; those outside are not.
CellBits eroded(const CellBits& cells);
/// Keeps those of `cells` that are set in `others` too, of the same size, where there is one; false, and no change,
/// where there is none.
bool keep_common(CellBits& cells, const CellBits& others);

/// The open cells that are connected with one of the seeds.
CellBits connected_bits(const CellBits& open, std::span<const Cell> seeds);
Grid<std::uint8_t> connected_cells(const Grid<std::uint8_t>& blocked, const std::vector<Cell>& seeds);

/// Open cells side by side in a row, x to before `end`; `label` says to which component they belong.
struct CellRun {
    int y, x, end;
    std::int32_t label;
};

/// All runs of cells that are zero, by row, then column, in the grid's frame. Components are counted from 1 by their
/// first cell.
std::vector<CellRun> label_runs(const Grid<std::uint8_t>& blocked);

/// Connected components of the cells that are zero, counted likewise; 0: blocked.
Grid<std::int32_t> label_components(const Grid<std::uint8_t>& blocked);

}  // namespace outrider
