// The map around a robot that a scan is matched with: of the patches only those whose place is certain, seen from here.
// What lies beyond a loop that is still open is left out, so it cannot pull the robot to the wrong place.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "slam/counted_map.hpp"
#include "slam/manifold/patch_graph.hpp"

namespace outrider {

/// Draws patches as they are seen from `frame`.
/// `surfaces`: as in CountedMap::insert().
void draw_patches(const PatchGraph& graph, std::span<const int> patches, const Pose& frame, CountedMap& map,
                  bool surfaces = false);

/// A map of all of them; nullptr: an empty one.
CountedMap map_of(const PatchGraph* graph, const CountedMapOptions& options);

class AroundMap {
  public:
    explicit AroundMap(const CountedMapOptions& options) : options_(options), map_(options) {}
    const CountedMap& map() const { return map_; }
    /// The newest patch, which is where the robot is. `surfaces`: as in CountedMap::insert(), from now on.
    void draw_newest(const PatchGraph& graph, bool surfaces);
    /// Looks it over: patches that became certain are added; all is drawn anew when some are not certain any more, or
    /// moved from where they were drawn. `reached`: what is known, seen from patch `here`, which is where the robot is.
    void look_over(const PatchGraph& graph, int here, const std::vector<Reached>& reached);

  private:
    CountedMapOptions options_;
    CountedMap map_;
    bool surfaces_ = true;
    struct Drawn {
        bool in = false;
        Pose at;
    };
    std::vector<Drawn> drawn_;  // of each patch
};

}  // namespace outrider
