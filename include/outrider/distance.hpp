// How far it is to the nearest wall, and paths that keep away from walls.
//
//     const WallView walls = belief.wall_distance();
//     if (walls.squared(c) != walls.none()) ...   // a wall is within the horizon
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "outrider/map.hpp"
#include "outrider/options.hpp"
#include "outrider/path.hpp"

namespace outrider {

inline constexpr int max_horizon_cells = 100;        ///< of wall distances
inline constexpr double max_body_radius_cells = 63;  ///< the largest for which passability is computed

/// The exact distance from each cell to the nearest known wall, up to a horizon. Refers to what its robot keeps up to
/// date.
class WallView {
  public:
    WallView(const class WallDistance& walls) : walls_(&walls) {}
    /// For the library; strategies have the functions below.
    operator const class WallDistance &() const { return *walls_; }

    /// Between the centres of cells, squared; none() where no wall is known within the horizon.
    int squared(Cell c) const;
    int none() const;
    int horizon() const;
    /// In cells; the horizon where no wall is known within it.
    double cells(Cell c) const;
    /// The nearest wall; of equally near ones the first by row, then column.
    std::optional<Cell> nearest(Cell c) const;

  private:
    const class WallDistance* walls_;
};

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

/// The cheapest path from one place to the nearest of several goals, where cells close to walls cost extra: the
/// exploration transform (Wirth & Pellenz, SSRR 2007, eq. 3) for one robot, computed only as far as its goal.
class SafePaths {
  public:
    SafePaths(const DangerOptions& options, double cell_m);

    /// The horizon that the distances for search() need, in cells.
    int horizon() const;
    /// Extra cost, in cost units, of a cell that is this far from a wall; no_bound: it cannot be driven on.
    std::uint32_t danger_cost(int squared_distance) const;
    /// `walls`: with this horizon or a farther one. Path::cost counts the danger, that of the goal included.
    Path search(const NavView& nav, const WallView& walls, Cell from, std::span<const Cell> goals) const;

  private:
    std::shared_ptr<const class PathTransform> transform_;
};

}  // namespace outrider
