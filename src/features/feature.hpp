// A feature of the world: all that the rooms ask of it. Each has a folder of its own beside this file.
#pragma once

#include "log/event_feature.hpp"
#include "metrics/group.hpp"
#include "robot/robot_parts.hpp"
#include "scenario/feature.hpp"
#include "scene/stage.hpp"

namespace outrider {

struct Feature {
    ScenarioFeature scenario;
    RobotPartFactory* robot = nullptr;      ///< what it makes a robot do
    const MetricGroup* metrics = nullptr;   ///< what is measured of it
    scene::LayerKind (*layer)() = nullptr;  ///< what there is to see of it
    EventFeature events{};                  ///< what happens, for logs and people
};

}  // namespace outrider
