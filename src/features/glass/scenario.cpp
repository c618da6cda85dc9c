// Which walls of a scenario are of glass.
#include "features/glass/world.hpp"
#include "scenario/feature.hpp"

namespace outrider {
namespace {

void check_glass(const Scenario& s) {
    if (!s.glass.any()) return;
    if (!s.glass.file.empty() && s.glass.share > 0)
        fail("glass.share = {}: the image glass.file says where glass is; expected 0, or no image", s.glass.share);
    for (const RobotEntry& robot : s.robots)
        for (const SensorOptions& sensor : robot.sensors())
            if (sensor.level != Levelling::always && s.terrain.has_height())
                fail(
                    "glass: the sensor of '{}' tilts (level = {}), and beams that tilt take glass for walls; expected "
                    "level = always",
                    robot.name, levelling_names[static_cast<std::size_t>(sensor.level)]);
}

std::unique_ptr<WorldPart> make_glass_walls(const Scenario& s, const World&) {
    if (!s.layers.glass) return nullptr;
    auto glass = std::make_shared<Glass>(Glass{*s.layers.glass, radians(s.glass.seen_deg)});
    glass->panes.set_origin(Cell{} - s.team_origin());
    return std::make_unique<GlassWalls>(std::move(glass));
}

std::string given_glass(const Scenario& s) { return s.layers.glass || s.glass.share > 0 ? "glass" : ""; }

}  // namespace

ScenarioFeature glass_scenario() {
    return {.parts = {{"glass", "glass.share = 0.3", given_glass}},
            .check = check_glass,
            .world = {{Turn::glass, make_glass_walls}}};
}

}  // namespace outrider
