// Which ground a scenario has.
#include "features/ground/rough_ground.hpp"
#include "features/ground/uneven_floor.hpp"
#include "scenario/feature.hpp"

namespace outrider {
namespace {

void check_terrain(const Scenario& s) {
    if (!s.terrain.any()) return;
    if (s.terrain.has_images() && s.terrain.rough_share > 0)
        fail("terrain.rough_share = {}: the images say where the ground is rough; expected 0, or no image",
             s.terrain.rough_share);
    for (const auto& [name, value] : {std::pair("hills_m", s.terrain.hills_m), {"step_share", s.terrain.step_share}})
        if (!s.terrain.height.empty() && value > 0)
            fail("terrain.{} = {}: the image terrain.height says how high the ground is; expected 0, or no image", name,
                 value);
}

std::vector<Mounting> mountings(const RobotEntry& robot) {
    std::vector<Mounting> out;
    for (const SensorOptions& sensor : robot.sensors()) out.push_back({sensor.level, sensor.height_m, sensor.sweep_m});
    return out;
}

BeamFilter filter_of(const SensorOptions& sensor) {
    const bool levelled = sensor.level == Levelling::gravity;
    const bool filtered = sensor.tilt_filter == TiltFilter::all ||
                          (sensor.tilt_filter == TiltFilter::fixed && sensor.level == Levelling::none);
    return {filtered && sensor.level != Levelling::always ? sensor.height_m : 0, levelled};
}

void add_filters(const Scenario& s, RobotOptions& options) {
    options.beam_filters = by_robot(s, [](const RobotEntry& robot) {
        std::vector<BeamFilter> out;
        for (const SensorOptions& sensor : robot.sensors()) out.push_back(filter_of(sensor));
        return out;
    });
}

std::unique_ptr<WorldPart> make_uneven_floor(const Scenario& s, const World&) {
    if (!s.layers.height) return nullptr;
    Grid<std::uint16_t> placed = *s.layers.height;
    placed.set_origin(Cell{} - s.team_origin());
    return std::make_unique<UnevenFloor>(std::make_shared<const Relief>(placed, s.terrain.top_m()),
                                         by_robot(s, mountings));
}

/// Where something burns or is flooded, that part shows the rough ground, too (features/hazards/world.hpp).
std::unique_ptr<WorldPart> make_rough_ground(const Scenario& s, const World& world) {
    if (!world.ground() || !s.hazards.empty()) return nullptr;
    return std::make_unique<RoughGround>(world.ground(), nullptr, s.robots.size());
}

constexpr std::string_view no_clearing =
    "steps are kept as walls that no later scan clears, which these maps do not have";
/// Whoever finds steps has ground that is not level: of the two the reason of the first is said.
constexpr Exclusion ground_excludes[] = {
    {"step_finding", "changing_walls", no_clearing}, {"step_finding", "manifold", no_clearing},
    {"step_finding", "people", no_clearing},         {"step_finding", "scan_matching", no_clearing},
    {"step_finding", "unknown_starts", no_clearing}, {"ground", "recorded_positions", put_there}};

}  // namespace

ScenarioFeature ground_scenario() {
    return {.parts = {{"ground", "terrain.rough_share = 0.3",
                       [](const Scenario& s) -> std::string { return s.terrain.any() ? "terrain" : ""; }},
                      {"step_finding", "terrain.step_share = 0.05\nsensor.sweep_m = 1",
                       [](const Scenario& s) -> std::string { return s.finds_steps() ? "sensor.sweep_m" : ""; }}},
            .excludes = ground_excludes,
            .check = check_terrain,
            .robots = add_filters,
            .world = {{Turn::tilt, make_uneven_floor}, {Turn::last, make_rough_ground}}};
}

}  // namespace outrider
