// What follows from what a robot knows, worked out when somebody first asks for it in a step: what the map means for
// moving, distances to walls, the skeleton, frontiers and paths.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "outrider/frontier.hpp"
#include "outrider/path.hpp"
#include "outrider/skeleton.hpp"
#include "outrider/wall_distance.hpp"

namespace outrider {

struct Knowledge;

/// Belongs to one robot, whose step runs on one thread. The functions are those of Belief, which says what they give.
class Derived {
  public:
    /// `known` outlives this, and stays where it is.
    Derived(const Knowledge& known, const FrontierOptions& frontier, const PlanOptions& plan);

    const NavMap& nav();
    const WallDistance& wall_distance();
    const Skeleton& skeleton();
    const std::vector<Frontier>& frontiers();
    const Path& path_to(Cell goal);
    Path clear_path(Cell from, Cell to);
    PathSearch search(Cell from, std::span<const Cell> goals);

  private:
    const Knowledge& known_;
    NavMap nav_;
    int nav_step_ = -1;  // of the last update
    std::unique_ptr<WallDistance> wall_distance_;
    std::unique_ptr<Skeleton> skeleton_;
    FrontierFinder finder_;
    struct Views {
        std::vector<Frontier> found;
        std::uint64_t version = ~std::uint64_t{0};  // of nav_
        std::size_t vain_looks = 0;
    };
    Views views_;
    PathPlanner planner_;
    struct LastPath {
        Path path;
        Cell from, goal;
        std::uint64_t version = ~std::uint64_t{0};  // of nav_
    };
    LastPath last_;
};

}  // namespace outrider
