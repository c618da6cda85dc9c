// Loops: which places of before the robot may be at again, closures that confirm each other, and closures that are
// taken back because the rest of the graph contradicts them.
#pragma once

#include <vector>

#include "slam/manifold/place_matcher.hpp"

namespace outrider {

struct ClosureCounters {
    int tried = 0;     ///< places that were matched with
    int accepted = 0;  ///< closures that others confirmed, or that were sure
    int undone = 0;    ///< and so many that were taken back again
};

class LoopCloser {
  public:
    explicit LoopCloser(const CountedMapOptions& map) : matcher_(map) {}
    /// Matches what was seen last with the places that the newest patch may be at, and that are far from it in the
    /// graph; `reached` is what the graph knows, seen from there. Returns whether the graph has new relations.
    bool look(PatchGraph& graph, const std::vector<Reached>& reached);
    /// After the patches moved: takes back the closures that do not fit, and returns whether there were any.
    bool take_back(PatchGraph& graph);
    const ClosureCounters& counters() const { return counters_; }
    /// The closures that stand: numbers of relations, ascending.
    const std::vector<int>& standing() const { return standing_; }

  private:
    void accept(PatchGraph& graph, const Closure& closure);

    PlaceMatcher matcher_;
    std::vector<Closure> waiting_;  // for another one that agrees
    std::vector<int> standing_;
    ClosureCounters counters_;
};

/// Whether two closures say the same: the way from one to the other is the same at the one place and at the other.
bool agree(const PatchGraph& graph, const Closure& a, const Closure& b);

}  // namespace outrider
