// Sets of the numbers 0 to n - 1 that are joined two by two. A set is named by its least member.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace outrider {

class DisjointSets {
  public:
    explicit DisjointSets(std::size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), 0); }

    /// The least member of the set of i.
    int least(int i) {
        while (above(i) != i) i = above(i) = above(above(i));
        return i;
    }
    void join(int a, int b) {
        a = least(a);
        b = least(b);
        above(std::max(a, b)) = std::min(a, b);
    }

  private:
    int& above(int i) { return parent_[static_cast<std::size_t>(i)]; }
    std::vector<int> parent_;
};

}  // namespace outrider
