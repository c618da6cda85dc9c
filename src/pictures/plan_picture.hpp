// Pictures of what planning works out on a map.
#pragma once

#include <optional>

#include "base/image.hpp"
#include "grid/grid.hpp"
#include "plan/path_transform.hpp"

namespace outrider {

enum class PlanLayer { none, skeleton, segments, graph, transform };
inline constexpr std::array<std::string_view, 5> plan_layer_names{"none", "skeleton", "segments", "graph", "transform"};

struct PlanPicture {
    PlanLayer layer = PlanLayer::none;
    std::optional<Cell> from, to;
    const Path* path = nullptr;                ///< drawn when there is one
    std::vector<Cell> waypoints{};             ///< of the path with its corners cut; none: not drawn
    std::vector<Point> taut{};                 ///< the shortest path at any angle, in metres; none: not drawn
    const PathTransform* transform = nullptr;  ///< for that layer
    double most_clearance_m = 1;               ///< of critical points
};

/// A known map with one layer, the path on top, and a legend. What the layer needs is worked out here.
Raster draw_plan(const Grid<std::uint8_t>& walls, const KnownMap& map, const NavMap& nav, const PlanPicture& picture);

}  // namespace outrider
