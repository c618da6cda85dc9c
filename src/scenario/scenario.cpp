#include "scenario/scenario.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "outrider/detail/settings.hpp"
#include "outrider/error.hpp"
#include "robot/registry.hpp"
#include "robot/switch_strategy.hpp"
#include "scenario/cost.hpp"
#include "scenario/exclusions.hpp"
#include "scenario/feature.hpp"
#include "scenario/placement.hpp"
#include "scenario/read_team.hpp"

namespace outrider {
namespace {

/// Whether a table [robot] or [base] only holds tables of single robots.
bool of_single_robots(const ConfigTable& table) {
    return table.settings.empty() && table.arrays.empty() && !table.tables.empty();
}

void read_sections(ConfigTable& config, Scenario& s) {
    std::vector<std::string> known{"robot", "base"}, lists = known;
    for (const FeatureLists::Named& list : s.lists.all()) {
        list.list->read(config, list.name);
        for (auto* names : {&known, &lists}) names->emplace_back(list.name);
    }
    if (ConfigTable* table = config.table("mresim")) read_mresim(*table, s);
    Scenario::for_each_section(s, [&](const char* name, auto& options) {
        known.emplace_back(name);
        ConfigTable* table = config.table(name);
        if (!table) return;
        if constexpr (std::is_same_v<std::decay_t<decltype(options)>, SensorOptions>)
            read_sensor(*table, "sensor.", options);
        else if constexpr (std::is_same_v<std::decay_t<decltype(options)>, MresimOptions>)
            ;  // before the others
        else
            read_section(*table, std::string(name) + ".", options);
        if constexpr (std::is_same_v<std::decay_t<decltype(options)>, MapOptions>) options.take_given(table->settings);
    });
    // Its formula says how far it reaches, whatever a scenario says of another radio.
    if (s.radio.preset == RadioPreset::wss) s.comm.range_m = s.comm.base_range_m = wss_range_m;
    const auto check = [&](const std::string& name, const std::string& where, bool list) {
        const bool team = name == "robot" || name == "base",
                   is_list = std::find(lists.begin(), lists.end(), name) != lists.end();
        if (std::find(known.begin(), known.end(), name) == known.end()) {
            const std::string near = nearest_name(name, known);
            fail("{}: unknown section '{}'{}", where, name,
                 near.empty() ? "" : fmt::format("; did you mean '{}'?", near));
        }
        if (is_list != list && !(team && of_single_robots(*config.table(name))))
            fail("{}: '{}': expected {}", where, name, is_list ? "[[" + name + "]]" : "[" + name + "]");
    };
    for (const auto& [name, table] : config.tables) check(name, table.where, false);
    for (const auto& [name, items] : config.arrays) check(name, items[0].where, true);
}

/// Whether the chain of parents leads back to the robot.
bool reports_to_itself(const Scenario& s, const RobotEntry& robot) {
    const RobotEntry* at = &robot;
    for (std::size_t i = 0; i < s.robots.size(); ++i) {
        const auto parent = std::find_if(s.robots.begin(), s.robots.end(), [&](const RobotEntry& r) {
            return !at->parent.empty() && r.name == at->parent;
        });
        if (parent == s.robots.end()) return false;
        if (&*parent == &robot) return true;
        at = &*parent;
    }
    return false;  // its chain ends in a cycle that it is not part of
}

void check_team(const Scenario& s) {
    if (std::none_of(s.robots.begin(), s.robots.end(), [](const RobotEntry& r) { return r.body.speed_mps > 0; }))
        fail("{}: no robot can move: body.speed_mps is 0 for all of them", s.name);
    for (std::size_t i = 0; i < s.robots.size(); ++i) {
        const RobotEntry& robot = s.robots[i];
        if (robot.name.empty()) fail("{}: name = \"\": expected a name, or no line for one", robot.where);
        for (std::size_t k = 0; k < i; ++k)
            if (s.robots[k].name == robot.name) fail("{}: two robots are called '{}'", robot.where, robot.name);
        for (const std::string& other : {robot.parent, robot.child})
            if (!other.empty() &&
                std::none_of(s.robots.begin(), s.robots.end(), [&](const RobotEntry& r) { return r.name == other; }))
                fail("{}: robot '{}' has '{}' as parent or child, but nobody is called so", robot.where, robot.name,
                     other);
        if (robot.parent == robot.name || robot.child == robot.name)
            fail("{}: robot '{}' is its own parent or child", robot.where, robot.name);
        if (reports_to_itself(s, robot))
            fail("{}: robot '{}' reports to itself over its parents; their line has to end at a base", robot.where,
                 robot.name);
        make_strategy(robot.strategy, fmt::format("{}: strategy of '{}'", robot.where, robot.name), s.map.cell_m);
        if (robot.body.radius_m / s.map.cell_m > 30)
            fail("{}: robot '{}': a radius of {} m is more than 30 cells", robot.where, robot.name,
                 robot.body.radius_m);
    }
}

void check_noise(const Scenario& s) {
    if (s.radio.fading_db > 0 && s.radio.model != RadioModel::path_loss)
        fail("radio.fading_db = {}: only path loss fades; expected radio.model = path_loss, or 0", s.radio.fading_db);
    for (const RobotEntry& r : s.robots)
        if (const double sum = r.noise.drop_rate + r.noise.max_spike_rate + r.noise.near_spike_rate; sum > 1)
            fail("{}: robot '{}': noise.drop_rate, max_spike_rate and near_spike_rate add up to {}; expected at most 1",
                 r.where, r.name, sum);
}

Scenario read_scenario(ConfigTable& config, const std::string& name, Notes& notes) {
    Scenario s;
    s.name = name;
    for (const Setting& setting : config.settings) {
        if (setting.key != "name" || !std::holds_alternative<std::string>(setting.value))
            fail("{}: '{}' stands outside of any section; expected name = \"...\" or a section such as [map]",
                 setting.where, setting.key);
        s.name = std::get<std::string>(setting.value);
    }
    read_sections(config, s);
    read_team(config, s, notes);
    for (const ScenarioFeature& feature : scenario_features())
        if (feature.read) feature.read(config, s);
    return s;
}

/// The remaining steps once the map is loaded: checks, placement and notes.
void complete(Scenario& s, Notes& notes) {
    check_team(s);
    check_exclusions(s);
    check_noise(s);
    expect_affordable_run(s);
    place_team(s, notes);
    for (const ScenarioFeature& feature : scenario_features())
        if (feature.check) feature.check(s);
    draw_layers(s);
    for (const RobotEntry& robot : s.robots) {
        double gap_cells = 0;
        for (const SensorSpec& spec : robot.sensor_specs())
            gap_cells = std::max(gap_cells, spec.max_range_m * spec.step_angle / s.map.cell_m);
        if (s.mapping.update != MapUpdate::per_beam || gap_cells <= 1) continue;
        notes.push_back(
            fmt::format("the beams of '{}' are up to {:.1f} cells apart: with mapping.update = per_beam the "
                        "cells between them stay unknown",
                        robot.name, gap_cells));
        break;
    }
    const std::size_t overhead = 64 + 48 * (s.robots.size() - 1) + 1000,
                      link = static_cast<std::size_t>(s.comm.link_bytes);
    if (link > 0 && link < overhead)
        notes.push_back(
            fmt::format("comm.link_bytes = {} is little: a message of a team of {} takes about {} bytes before "
                        "the first tile of a map (1540 bytes); maps travel slowly or not at all",
                        link, s.robots.size(), overhead));
    for (const RobotEntry& robot : s.robots) {
        if (robot.role == Role::base || robot.body.speed_mps == 0) continue;
        if (robot.sees_m() < s.map.cell_m)
            notes.push_back(fmt::format(
                "'{}' sees nothing: {}", robot.name,
                robot.sensor_specs().empty() ? "its sensor is none" : "its sensor's range is less than a cell"));
    }
    for (const RobotEntry& robot : s.robots) {
        if (!traits_of(robot.strategy, robot.name).operator_driven) continue;
        notes.push_back(fmt::format(
            "'{}' does only what it is ordered (strategy {}): while no program sets its intent and no operator "
            "drives it, it stays where it is",
            robot.name, robot.strategy));
        break;
    }
    if (!s.slam.map.empty())
        fail("slam.map = {}: in a scenario robots localise in its own map; another one is for logs of real robots",
             toml_quoted(s.slam.map));
    const bool noisy = std::any_of(s.robots.begin(), s.robots.end(), [](const RobotEntry& r) {
        return r.role != Role::base && r.noise.odometry_share > 0;
    });
    if (noisy && s.slam.method == SlamMethod::known)
        notes.emplace_back(
            "robots trust their noisy odometry (poses are dead reckoning): their maps will drift apart; "
            "--set slam.method=scan_match lets them match scans");
}

}  // namespace

FeatureSections default_feature_sections() {
    FeatureSections out;
    for (const ScenarioFeature& feature : scenario_features())
        if (feature.options) out.add(feature.section, feature.after, feature.of_robots, feature.options());
    return out;
}

FeatureLists empty_feature_lists() {
    FeatureLists out;
    for (const ScenarioFeature& feature : scenario_features())
        if (feature.list.make) out.add(feature.list.name, feature.list.about, feature.list.make());
    return out;
}

Pose Scenario::start_pose(std::size_t i) const {
    const Point p = walls.lattice().centre(start_cell(i) - team_origin());
    return {p.x, p.y, wrap_angle(radians(robots[i].yaw_deg))};
}

std::vector<Pose> Scenario::start_poses() const {
    std::vector<Pose> out;
    for (std::size_t i = 0; i < robots.size(); ++i) out.push_back(start_pose(i));
    return out;
}

Cell Scenario::start_cell(std::size_t i) const { return walls.lattice().cell_of({robots[i].x_m, robots[i].y_m}); }

RobotEntry Scenario::plain_entry(bool base) const {
    RobotEntry entry;
    entry.role = base ? Role::base : Role::explorer;
    entry.strategy = base ? team.base_strategy : team.strategy;
    entry.radio_range_m = base ? comm.base_range_m : comm.range_m;
    entry.body = body;
    entry.sensor = sensor;
    entry.noise = noise;
    entry.features = (base ? default_feature_sections() : features).of_robots();
    if (base) {
        entry.body.speed_mps = 0;
        entry.body.radius_m = 0;
        entry.sensor.preset = SensorPreset::none;
    }
    return entry;
}

bool Scenario::maps_by_motion() const {
    const auto lags = [](const SensorOptions& s) {
        return s.level == Levelling::gravity && s.tilt_filter == TiltFilter::all;
    };
    return has_part(*this, "thermal_search") || has_part(*this, "people_tracks") ||
           std::any_of(robots.begin(), robots.end(), [&](const RobotEntry& r) {
               const std::vector<SensorOptions> sensors = r.sensors();
               return std::any_of(sensors.begin(), sensors.end(), lags);
           });
}

bool Scenario::crowded() const {
    return features.any("crowd") ||
           std::any_of(robots.begin(), robots.end(), [](const RobotEntry& r) { return r.body.seen || r.body.blocks; });
}

void draw_layers(Scenario& s) {
    for (const ScenarioFeature& feature : scenario_features())
        if (feature.draw) feature.draw(s);
}

std::string ScenarioFiles::path(const std::string& name) const {
    return (std::filesystem::path(folder_) / name).string();
}

void ScenarioFiles::read(Scenario& s, const char* section, const char* key, std::string& name,
                         const std::function<void(const std::string& path)>& read) const {
    if (name.empty()) return;
    std::string named;
    for (const NamedTable& table : config_.tables)
        for (const Setting& setting : table.second.settings)
            if (table.first == section && setting.key == key) named = setting.where;
    try {
        read(path(name));
    } catch (const Error& error) {
        const bool in_file = named.find(':') != std::string::npos;
        fail("{}{}", in_file ? fmt::format("{}: {}.{}: ", named, section, key) : "", error.what());
    }
    if (section != std::string_view("map")) s.layer_files.push_back({section, key, path(name)});
    name = std::filesystem::path(name).filename().string();  // the same wherever its folder is
}

Scenario make_scenario(ConfigTable config, const std::string& name, const std::string& folder, Notes& notes) {
    Scenario s = read_scenario(config, name, notes);
    if (s.map.file.empty())
        fail("{}: no map; expected file = \"....png\" in the section [map]",
             config.where.empty() ? name : config.where);
    ScenarioFiles files(folder, config);
    files.read(s, "map", "file", s.map.file, [&](const std::string& path) {
        s.map_path = path;
        MapFile map = read_map(s.map, path);
        s.walls = std::move(map.walls);
        s.map_origin = map.origin;
        files.outside = std::move(map.outside);
        notes.insert(notes.begin(), map.notes.begin(), map.notes.end());
    });
    for (const ScenarioFeature& feature : scenario_features())
        if (feature.load) feature.load(s, files);
    complete(s, notes);
    return s;
}

Scenario make_scenario(ConfigTable config, const std::string& name, Grid<std::uint8_t> walls, Notes& notes,
                       MapLayers layers) {
    Scenario s = read_scenario(config, name, notes);
    s.map.cell_m = walls.lattice().cell_m;
    s.walls = std::move(walls);
    s.layers = std::move(layers);
    complete(s, notes);
    return s;
}

Scenario load_scenario(const std::string& path, const std::vector<Setting>& over, Notes& notes) {
    ConfigTable config = load_config(path);
    for (const Setting& setting : over) config.set(setting);
    const std::filesystem::path file(path);
    return make_scenario(std::move(config), file.stem().string(), file.parent_path().string(), notes);
}

Scenario parse_scenario(std::string_view toml, const std::string& name, const std::string& folder,
                        const std::vector<Setting>& over, Notes& notes) {
    ConfigTable config = parse_config(toml, name);
    for (const Setting& setting : over) config.set(setting);
    return make_scenario(std::move(config), name, folder, notes);
}

}  // namespace outrider
