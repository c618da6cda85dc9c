// What follows from a robot's knowledge, computed when first asked for in a step: what the map means for moving,
// distances to walls, the skeleton, frontiers and paths.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "plan/distance_field.hpp"
#include "plan/frontiers/frontier_finder.hpp"
#include "plan/frontiers/search_region.hpp"
#include "plan/frontiers/view_finder.hpp"
#include "plan/path_planner.hpp"
#include "plan/sight.hpp"
#include "plan/skeleton/skeleton.hpp"
#include "plan/wall_distance.hpp"

namespace outrider {

struct Briefing;
struct Knowledge;

/// Of all of its sensors; 0: it has none.
double farthest_sight_m(const Briefing& briefing);

/// Belongs to one robot, whose step runs on one thread. The functions are those of Belief, which documents them.
class Derived {
  public:
    /// `known` has to outlive this and must not be moved.
    Derived(const Knowledge& known, const FrontierOptions& frontier, const PlanOptions& plan);
    /// A copy belongs to a copy of the knowledge. `original`: of which it is the copy.
    void follow(const Knowledge& known, const Derived& original);
    /// Before the first step: frontiers are those of a region of interest; nullptr: all.
    void explore(std::shared_ptr<const SearchRegion> region);

    const NavMap& nav();
    const NavMap& nav_for(double radius_cells);
    const WallDistance& wall_distance(int horizon_cells);
    const Skeleton& skeleton();
    /// Those that the battery lets it reach.
    const std::vector<Frontier>& frontiers();
    /// Whether there are others.
    bool frontiers_out_of_reach();
    /// The way from a cell to the nearest base, in cells: over known space or, where no such way is known, 1.5 times
    /// the straight line.
    double path_home_cells(Cell c);
    double unknown_in_sight(Cell from, int rays);
    const Path& path_to(Cell goal);
    Path clear_path(Cell from, Cell to);
    PathSearch search(Cell from, std::span<const Cell> goals);

  private:
    const std::vector<Frontier>& all_frontiers();
    bool all_seem_in_reach(const std::vector<Frontier>& all) const;

    const Knowledge* known_;
    std::shared_ptr<const SearchRegion> region_;  // of interest; nullptr: there is none
    std::optional<FoundParts> found_parts_;       // of it; none: all are found, or there is none
    NavMap nav_;
    int nav_step_ = -1;                           // of the last update
    std::map<double, NavMap> other_navs_;         // by radius
    std::map<int, WallDistance> wall_distances_;  // by horizon
    Boxed<Skeleton> skeleton_;
    FrontierFinder finder_;
    std::optional<ViewFinder> view_finder_;  // once it is needed
    struct Views {
        std::vector<Frontier> found;
        std::uint64_t version = ~std::uint64_t{0};  // of nav_
        std::size_t vain_looks = 0;
    };
    Views views_;
    struct OfStep {
        std::vector<Frontier> found;
        int step = -1;
    };
    const std::vector<Frontier>& uncleared();
    const std::vector<Frontier>& beside_unknown();
    FrontierOptions frontier_;
    OfStep uncleared_, regions_, in_region_;
    const std::vector<Frontier>& towards_region();
    struct InReach {
        std::vector<Frontier> found;
        bool all = true;
        int step = -1;
    };
    // Where there is a battery.
    InReach in_reach_;
    DistanceField to_bases_;
    int to_bases_step_ = -1;
    UnknownInSight sight_;
    PathPlanner planner_;
    double rough_cost_;
    struct LastPath {
        Path path;
        Cell from, goal;
        std::uint64_t version = ~std::uint64_t{0};  // of nav_
    };
    LastPath last_;
};

}  // namespace outrider
