// The search behind outrider/path.hpp.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "outrider/detail/nav_map.hpp"
#include "outrider/path.hpp"
#include "plan/goal_search.hpp"
#include "plan/jump_graph.hpp"

namespace outrider {

/// The shortest paths from one cell to several goals, found as far as they are asked for: jump point search without
/// corner cutting, looking at 64 cells at a time (Harabor & Grastien 2011, 2014), with the moves from jump points kept
/// between searches. The map may not change meanwhile. Among equally short paths the same one is found on every
/// machine, at any thread count and after any other searches.
class JumpPointSearch final : public GoalSearch {
  public:
    /// A start that is believed to be blocked counts as passable: the robot stands there. graph: used by one thread at
    /// a time; none: one for this search alone.
    JumpPointSearch(const NavMap& nav, Cell start, std::span<const Cell> goals, int max_expansions = 4'000'000,
                    std::shared_ptr<JumpGraph> graph = nullptr);
    ~JumpPointSearch() override;

    PathStatus find(std::size_t goal, std::uint32_t bound = no_bound) override;
    int find_next(std::uint32_t bound = no_bound) override;
    PathStatus known(std::size_t goal) const override;
    std::uint32_t cost(std::size_t goal) const override;
    Path path(std::size_t goal) const override;
    int expansions() const override { return expansions_; }
    /// Another limit than before.
    void allow(int max_expansions) { budget_ = max_expansions; }
    /// Whether obstacles are scattered, as far as the search got: many hops from each jump point, and short ones. A* is
    /// faster then.
    bool scattered() const;

  private:
    struct Entry {
        std::uint64_t rank;   ///< estimate, then the farther one first
        std::uint32_t order;  ///< of entries, as they came
        std::uint32_t what;   ///< an arrival, the start, or a goal
        std::uint32_t estimate() const { return static_cast<std::uint32_t>(rank >> 32); }
        std::uint32_t cost() const { return ~static_cast<std::uint32_t>(rank); }
        /// For a heap with the best on top; equal ones: the earlier one.
        bool operator<(const Entry& o) const { return rank != o.rank ? rank > o.rank : order > o.order; }
    };
    struct Goal {
        Cell cell;
        std::uint32_t cost = no_bound;  ///< of the best path so far
        std::uint32_t from = 0;         ///< its last jump point, or the start
        bool found = false, blocked = false;
    };

    void open(std::uint32_t estimate, std::uint32_t cost, std::uint32_t what);
    void reach(JumpGraph::Hop hop, std::uint32_t cost, std::uint32_t parent);
    void see(std::size_t goal, Cell from, std::uint32_t cost, std::uint32_t parent);
    std::uint32_t estimate(Cell c) const;
    void expand();
    void expand_start();
    Cell cell(std::uint32_t point) const;
    std::uint32_t parent(std::uint32_t point) const { return marks_->of_points[point].parent; }

    std::shared_ptr<JumpGraph> graph_;
    std::unique_ptr<JumpGraph::Marks> marks_;
    Cell start_;
    std::vector<Goal> goals_;
    int budget_, expansions_ = 0;
    bool alone_;        // the start is far outside of the map: no move leads anywhere
    bool cut_ = false;  // something lies beyond most_cost
    std::uint32_t opened_ = 0;
    std::int64_t hops_ = 0, hops_cost_ = 0;  // looked at, from nodes other than the start
    std::vector<Entry> open_;
    std::vector<std::pair<std::uint32_t, int>> waiting_;  // cost and index of goals found but not returned yet
};

}  // namespace outrider
