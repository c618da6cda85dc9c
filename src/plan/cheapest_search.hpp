// The cheapest paths from one cell to several goals where steps on slow ground cost more.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "plan/goal_search.hpp"
#include "plan/search_memory.hpp"

namespace outrider {

/// Dijkstra's algorithm over passable cells without corner cutting, as far as goals are asked for. The map may not
/// change meanwhile. Costs are in buckets as wide as the cheapest step: cells of one bucket cannot improve each other
/// (Denardo & Fox 1979), so they are settled in the order in which they were found.
class CheapestSearch final : public GoalSearch {
  public:
    /// rough: its marks say where a step costs `rough_cost` times as much. A start that is believed to be blocked
    /// counts as passable: the robot stands there.
    CheapestSearch(const NavMap& nav, const KnownMap& rough, double rough_cost, Cell start, std::span<const Cell> goals,
                   int max_expansions = 4'000'000);
    ~CheapestSearch() override;

    PathStatus find(std::size_t goal, std::uint32_t bound = no_bound) override;
    int find_next(std::uint32_t bound = no_bound) override;
    PathStatus known(std::size_t goal) const override;
    std::uint32_t cost(std::size_t goal) const override;
    Path path(std::size_t goal) const override;
    int expansions() const override { return expansions_; }

  private:
    struct Node {
        SearchTile* tile;
        std::uint32_t key, cost;
    };
    static constexpr std::uint32_t bucket_width = straight_cost;

    bool over() const { return cut_ || bucket_ == buckets_.size(); }
    /// No open cell costs less.
    std::uint32_t least_open() const { return static_cast<std::uint32_t>(bucket_ * bucket_width); }
    std::uint32_t best(Cell c) const;
    bool found(std::size_t goal) const;
    bool blocked(std::size_t goal) const { return goals_[goal] != start_ && !nav_.passable(goals_[goal]); }
    void settle_bucket();
    void expand(const Node& node);

    const NavMap& nav_;
    const KnownMap& rough_;
    Cell start_;
    std::array<std::array<std::uint32_t, 2>, 2> step_costs_;  // level and rough, straight and diagonal
    std::vector<Cell> goals_;
    int budget_, expansions_ = 0;
    bool cut_ = false;                      // something lies beyond most_cost, or beyond the budget
    std::unique_ptr<SearchMemory> memory_;  // lent by this thread
    std::vector<std::vector<Node>> buckets_;
    std::size_t bucket_ = 0;                              // the first that is not settled
    std::vector<std::pair<std::uint32_t, int>> waiting_;  // cost and index of goals found but not returned yet
    std::vector<std::size_t> missing_;                    // goals that were not found yet
};

}  // namespace outrider
