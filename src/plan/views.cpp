// The views of the API on what a robot keeps up to date.
#include "outrider/distance.hpp"
#include "outrider/skeleton.hpp"
#include "plan/goal_search.hpp"
#include "plan/path_transform.hpp"
#include "plan/skeleton/skeleton.hpp"
#include "plan/wall_distance.hpp"

namespace outrider {

static_assert(max_horizon_cells == WallDistance::max_horizon_cells);
static_assert(max_body_radius_cells == NavMap::max_radius_cells);

int WallView::squared(Cell c) const { return walls_->squared(c); }
int WallView::none() const { return walls_->none(); }
int WallView::horizon() const { return walls_->horizon(); }
double WallView::cells(Cell c) const { return walls_->cells(c); }
std::optional<Cell> WallView::nearest(Cell c) const { return walls_->nearest(c); }

bool SkeletonView::on(Cell c) const { return skeleton_->on(c); }
bool SkeletonView::wide_open(Cell c) const { return skeleton_->wide_open(c); }
int SkeletonView::degree(Cell c) const { return skeleton_->degree(c); }

SafePaths::SafePaths(const DangerOptions& options, double cell_m)
    : transform_(std::make_unique<PathTransform>(options, cell_m)) {}
int SafePaths::horizon() const { return transform_->horizon(); }
std::uint32_t SafePaths::danger_cost(int squared_distance) const { return transform_->danger_cost(squared_distance); }
Path SafePaths::search(const NavView& nav, const WallView& walls, Cell from, std::span<const Cell> goals) const {
    return transform_->search(nav, walls, from, goals);
}

PathSearch::PathSearch(std::unique_ptr<GoalSearch> search) : search_(std::move(search)) {}
PathSearch::~PathSearch() = default;
PathSearch::PathSearch(PathSearch&&) noexcept = default;
PathSearch& PathSearch::operator=(PathSearch&&) noexcept = default;
PathStatus PathSearch::find(std::size_t goal, std::uint32_t bound) { return search_->find(goal, bound); }
int PathSearch::find_next(std::uint32_t bound) { return search_->find_next(bound); }
PathStatus PathSearch::known(std::size_t goal) const { return search_->known(goal); }
std::uint32_t PathSearch::cost(std::size_t goal) const { return search_->cost(goal); }
Path PathSearch::path(std::size_t goal) const { return search_->path(goal); }
int PathSearch::expansions() const { return search_->expansions(); }

}  // namespace outrider
