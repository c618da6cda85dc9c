// Tiles of 64 x 64 cells, one machine word per row, and tables of them that grow in every direction.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "outrider/geometry.hpp"

namespace outrider {

inline constexpr int tile_size = 64;

/// Signed coordinate of a tile: cell (x, y) lies in tile (x >> 6, y >> 6). Ordered by row, then column.
struct TileCoord {
    std::int32_t x = 0, y = 0;
    bool operator==(const TileCoord&) const = default;
    friend std::strong_ordering operator<=>(TileCoord a, TileCoord b) {
        if (const auto by_row = a.y <=> b.y; by_row != 0) return by_row;
        return a.x <=> b.x;
    }
};

inline TileCoord tile_of(Cell c) { return {c.x >> 6, c.y >> 6}; }
inline int column_in_tile(Cell c) { return c.x & 63; }
inline int row_in_tile(Cell c) { return c.y & 63; }
inline Cell cell_of(TileCoord t, int column, int row) { return {t.x * tile_size + column, t.y * tile_size + row}; }

/// One bit per cell: bit i of word j is the cell in column i, row j of the tile.
struct BitTile {
    std::array<std::uint64_t, tile_size> rows{};

    bool test(Cell c) const { return rows[static_cast<std::size_t>(row_in_tile(c))] >> column_in_tile(c) & 1; }
    void set(Cell c) { rows[static_cast<std::size_t>(row_in_tile(c))] |= std::uint64_t{1} << column_in_tile(c); }
    void reset(Cell c) { rows[static_cast<std::size_t>(row_in_tile(c))] &= ~(std::uint64_t{1} << column_in_tile(c)); }
    int count() const {
        int n = 0;
        for (const std::uint64_t row : rows) n += std::popcount(row);
        return n;
    }
    bool operator==(const BitTile&) const = default;
};

/// Bit j of word i becomes bit i of word j: swaps ever smaller blocks (Warren, Hacker's Delight, 7-3).
std::array<std::uint64_t, tile_size> transposed(std::array<std::uint64_t, tile_size> words);

/// The runs of set bits in `pass` that contain a bit of `seeds`.
inline std::uint64_t fill_runs(std::uint64_t seeds, std::uint64_t pass) {
    std::uint64_t up = seeds, through = pass;
    for (int d = 1; d < 64; d *= 2) {
        up |= through & up << d;
        through &= through << d;
    }
    std::uint64_t down = seeds;
    through = pass;
    for (int d = 1; d < 64; d *= 2) {
        down |= through & down >> d;
        through &= through >> d;
    }
    return up | down;
}

/// A table of T by tile coordinate, stored as a dense rectangle that grows when a new tile lies outside of it.
/// A T{} counts as "nothing there".
template <class T>
class TileTable {
  public:
    /// nullptr outside of the rectangle.
    const T* find(TileCoord t) const {
        const auto column = static_cast<std::uint32_t>(t.x - min_.x), row = static_cast<std::uint32_t>(t.y - min_.y);
        if (column >= static_cast<std::uint32_t>(width_) || row >= static_cast<std::uint32_t>(height_)) return nullptr;
        return &items_[row * static_cast<std::size_t>(width_) + column];
    }
    T* find(TileCoord t) { return const_cast<T*>(std::as_const(*this).find(t)); }
    /// Grows when needed; references to other items are then invalid.
    T& at(TileCoord t) {
        if (!find(t)) grow(t);
        return *find(t);
    }
    void clear() { *this = {}; }

    TileCoord min() const { return min_; }
    int width() const { return width_; }
    int height() const { return height_; }
    /// Calls visit(coordinate, item) for every item of the rectangle by row, then column.
    template <class Visit>
    void for_each(Visit&& visit) const {
        for (int row = 0, i = 0; row < height_; ++row)
            for (int column = 0; column < width_; ++column, ++i)
                visit(TileCoord{min_.x + column, min_.y + row}, items_[static_cast<std::size_t>(i)]);
    }

    /// Calls visit(item) for every item of the rectangle.
    template <class Visit>
    void for_each_item(Visit&& visit) {
        for (T& item : items_) visit(item);
    }

  private:
    void grow(TileCoord t) {
        TileCoord low = t, high = t;
        if (width_ > 0) {
            low = {std::min(t.x, min_.x), std::min(t.y, min_.y)};
            high = {std::max(t.x, min_.x + width_ - 1), std::max(t.y, min_.y + height_ - 1)};
            // Half of the present size in advance on the side that grew: a growing map moves its items rarely.
            if (low.x < min_.x) low.x -= width_ / 2;
            if (low.y < min_.y) low.y -= height_ / 2;
            if (high.x >= min_.x + width_) high.x += width_ / 2;
            if (high.y >= min_.y + height_) high.y += height_ / 2;
        }
        const int width = high.x - low.x + 1, height = high.y - low.y + 1;
        std::vector<T> items(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
        for (int row = 0; row < height_; ++row)
            for (int column = 0; column < width_; ++column)
                items[static_cast<std::size_t>(row + min_.y - low.y) * static_cast<std::size_t>(width) +
                      static_cast<std::size_t>(column + min_.x - low.x)] =
                    std::move(items_[static_cast<std::size_t>(row) * static_cast<std::size_t>(width_) +
                                     static_cast<std::size_t>(column)]);
        items_ = std::move(items);
        min_ = low;
        width_ = width;
        height_ = height;
    }

    TileCoord min_;
    int width_ = 0, height_ = 0;
    std::vector<T> items_;
};

}  // namespace outrider
