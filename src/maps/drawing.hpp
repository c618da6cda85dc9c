// A map while it is drawn: walls and free space in cells, (0, 0) at the lower left.
#pragma once

#include <span>
#include <vector>

#include "grid/grid.hpp"
#include "outrider/rng.hpp"

namespace outrider {

/// Cells [x, x + w) x [y, y + h).
struct Rect {
    int x = 0, y = 0, w = 0, h = 0;
    int right() const { return x + w; }
    int top() const { return y + h; }
    Cell centre() const { return {x + w / 2, y + h / 2}; }
    /// The same, `by` cells larger on each side.
    Rect grown(int by) const { return {x - by, y - by, w + 2 * by, h + 2 * by}; }
    bool overlaps(const Rect& o) const { return x < o.right() && o.x < right() && y < o.top() && o.y < top(); }
    bool contains(Cell c) const { return c.x >= x && c.y >= y && c.x < right() && c.y < top(); }
    bool operator==(const Rect&) const = default;
};

enum class Fill : std::uint8_t { free, wall };

class Drawing {
  public:
    /// cell_m: side of a cell.
    Drawing(int width, int height, double cell_m, Fill ground);

    int width() const { return walls_.width(); }
    int height() const { return walls_.height(); }
    Rect frame() const { return {0, 0, width(), height()}; }
    double cell_m() const { return walls_.lattice().cell_m; }
    /// Metres in whole cells; at least one for a positive length.
    int cells(double metres) const;

    void set(Cell c, Fill fill) {
        if (walls_.contains(c)) walls_[c] = fill == Fill::wall;
    }
    bool wall(Cell c) const { return walls_.get(c, 1) != 0; }
    void rect(const Rect& r, Fill fill);
    /// The walls of a room, `thick` cells, inside of r.
    void outline(const Rect& r, int thick, Fill fill);
    // In cell units, at the centres of cells:
    void disc(Point centre, double radius, Fill fill);
    void stroke(std::span<const Point> line, double width, Fill fill);
    /// A convex polygon, counter-clockwise.
    void polygon(std::span<const Point> corners, Fill fill);
    /// A rectangle of half-sides a and b, turned by `angle` radians.
    void box(Point centre, double a, double b, double angle, Fill fill);

    Grid<std::uint8_t>& walls() { return walls_; }
    const Grid<std::uint8_t>& walls() const { return walls_; }

    Cell start{-1, -1};       ///< where a team would start; negative: anywhere
    std::vector<Rect> doors;  ///< openings in walls, for tests
    int rooms = 0;            ///< number of rooms drawn, for tests

  private:
    Grid<std::uint8_t> walls_;
};

/// Smooth random numbers in about [-1, 1]: values on a lattice of `period` cells, blended (Perlin's value noise).
class Noise {
  public:
    Noise(Rng& rng, double period);
    double at(Point cell) const;

  private:
    static constexpr int side = 64;
    std::vector<double> values_;
    double period_;
};

/// Integer in [low, high].
int between(Rng& rng, int low, int high);
/// True with probability p.
bool chance(Rng& rng, double p);
/// Cuts `length` into pieces of about `typical` with `gap` between them: the pieces' lengths, within 30 % of each
/// other.
std::vector<int> split(Rng& rng, int length, int typical, int gap);
template <class T>
void shuffle(Rng& rng, std::vector<T>& items) {
    for (std::size_t i = items.size(); i > 1; --i)
        std::swap(items[i - 1], items[rng.below(static_cast<std::uint32_t>(i))]);
}

}  // namespace outrider
