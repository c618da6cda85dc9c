// Heaps that fall beside walls by chance, all over the map.
#pragma once

#include <cstdint>
#include <vector>

#include "grid/grid.hpp"
#include "outrider/rng.hpp"
#include "world/random_steps.hpp"

namespace outrider {

class FallingDebris {
  public:
    /// In the frame of the walls, which are those of the beginning. `places`: draws where they fall and how large they
    /// are.
    FallingDebris(const Grid<std::uint8_t>& walls, RandomSteps when, Rng places);
    /// The same in another frame.
    void move(Cell by) { moved_ = moved_ + by; }
    /// Whether none falls before that step; also where there are no walls to fall beside.
    bool none_before(int step) const { return at_walls_.empty() || when_.next() >= step; }
    /// The free cells of the heap that falls in this step; empty: none does. Steps in order.
    std::vector<Cell> fall(int step);

  private:
    Grid<std::uint8_t> walls_;
    std::vector<Cell> at_walls_;  // free cells beside walls, by row and column
    RandomSteps when_;
    Rng places_;
    Cell moved_;
};

}  // namespace outrider
