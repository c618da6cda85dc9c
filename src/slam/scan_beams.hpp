// The beams of one scan, one column of numbers for each quantity, so that several beams are worked on at a time.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "slam/mapping.hpp"

namespace outrider {

/// All in cells of the map's frame.
class ScanBeams {
  public:
    /// How the numbers of a scan are to be read.
    struct Scale {
        double unit = 0;       ///< of a measured range
        double max_range = 0;  ///< length of beams that met nothing
        double tolerance = 0;  ///< see locate_hit
    };
    void take(Point origin, std::span<const Point> directions, std::span<const std::uint16_t> ranges,
              const Scale& scale);

    std::size_t size() const { return range_.size(); }
    double range(std::size_t i) const { return range_[i]; }  ///< 0: no information
    /// By how much the beam is longer than the shorter one of the beams beside it; 0 if it is not, or alone.
    double beyond_neighbour(std::size_t i) const {
        const double before = i > 0 ? range_[i - 1] : range_[i], after = i + 1 < size() ? range_[i + 1] : range_[i];
        return std::max(0.0, range_[i] - std::min(before, after));
    }
    /// What decides how far a beam runs inside of outline(reach).
    struct Sectors {
        static constexpr double half_diagonal = 0.7072;  ///< cells: from a point of a cell to its middle, at most
        static constexpr std::size_t looked_at = 8;      ///< to each side
        double reach, flatness;                          ///< the chord of a sector is so much nearer than its ends
        /// Middles of cells that a beam touches are in the k-th sector beside it only as near as this.
        std::array<double, looked_at + 1> seen_within;
        Sectors(double step_angle, double longest);
    };
    struct Stretch {
        double from = 0, to = 0;
    };
    /// A stretch of a beam so that the middles of all cells that it touches there lie inside of the outline; empty
    /// where none is known.
    Stretch inside_outline(std::size_t i, const Sectors& sectors) const;
    bool hit(std::size_t i) const { return candidates_[i] != 0; }
    Ray ray(std::size_t i) const { return {origin_, directions_[i]}; }
    /// Of a hit, the same as locate_hit finds: its cell or both candidates, and HitCells::t.
    Cell cell(std::size_t i) const { return {x_[i], y_[i]}; }
    Cell other_cell(std::size_t i) const { return {other_x_[i], other_y_[i]}; }
    double seen(std::size_t i) const { return seen_[i]; }
    /// The beams whose hit can be in one cell only, and those with two candidates.
    const std::vector<std::uint32_t>& sure() const { return sure_; }
    const std::vector<std::uint32_t>& ambiguous() const { return ambiguous_; }
    /// The cells of the lowest and highest coordinates of the sensor and of all ends.
    std::pair<Cell, Cell> extent() const;

    /// The corners of the star of sectors in turn, from the sensor and back to it. A sector is as long as the shorter
    /// of its two beams and at most `reach`.
    struct Outline {
        std::vector<double> x, y;
        std::vector<std::int32_t> row;    // the first row whose centre line is not below the corner
        std::vector<std::int32_t> edges;  // corners from which an edge leads across the centre line of a row
    };
    const Outline& outline(double reach);
    /// The same with each beam as long as it is, its neighbours whatever they are.
    const Outline& whole_outline(double reach);

    /// The hits whose vector to the next one, shorter than `limit` and of beams longer than `far`, continues in the
    /// direction of the vector before or after it.
    const std::vector<std::int32_t>& along_walls(double limit, double far);

  private:
    void find_edges();
    void walk_to_hit(std::size_t i, double tolerance);

    Point origin_;
    std::span<const Point> directions_;
    std::vector<double> range_, end_x_, end_y_, seen_;
    std::vector<std::int32_t> candidates_, x_, y_, other_x_, other_y_;
    std::vector<std::uint32_t> sure_, ambiguous_;
    Outline outline_;
    std::vector<double> span_x_, span_y_, span_length_;
    std::vector<std::int32_t> joined_, along_walls_;
};

}  // namespace outrider
