// A feature of the world: all that the rooms ask of it. Each has a folder of its own beside this file.
#pragma once

#include <vector>

#include "log/event_feature.hpp"
#include "metrics/group.hpp"
#include "robot/robot_parts.hpp"
#include "scenario/feature.hpp"
#include "scene/stage.hpp"

namespace outrider {

struct Feature {
    ScenarioFeature scenario;
    std::vector<RobotPartFactory*> robot{};     ///< what it makes a robot do
    std::vector<const MetricGroup*> metrics{};  ///< what is measured of it
    std::vector<scene::LayerKind> layers{};     ///< what there is to see of it
    EventFeature events{};                      ///< what happens, for logs and people
};

}  // namespace outrider
