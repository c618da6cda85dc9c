#include "scenario/scenario.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "outrider/detail/settings.hpp"
#include "outrider/error.hpp"
#include "robot/registry.hpp"
#include "scenario/placement.hpp"

namespace outrider {
namespace {

template <class Options>
void read_section(ConfigTable& table, const std::string& prefix, Options& options) {
    SettingReader reader(table.settings, prefix);
    options.fields(reader);
    reader.expect_all_used();
    if (!table.tables.empty())
        fail("{}: [{}{}]: no table is expected here", table.tables[0].second.where, prefix, table.tables[0].first);
    if (!table.arrays.empty())
        fail("{}: [[{}{}]]: no list of tables is expected here", table.arrays[0].second[0].where, prefix,
             table.arrays[0].first);
}

/// A preset comes first, whatever the order in the file; the other keys change it.
void read_sensor(ConfigTable& table, const std::string& prefix, SensorOptions& options) {
    SensorOptions preset = options;
    SettingReader reader(table.settings, prefix);
    preset.fields(reader);
    const bool given =
        std::any_of(table.settings.begin(), table.settings.end(), [](const Setting& s) { return s.key == "preset"; });
    if (given) {
        options.preset = preset.preset;
        options.apply_preset();
    }
    read_section(table, prefix, options);
    const double units = options.range_m / options.range_unit_m;
    if (units > 65'534)
        fail("{}: {}range_m = {} is {:.0f} units of {} m, but a range has at most 65534; use a coarser range_unit_m",
             table.where, prefix, options.range_m, units, options.range_unit_m);
    if (units < 1)
        fail("{}: {}range_m = {} is less than one unit; use a finer range_unit_m than {} m", table.where, prefix,
             options.range_m, options.range_unit_m);
}

void read_entry(ConfigTable& table, const std::string& prefix, RobotEntry& entry) {
    SettingReader reader(table.settings, prefix);
    entry.fields(reader);
    reader.also_known("body");
    reader.also_known("sensor");
    reader.expect_all_used();
    for (auto& [name, inner] : table.tables) {
        if (name == "body")
            read_section(inner, prefix + "body.", entry.body);
        else if (name == "sensor")
            read_sensor(inner, prefix + "sensor.", entry.sensor);
        else
            fail("{}: unknown table '{}{}'; known here: body, sensor", inner.where, prefix, name);
    }
    if (!table.arrays.empty()) {
        const auto& [name, items] = table.arrays[0];
        const std::string list = prefix.substr(0, prefix.find('['));  // of "robot[2]."
        fail("{}: [[{}.{}]]: expected a single table, [{}.body] or [{}.sensor]", items[0].where, list, name, list,
             list);
    }
    if (std::isnan(entry.x_m) != std::isnan(entry.y_m))
        fail("{}: a start needs both x_m and y_m, or neither", table.where);
}

void read_sections(ConfigTable& config, Scenario& s) {
    std::vector<std::string> known{"robot", "base"};
    Scenario::for_each_section(s, [&](const char* name, auto& options) {
        known.emplace_back(name);
        ConfigTable* table = config.table(name);
        if (!table) return;
        if constexpr (std::is_same_v<std::decay_t<decltype(options)>, SensorOptions>)
            read_sensor(*table, "sensor.", options);
        else
            read_section(*table, std::string(name) + ".", options);
    });
    const auto check = [&](const std::string& name, const std::string& where, bool list) {
        const bool is_list = name == "robot" || name == "base";
        if (std::find(known.begin(), known.end(), name) == known.end()) {
            const std::string near = nearest_name(name, known);
            fail("{}: unknown section '{}'{}", where, name,
                 near.empty() ? "" : fmt::format("; did you mean '{}'?", near));
        }
        if (is_list != list)
            fail("{}: '{}': expected {}", where, name, is_list ? "[[" + name + "]]" : "[" + name + "]");
    };
    for (const auto& [name, table] : config.tables) check(name, table.where, false);
    for (const auto& [name, items] : config.arrays) check(name, items[0].where, true);
}

/// Bases first, then robots; those without an entry get a name and the defaults.
void read_team(ConfigTable& config, Scenario& s, Notes& notes) {
    const ConfigTable* team_table = config.table("team");
    const auto read = [&](const char* key, int count, bool base) {
        std::vector<ConfigTable>* entries = config.array(key);
        if (entries && static_cast<int>(entries->size()) > count)
            notes.push_back(fmt::format("{}: of {} [[{}]] entries only the first {} are used (team.{}s = {})",
                                        (*entries)[static_cast<std::size_t>(count)].where, entries->size(), key, count,
                                        key, count));
        for (int i = 0; i < count; ++i) {
            RobotEntry entry = s.plain_entry(base);
            entry.name = base ? (count == 1 ? "base" : fmt::format("base{}", i + 1)) : fmt::format("r{}", i + 1);
            if (entries && i < static_cast<int>(entries->size())) {
                ConfigTable& table = (*entries)[static_cast<std::size_t>(i)];
                entry.where = table.where;
                read_entry(table, fmt::format("{}[{}].", key, i + 1), entry);
                if ((entry.role == Role::base) != base)
                    fail("{}: role = \"{}\" in [[{}]]; base stations stand in [[base]], all others in [[robot]]",
                         table.where, role_names[static_cast<std::size_t>(entry.role)], key);
                if (base && entry.body.speed_mps > 0)
                    fail("{}: a base station does not move, but its body.speed_mps is {}", table.where,
                         entry.body.speed_mps);
            }
            if (entry.where.empty()) entry.where = team_table ? team_table->where : config.where;
            if (entry.where.empty()) entry.where = s.name;
            s.robots.push_back(std::move(entry));
        }
    };
    const auto listed = [&](const char* key) {
        const auto* entries = config.array(key);
        return entries ? static_cast<int>(entries->size()) : 0;
    };
    if (const ConfigTable* team = config.table("team");
        listed("base") > 0 &&
        (!team || std::none_of(team->settings.begin(), team->settings.end(), [](auto& x) { return x.key == "bases"; })))
        s.team.bases = listed("base");
    if (const ConfigTable* team = config.table("team");
        listed("robot") > 0 && (!team || std::none_of(team->settings.begin(), team->settings.end(),
                                                      [](auto& x) { return x.key == "robots"; })))
        s.team.robots = listed("robot");
    read("base", s.team.bases, true);
    read("robot", s.team.robots, false);
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
    return s;
}

/// The remaining steps once the map is loaded: checks, placement and notes.
void complete(Scenario& s, Notes& notes) {
    check_team(s);
    place_team(s, notes);
    for (const RobotEntry& robot : s.robots) {
        const SensorSpec spec = robot.sensor.spec();
        const double gap_cells = spec.max_range_m * spec.step_angle / s.map.cell_m;
        if (s.mapping.update != MapUpdate::per_beam || robot.sensor.preset == SensorPreset::none || gap_cells <= 1)
            continue;
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
        if (robot.sensor.preset == SensorPreset::none || robot.sensor.range_m < s.map.cell_m)
            notes.push_back(fmt::format("'{}' sees nothing: {}", robot.name,
                                        robot.sensor.preset == SensorPreset::none
                                            ? "its sensor is none"
                                            : "its sensor's range is less than a cell"));
    }
    for (const RobotEntry& robot : s.robots) {
        if (!find_strategy(strategy_name(robot.strategy), robot.name).traits.operator_driven) continue;
        notes.push_back(fmt::format(
            "'{}' does only what it is told (strategy {}): while no program sets its intent and no operator "
            "drives it, it stays where it is",
            robot.name, robot.strategy));
        break;
    }
    if (!s.slam.map.empty())
        fail("slam.map = {}: in a scenario robots localise in its own map; another one is for logs of real robots",
             toml_quoted(s.slam.map));
    if (s.keeps_submaps() && s.comm.link_bytes > 0)
        fail("comm.link_bytes = {}: with {} maps are sent whole, however much a link carries; expected 0",
             s.comm.link_bytes, s.slam.past_moves() ? "slam.method = manifold" : "start.frame = unknown");
    if (s.noise.odometry_share > 0 && s.slam.method == SlamMethod::known)
        notes.emplace_back(
            "robots trust their noisy odometry (poses are dead reckoning): their maps will drift apart; "
            "--set slam.method=scan_match lets them match scans");
}

}  // namespace

void SensorOptions::apply_preset() {
    const SensorPreset keep = preset;
    switch (preset) {
        case SensorPreset::standard:
        case SensorPreset::none:
            *this = {};
            break;
        case SensorPreset::lms200:
            *this = {.beams = 181, .fov_deg = 180, .range_m = 8, .range_unit_m = 0.001};
            break;
        case SensorPreset::urg04lx:
            *this = {.beams = 667, .fov_deg = 239.76, .range_m = 5.6, .range_unit_m = 0.001};
            break;
        case SensorPreset::utm30lx:
            *this = {.beams = 1081, .fov_deg = 270, .range_m = 30, .range_unit_m = 0.001};
            break;
        case SensorPreset::sonar:
            *this = {.beams = 16, .fov_deg = 337.5, .range_m = 5, .range_unit_m = 0.01};
            break;
    }
    preset = keep;
}

SensorSpec SensorOptions::spec() const {
    SensorSpec spec;
    spec.mount = {mount_x_m, mount_y_m, radians(mount_yaw_deg)};
    spec.first_angle = -radians(fov_deg / 2);
    spec.step_angle = radians(fov_deg / (beams - 1));
    spec.beams = beams;
    spec.range_unit_m = range_unit_m;
    spec.max_range_m = range_m;
    return spec;
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
    if (base) {
        entry.body.speed_mps = 0;
        entry.body.radius_m = 0;
        entry.sensor.preset = SensorPreset::none;
    }
    return entry;
}

Scenario make_scenario(ConfigTable config, const std::string& name, const std::string& folder, Notes& notes) {
    Scenario s = read_scenario(config, name, notes);
    if (s.map.file.empty())
        fail("{}: no map; expected file = \"....png\" in the section [map]",
             config.where.empty() ? name : config.where);
    s.map_path = (std::filesystem::path(folder) / s.map.file).string();
    s.map.file =
        std::filesystem::path(s.map.file).filename().string();  // a scenario is the same wherever its folder is
    std::string named;                                          // where the scenario names its map
    if (const ConfigTable* table = config.table("map"))
        for (const Setting& setting : table->settings)
            if (setting.key == "file") named = setting.where;
    try {
        s.walls = read_map(s.map, s.map_path).walls;
    } catch (const Error& error) {
        fail("{}{}", named.find(':') == std::string::npos ? "" : named + ": map.file: ", error.what());
    }
    complete(s, notes);
    return s;
}

Scenario make_scenario(ConfigTable config, const std::string& name, Grid<std::uint8_t> walls, Notes& notes) {
    Scenario s = read_scenario(config, name, notes);
    s.map.cell_m = walls.lattice().cell_m;
    s.walls = std::move(walls);
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

std::string Scenario::resolved() const {
    std::string text = fmt::format("name = {}\n", toml_quoted(name));
    const auto list = [&](const auto& options) {
        for (const FieldInfo& f : list_fields(options))
            if (f.name != "parent" || f.value != "\"\"") text += fmt::format("{} = {}\n", f.name, f.value);
    };
    for_each_section(*this, [&](const char* section, const auto& options) {
        text += fmt::format("\n[{}]\n", section);
        if constexpr (std::is_same_v<std::decay_t<decltype(options)>, StartOptions>)
            // The starts below are what jitter and chance made of them.
            list(StartOptions{.shared = options.shared, .frame = options.frame});
        else
            list(options);
    });
    for (const RobotEntry& robot : robots) {
        text += fmt::format("\n[[{}]]\n", robot.role == Role::base ? "base" : "robot");
        list(robot);
        text += "[" + std::string(robot.role == Role::base ? "base" : "robot") + ".body]\n";
        list(robot.body);
        text += "[" + std::string(robot.role == Role::base ? "base" : "robot") + ".sensor]\n";
        list(robot.sensor);
    }
    return text;
}

Hash128 Scenario::hash() const {
    Hasher hasher;
    hasher(resolved())(map_hash(walls));
    if (script) hasher(script->bytes());
    return hasher.result();
}

}  // namespace outrider
