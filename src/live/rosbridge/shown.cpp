#include "live/rosbridge/shown.hpp"

#include <vector>

#include "log/viewers/drawings.hpp"

namespace outrider {

std::string belief_markers_json(const RosHeader& header, const Belief& belief) {
    const Lattice& lattice = belief.map().lattice();
    Overlay frontiers{.kind = Overlay::Kind::cells, .layer = "frontiers", .points = {}, .values = {}, .text = {}};
    for (const Frontier& f : belief.frontiers()) frontiers.points.push_back(lattice.to_metres(f.centroid));
    const Overlay* const layers[] = {&frontiers};
    const Colour colour = drawn_colour(belief.briefing());
    const std::vector<SceneMessage> drawings{goal_drawing(belief.latest(belief.self()).goal, lattice.cell_m, colour),
                                             overlay_drawing(frontiers.layer, layers, 2 * lattice.cell_m, {}, colour)};
    return markers_json(header, drawings);
}

}  // namespace outrider
