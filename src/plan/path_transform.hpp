// The path transform: from every cell the cheapest path to some goals, where cells close to walls, or far from all of
// them, cost extra. With one goal it is the path transform of Zelinsky (1988); with all frontiers as goals it is the
// exploration transform, of which the steepest descent leads to a close and safe frontier (Wirth & Pellenz, SSRR 2007,
// eq. 3). Kept up to date as the map grows.
#pragma once

#include <memory>

#include "outrider/distance.hpp"
#include "plan/distance_field.hpp"
#include "plan/wall_distance.hpp"

namespace outrider {

/// The danger of one cell adds at most this to a path's cost, in cells: a robot does cross a hall.
inline constexpr double most_danger_cells = 250;

class PathTransform {
  public:
    PathTransform(const DangerOptions& options, double cell_m);
    ~PathTransform();
    PathTransform(PathTransform&&) noexcept;
    PathTransform& operator=(PathTransform&&) noexcept;

    /// The horizon that the distances for update() need, in cells.
    int horizon() const { return horizon_; }
    /// Takes in what changed since the last call. Both of the same map; `walls` of this horizon or a farther one. Goals
    /// that cannot be driven on are ignored.
    void update(const NavMap& nav, const WallDistance& walls, std::span<const Cell> goals);

    /// The danger cost of a cell this far from a wall, in cost units; no_bound: it cannot be driven on.
    std::uint32_t danger_cost(int squared_distance) const;
    /// The cost of the cheapest path to a goal, in cost units, with the danger here and at the goal; no_bound: there is
    /// none.
    std::uint32_t cost(Cell c) const;
    /// The path down to the goal. Path::cost as above. The map of the last update must still exist, unchanged.
    Path path(Cell from) const;

    /// What update() and path(from) would give, without a field: Dijkstra's search from the start, which ends at the
    /// first goal. Cheaper for one start than a field over the map; of equally cheap paths it may find another one.
    Path search(const NavMap& nav, const WallDistance& walls, Cell from, std::span<const Cell> goals) const;

    FieldCounters counters() const;

  private:
    struct Field;
    int horizon_;
    std::vector<std::uint32_t> danger_;  // by squared distance
    std::unique_ptr<Field> field_;
    const NavMap* nav_ = nullptr;          // of the last update
    const WallDistance* walls_ = nullptr;  // likewise
    ChangeCursor seen_;                    // likewise
};

}  // namespace outrider
