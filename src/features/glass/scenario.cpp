// Which walls of a scenario are of glass.
#include "features/glass/options.hpp"
#include "features/glass/world.hpp"
#include "features/ground/terrain.hpp"
#include "scenario/feature.hpp"

namespace outrider {
namespace {

const GlassOptions& glass_of(const Scenario& s) { return s.features.get<GlassOptions>(); }

void load_glass(Scenario& s, const ScenarioFiles& files) {
    files.read(s, "glass", "file", s.features.edit<GlassOptions>().file,
               [&](const std::string& path) { s.layers.glass = read_glass(s, path); });
}

void draw_panes(Scenario& s) {
    if (glass_of(s).share > 0) s.layers.glass = draw_glass(s);
}

void check_glass(const Scenario& s) {
    const GlassOptions& glass = glass_of(s);
    if (!glass.any()) return;
    if (!glass.file.empty() && !s.layers.glass)
        fail(
            "glass.file = {}: an image belongs to the map of one scenario file; in sweeps and on generated maps "
            "expected share",
            toml_quoted(glass.file));
    if (!glass.file.empty() && glass.share > 0)
        fail("glass.share = {}: the image glass.file says where glass is; expected 0, or no image", glass.share);
    for (const RobotEntry& robot : s.robots)
        for (const SensorOptions& sensor : robot.sensors())
            if (sensor.level != Levelling::always && terrain_of(s).has_height())
                fail(
                    "glass: the sensor of '{}' tilts (level = {}), and beams that tilt take glass for walls; expected "
                    "level = always",
                    robot.name, levelling_names[static_cast<std::size_t>(sensor.level)]);
}

std::unique_ptr<WorldPart> make_glass_walls(const Scenario& s, const World&) {
    if (!s.layers.glass) return nullptr;
    auto glass = std::make_shared<Glass>(Glass{*s.layers.glass, radians(glass_of(s).seen_deg)});
    glass->panes.set_origin(Cell{} - s.team_origin());
    return std::make_unique<GlassWalls>(std::move(glass));
}

std::string given_glass(const Scenario& s) { return s.layers.glass || glass_of(s).share > 0 ? "glass" : ""; }

}  // namespace

ScenarioFeature glass_scenario() {
    return {.section = "glass",
            .after = "terrain",
            .options = make_options<GlassOptions>,
            .parts = {{"glass", "glass.share = 0.3", given_glass}},
            .load = load_glass,
            .draw = draw_panes,
            .check = check_glass,
            .world = {{Turn::glass, make_glass_walls}}};
}

}  // namespace outrider
