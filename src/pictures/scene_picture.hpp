// The scene of a run on a picture.
#pragma once

#include "pictures/map_canvas.hpp"
#include "scene/scene.hpp"

namespace outrider {

/// What covers the map, and lines: below the robots.
void paint_areas(MapCanvas& picture, const scene::Scene& scene);
/// Marks and words: above them.
void paint_marks(MapCanvas& picture, const scene::Scene& scene);
/// An entry for each meaning.
void paint_legend(MapCanvas& picture, const scene::Scene& scene);

}  // namespace outrider
