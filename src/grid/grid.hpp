// Dense grids of cells on the lattice.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "outrider/cells.hpp"
#include "outrider/error.hpp"

namespace outrider {

/// Dense row-major cells of a rectangle of the lattice whose lower left cell is `origin`.
template <class T>
class Grid {
    static_assert(!std::is_same_v<T, bool>, "std::vector<bool> has no addressable cells; use std::uint8_t");

  public:
    Grid() = default;
    Grid(int width, int height, T value = {}, Lattice lattice = {}, Cell origin = {})
        : width_(width), height_(height), lattice_(lattice), origin_(origin) {
        OUTRIDER_CHECK(width, >=, 0);
        OUTRIDER_CHECK(height, >=, 0);
        cells_.assign(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), value);
    }

    int width() const { return width_; }
    int height() const { return height_; }
    Cell origin() const { return origin_; }
    const Lattice& lattice() const { return lattice_; }
    /// The same cells in a frame in which the lower left one is `origin`.
    void set_origin(Cell origin) { origin_ = origin; }

    bool contains(Cell c) const {
        return c.x >= origin_.x && c.y >= origin_.y && c.x - origin_.x < width_ && c.y - origin_.y < height_;
    }
    /// Unchecked: the caller knows that the grid contains c.
    T& operator[](Cell c) { return cells_[index(c)]; }
    const T& operator[](Cell c) const { return cells_[index(c)]; }
    T get(Cell c, T outside) const { return contains(c) ? (*this)[c] : outside; }

    std::size_t index(Cell c) const {
        return static_cast<std::size_t>(c.y - origin_.y) * static_cast<std::size_t>(width_) +
               static_cast<std::size_t>(c.x - origin_.x);
    }
    Cell cell(std::size_t index) const {
        const auto w = static_cast<std::size_t>(width_);
        return {origin_.x + static_cast<int>(index % w), origin_.y + static_cast<int>(index / w)};
    }
    std::vector<T>& cells() { return cells_; }
    const std::vector<T>& cells() const { return cells_; }
    bool operator==(const Grid&) const = default;

  private:
    int width_ = 0, height_ = 0;
    Lattice lattice_;
    Cell origin_;
    std::vector<T> cells_;
};

}  // namespace outrider
