// Which ground a scenario has.
#include "features/ground/rough_ground.hpp"
#include "features/ground/terrain.hpp"
#include "features/ground/uneven_floor.hpp"
#include "scenario/feature.hpp"

namespace outrider {
namespace {

void load_terrain(Scenario& s, const ScenarioFiles& files) {
    auto& o = s.features.edit<TerrainOptions>();
    if (!o.has_images()) return;
    files.read(s, "terrain", "height", o.height,
               [&](const std::string& path) { s.layers.height = read_height(s, path); });
    std::optional<Grid<std::uint16_t>> speed;
    files.read(s, "terrain", "speed", o.speed, [&](const std::string& path) { speed = read_layer(s, path); });
    s.layers.ground = make_ground(s, speed ? &*speed : nullptr);
}

void draw_terrain(Scenario& s) {
    const TerrainOptions& o = terrain_of(s);
    if (o.draws_height()) s.layers.height = draw_height(s);
    if (o.draws_height() || o.rough_share > 0) s.layers.ground = make_ground(s, nullptr);
}

void check_terrain(const Scenario& s) {
    const TerrainOptions& o = terrain_of(s);
    if (!o.any()) return;
    if (o.has_images() && !s.layers.ground)
        fail(
            "terrain: images of the ground belong to the map of one scenario file; in sweeps and on generated maps "
            "expected rough_share or hills_m");
    if (o.has_images() && o.rough_share > 0)
        fail("terrain.rough_share = {}: the images say where the ground is rough; expected 0, or no image",
             o.rough_share);
    for (const auto& [name, value] : {std::pair("hills_m", o.hills_m), {"step_share", o.step_share}})
        if (!o.height.empty() && value > 0)
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
    if (const auto ground = ground_of(s)) expect_rough(s, options, ground->rough_cost());
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
    return std::make_unique<UnevenFloor>(std::make_shared<const Relief>(placed, terrain_of(s).top_m()),
                                         by_robot(s, mountings));
}

/// Where something burns or is flooded, that part shows the rough ground, too (features/hazards/world.hpp).
std::unique_ptr<WorldPart> make_rough_ground(const Scenario& s, const World& world) {
    if (!world.ground() || has_part(s, "hazards")) return nullptr;
    return std::make_unique<RoughGround>(world.ground(), nullptr, s.robots.size());
}

bool finds_steps(const Scenario& s) {
    return terrain_of(s).has_height() && any_robot(s, [](const RobotEntry& r) {
               const std::vector<SensorOptions> sensors = r.sensors();
               return std::any_of(sensors.begin(), sensors.end(), [](const SensorOptions& o) { return o.sweep_m > 0; });
           });
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
    return {.section = "terrain",
            .after = "prior",
            .options = make_options<TerrainOptions>,
            .parts = {{"ground", "terrain.rough_share = 0.3",
                       [](const Scenario& s) -> std::string { return terrain_of(s).any() ? "terrain" : ""; }},
                      {"step_finding", "terrain.step_share = 0.05\nsensor.sweep_m = 1",
                       [](const Scenario& s) -> std::string { return finds_steps(s) ? "sensor.sweep_m" : ""; }}},
            .excludes = ground_excludes,
            .load = load_terrain,
            .draw = draw_terrain,
            .check = check_terrain,
            .robots = add_filters,
            .world = {{Turn::tilt, make_uneven_floor}, {Turn::last, make_rough_ground}}};
}

}  // namespace outrider
