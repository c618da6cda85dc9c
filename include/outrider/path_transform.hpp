// The path transform: from every cell the cheapest way to some goals, where cells close to walls, or far from all of
// them, cost extra. With one goal it is the path transform of Zelinsky (1988); with all frontiers as goals it is the
// exploration transform, of which the steepest descent leads to a close and safe frontier (Wirth & Pellenz, SSRR 2007,
// eq. 3). Kept up as the map grows.
#pragma once

#include <memory>

#include "outrider/distance_field.hpp"
#include "outrider/wall_distance.hpp"

namespace outrider {

enum class Danger { none, near_only, near_and_open };
inline constexpr std::array<std::string_view, 3> danger_names{"none", "near_only", "near_and_open"};

struct DangerOptions {
    Danger danger = Danger::near_only;
    double weight = 1.2;
    double min_m = 0.3;
    double safe_m = 0.7;

    void fields(Fields& f) {
        f("danger", danger, danger_names,
          "none: length alone; near_only: cells nearer to a wall than safe_m cost extra; near_and_open: farther ones, "
          "too");
        f("weight", weight, 0, 100, "of the danger of a cell, (safe - distance)^2 in cells, against length (alpha)");
        f("min_m", min_m, 0, 10, "cells nearer to a wall cannot be driven on");
        f("safe_m", safe_m, 0, 10, "the distance from walls to keep");
    }
};

/// What the danger of one cell adds to a way is at most this, in cells: a robot does cross a hall.
inline constexpr double most_danger_cells = 250;

class PathTransform {
  public:
    PathTransform(const DangerOptions& options, double cell_m);
    ~PathTransform();
    PathTransform(PathTransform&&) noexcept;
    PathTransform& operator=(PathTransform&&) noexcept;

    /// The horizon that the distances for update() need, in cells.
    int horizon() const { return horizon_; }
    /// Takes in what changed since the last call. Both of the same map; `walls` of this horizon or a farther one.
    /// Goals that cannot be driven on count for nothing.
    void update(const NavMap& nav, const WallDistance& walls, std::span<const Cell> goals);

    /// What the danger of a cell costs that is this far from a wall, in cost units; no_bound: it cannot be driven on.
    std::uint32_t danger_cost(int squared_distance) const;
    /// Of the cheapest way to a goal, in cost units, its danger and that of the goal included; no_bound: there is none.
    std::uint32_t cost(Cell c) const;
    /// Down to the goal. Path::cost as above. The map of the last update has to be there still, and unchanged.
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
