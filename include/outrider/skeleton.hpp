// The skeleton of the space that a robot can pass: what thinning leaves of it, one cell wide, in the middle between
// walls; and what follows from it: where paths meet and end, where they are narrow, and which rooms they separate. In
// wide open space (no obstacle in the window of 101 x 101 cells around) there is no skeleton; it is ringed instead. (de
// Hoog, Cameron & Visser, AAMAS 2010; the thinning is Hilditch's.)
//
//     for (const KeyPoint& p : find_key_points(belief.skeleton(), belief.map()))
//         if (p.degree >= 3) ...   // a junction
#pragma once

#include <memory>
#include <vector>

#include "outrider/distance.hpp"

namespace outrider {

/// Refers to data that its robot keeps up to date.
class SkeletonView {
  public:
    SkeletonView(const class Skeleton& skeleton) : skeleton_(&skeleton) {}
    /// For the library; strategies have the functions below.
    operator const class Skeleton &() const { return *skeleton_; }

    bool on(Cell c) const;
    /// Whether no obstacle is within 50 rows and columns.
    bool wide_open(Cell c) const;
    /// How many branches lead away from a cell of it: 1 at an end, 2 in a corridor, 3 and more at a junction.
    int degree(Cell c) const;

  private:
    const class Skeleton* skeleton_;
};

/// A place on the skeleton that two robots can agree on.
struct KeyPoint {
    Cell cell;
    int degree = 0;  ///< branches that lead away: 1 at an end, 2 in between, 3 and more at a junction
    bool operator==(const KeyPoint&) const = default;
};

/// Junctions (three neighbours and three branches, at least), then ends (less than two neighbours), then cells in
/// between that are 50 cells or more from all of these, each by row and column. Removed again, the last first: those
/// within 3 cells of a wall, and those nearer than 20 cells to another one. (de Hoog, Cameron & Visser, AAMAS 2010.)
std::vector<KeyPoint> find_key_points(const SkeletonView& skeleton, const MapView& map);

/// A narrow place between two wider ones, such as a door.
struct CriticalPoint {
    Cell cell;
    double clearance = 0;  ///< to the nearest wall, in cells
    Cell left, right;      ///< the nearest wall, and the nearest one on the other side
};

/// On each stretch of the skeleton that begins or ends at a junction: where the distance to the nearest wall is at most
/// `most_clearance` cells and grows, on both sides along the stretch, by the share `rise` before it falls below. By
/// row, then column. (Wurm, Stachniss & Burgard, IROS 2008.)
std::vector<CriticalPoint> find_critical_points(const SkeletonView& skeleton, const WallView& walls,
                                                double most_clearance, double rise = 0.1);

/// The reached space cut along the lines from critical points to their two walls.
class Segments {
  public:
    Segments(const NavView& nav, const std::vector<CriticalPoint>& cuts);

    struct Segment {
        Cell first;  ///< by row, then column
        int cells = 0;
        int frontier_cells = 0;  ///< 0: nothing is left to be explored in it
    };
    /// By their first cells.
    const std::vector<Segment>& all() const;
    /// The segment of a cell; a cell on a cut belongs to one of those beside it; -1: not reached.
    int of(Cell c) const;

  private:
    struct State;
    std::shared_ptr<const State> state_;
};

}  // namespace outrider
