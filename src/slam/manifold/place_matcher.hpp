// Whether the robot is at a place that it saw before: what its last scans saw is matched with the map of a section,
// that is of patches that were taken one after the other.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <vector>

#include "slam/counted_map.hpp"
#include "slam/manifold/patch_graph.hpp"

namespace outrider {

/// A patch seen from a place of before.
struct Closure {
    int from = 0, to = 0;  ///< the patch in the middle of the place; the one that is there again
    Pose measured;         ///< of `to`, in the frame of `from`
    Matrix3 covariance{};  ///< in that frame
    bool sure = false;     ///< it fits so well that it needs no other one that agrees
};

/// e' Sigma^-1 e of a difference between two poses; very large when the covariance is not positive.
double mahalanobis(const Pose& difference, const Matrix3& covariance);

class PlaceMatcher {
  public:
    explicit PlaceMatcher(const CountedMapOptions& map) : map_options_(map) {}
    /// What the last scans saw, in the frame of the newest patch.
    static std::vector<Point> recent_ends(const PatchGraph& graph);
    /// Whether the newest patch, from which `ends` were seen, is at the place of this section; `covariance` says how
    /// well the graph knows where it is, seen from there, in the frame of the map.
    std::optional<Closure> match(const PatchGraph& graph, int section, std::span<const Point> ends,
                                 const Matrix3& covariance);

  private:
    struct Place {
        CountedMap map;  // in the frame of its middle patch
        int middle;
    };
    Place& place(const PatchGraph& graph, int section);

    CountedMapOptions map_options_;
    std::map<int, Place> places_;
};

}  // namespace outrider
