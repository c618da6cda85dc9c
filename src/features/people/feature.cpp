// People and robots in the way, [crowd] and body.seen, body.blocks: what there is of them, in one place.
#include "features/feature.hpp"

namespace outrider {
namespace scene {
LayerKind people_layer();
LayerKind people_tracks_layer();
}  // namespace scene

RobotPartFactory make_cut_mates_part, make_people_tracks_part;
extern const MetricGroup crowd_metrics, people_track_metrics;
ScenarioFeature people_scenario();

Feature people_feature() {
    return {.scenario = people_scenario(),
            .robot = {make_cut_mates_part, make_people_tracks_part},
            .metrics = {&crowd_metrics, &people_track_metrics},
            .layers = {scene::people_layer(), scene::people_tracks_layer()}};
}

}  // namespace outrider
