// What the skeleton tells about a map: where ways meet and end, where they are narrow, and which rooms that makes.
#pragma once

#include <memory>
#include <vector>

#include "outrider/skeleton.hpp"
#include "outrider/wall_distance.hpp"

namespace outrider {

/// A place on the skeleton that two robots can agree on.
struct KeyPoint {
    Cell cell;
    int degree = 0;  ///< ways that lead away: 1 at an end, 2 on the way, 3 and more at a junction
    bool operator==(const KeyPoint&) const = default;
};

/// Junctions (three neighbours and three ways, at least), then ends (less than two neighbours), then cells in between
/// that are 50 cells or more from all of these, each by row and column. Left out again, the last first: those within 3
/// cells of a wall, and those nearer than 20 cells to another one. (de Hoog, Cameron & Visser, AAMAS 2010.)
std::vector<KeyPoint> find_key_points(const Skeleton& skeleton, const KnownMap& map);

/// A narrow place between two wider ones, such as a door.
struct CriticalPoint {
    Cell cell;
    double clearance = 0;  ///< to the nearest wall, in cells
    Cell left, right;      ///< the nearest wall, and the nearest one on the other side
};

/// On each stretch of the skeleton that begins or ends at a junction: where the distance to the nearest wall is at most
/// `most_clearance` cells and grows, on both sides along the stretch, by the share `rise` before it falls below. By
/// row, then column. (Wurm, Stachniss & Burgard, IROS 2008.)
std::vector<CriticalPoint> find_critical_points(const Skeleton& skeleton, const WallDistance& walls,
                                                double most_clearance, double rise = 0.1);

/// The reached space cut along the lines from critical points to their two walls.
class Segments {
  public:
    Segments(const NavMap& nav, const std::vector<CriticalPoint>& cuts);
    ~Segments();
    Segments(Segments&&) noexcept;

    struct Segment {
        Cell first;  ///< by row, then column
        int cells = 0;
        int frontier_cells = 0;  ///< 0: nothing is left to be explored in it
    };
    /// By their first cells.
    const std::vector<Segment>& all() const { return segments_; }
    /// The segment of a cell; a cell on a cut belongs to one of those beside it; -1: not reached.
    int of(Cell c) const;

  private:
    using Labels = std::array<std::int32_t, tile_size * tile_size>;
    std::int32_t& label(Cell c);
    using Done = TileTable<BitTile>;
    void flood(const NavMap& nav, Cell first, std::int32_t id, Done& done);

    std::vector<Segment> segments_;
    TileTable<std::unique_ptr<Labels>> labels_;  // segment + 1; 0: none; -1: on a cut
};

}  // namespace outrider
