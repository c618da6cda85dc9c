// The section [region] of a scenario.
#pragma once

#include <string>

#include "messages/feature_options.hpp"

namespace outrider {

struct RegionOptions final : FeatureOptionsOf<RegionOptions> {
    std::string polygon, mask, cells, without;
    std::string where;  ///< in which file and line it stands; for messages
    void fields(Fields& f) override {
        f("polygon", polygon,
          "the region of interest: its corners, \"x y, x y, x y\" in metres from the lower left corner of the map; "
          "robots explore, and measures count, what lies in it");
        f("mask", mask, "instead: an image as large as the map; its bright pixels are the region");
        f("cells", cells,
          "instead: runs of cells, \"column row length, ...\" from the lower left; what a mask becomes in logs");
        f("without", without,
          "runs of cells that are not in the region, of the whole map if nothing else is said of it; what the unknown "
          "cells become in logs with map.unknown = outside");
    }
    bool any() const override { return !polygon.empty() || !mask.empty() || !cells.empty() || !without.empty(); }
};

}  // namespace outrider
