// Paths according to the options of a robot.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "outrider/options.hpp"
#include "plan/jump_point_search.hpp"
#include "plan/path_planner.hpp"

namespace outrider {

enum class Planner { jps, astar, field, topological };
inline constexpr std::array<std::string_view, 4> planner_names{"jps", "astar", "field", "topological"};

struct PlanOptions {
    Planner planner = Planner::jps;
    double wall_cost = 1;
    double unknown_cost = 0;
    double rough_cost = 0;
    bool any_angle = false;
    int max_expansions = 4'000'000;
    /// No option of users: rough cells are few, such as those around people. Searches for several goals leave them out,
    /// and only paths that cross some are looked for cell by cell.
    bool rough_is_rare = false;

    void fields(Fields& f) {
        f("planner", planner, planner_names,
          "how paths are found: the shortest by jump points (where obstacles are scattered by A*), by A*, or by a "
          "distance field from the robot; or nearly the shortest by a graph of nodes on the skeleton");
        f("wall_cost", wall_cost, 0, 100,
          "a step beside a wall costs this share more, one cell farther off half of it");
        f("unknown_cost", unknown_cost, 0, 100,
          "0: unknown cells cannot be crossed; otherwise a step into one costs so many times as much, at least once, "
          "and all paths are searched for with A*; where a prior map says that it is free 1.5 times, a wall 10 times");
        f("rough_cost", rough_cost, 0, 100,
          "a step on slow ground costs so many times as much, and paths are searched for cell by cell; 0: as much "
          "longer as the map's slow ground takes in the mean, 10 with hazards or people to be found; 1: it costs "
          "nothing");
        f("any_angle", any_angle,
          "robots cut across the corners of a path where the straight path is free and as clear");
        f("max_expansions", max_expansions, 1000, 1'000'000'000, "a search gives up after so many cells");
    }
};

/// Way points to go to in straight lines, one after the other, from a point in cell units near the first cell: cells of
/// the path, each as far along it as the line to it touches traversable cells only, also at corners, and none that is
/// closer to a wall than those that it cuts off, where that is within two cells. The last one is the last cell of the
/// path.
std::vector<Cell> any_angle(const NavMap& nav, Point from, std::span<const Cell> path);

/// Searches with the options of a robot.
class PathPlanner {
  public:
    /// What is known besides the nav map; it outlives this.
    struct Maps {
        const KnownMap* prior =
            nullptr;  ///< what is expected of unknown cells that may be crossed; nullptr: nothing is
        const KnownMap* rough = nullptr;  ///< its marks say where the ground is slow; nullptr: nowhere
    };
    explicit PathPlanner(const PlanOptions& options = {}, const Maps& maps = {nullptr, nullptr});
    ~PathPlanner();
    /// Throws CannotCopy. To be followed by plan_on().
    PathPlanner(const PathPlanner&);
    PathPlanner(PathPlanner&&) noexcept;
    PathPlanner& operator=(PathPlanner&&) noexcept;

    Path shortest(const NavMap& nav, Cell start, Cell goal, std::uint32_t bound = no_bound) const;
    /// The cheapest path when closeness to walls costs extra: A*. Closeness never forbids. For short paths: working
    /// memory belongs to the thread, and a search costs what it touches.
    Path clearest(const NavMap& nav, Cell start, Cell goal, std::uint32_t bound = no_bound) const;
    PathSearch search(const NavMap& nav, Cell start, std::span<const Cell> goals) const;

    /// A copy plans on copies of the maps: `copy_of` returns that of a map.
    void plan_on(const Maps& maps, const std::function<const NavMap*(const NavMap*)>& copy_of);
    /// Saves memory in a large team: what is kept between searches is forgotten.
    void forget() { jump_graphs_.clear(); }

  private:
    struct JumpGraphOf {
        const NavMap* nav;
        std::shared_ptr<JumpGraph> graph;
    };
    const std::shared_ptr<JumpGraph>& jump_graph(const NavMap& nav) const;
    Path cheapest(const NavMap& nav, Cell start, Cell goal, std::uint32_t bound, double wall_cost) const;

    /// Whether slow ground costs more.
    bool minds_ground() const { return maps_.rough && options_.rough_cost > 1; }

    PlanOptions options_;
    Maps maps_;
    mutable std::vector<JumpGraphOf> jump_graphs_;       // of the maps that were asked for last, the latest first
    std::unique_ptr<class DistanceField> field_;         // from the last start
    std::unique_ptr<class TopologicalMap> topological_;  // of the last map
};

}  // namespace outrider
