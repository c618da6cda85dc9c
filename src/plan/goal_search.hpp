// What a search for the ways to several goals offers, whatever a step costs (outrider/path.hpp).
#pragma once

#include <cstdint>

#include "outrider/path.hpp"

namespace outrider {

class GoalSearch {
  public:
    GoalSearch() = default;
    GoalSearch(const GoalSearch&) = delete;
    GoalSearch& operator=(const GoalSearch&) = delete;
    virtual ~GoalSearch() = default;

    /// Searches on until this goal is found, or it is clear that it costs more than `bound`, or that there is no path.
    virtual PathStatus find(std::size_t goal, std::uint32_t bound = no_bound) = 0;
    /// The nearest goal that was not returned before (equal costs: the lower index); -1: none is left that costs no
    /// more than `bound`.
    virtual int find_next(std::uint32_t bound = no_bound) = 0;
    /// What `find` would return without searching on; `too_far` as long as that is open.
    virtual PathStatus known(std::size_t goal) const = 0;
    /// What is known so far of the cost to a goal: exact once it was found, before that a lower bound.
    virtual std::uint32_t cost(std::size_t goal) const = 0;
    /// The path to a goal that was found.
    virtual Path path(std::size_t goal) const = 0;
    virtual int expansions() const = 0;
};

}  // namespace outrider
