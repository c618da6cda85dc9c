#include "scenario/read_team.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "outrider/error.hpp"
#include "robot/mresim_rules.hpp"
#include "scenario/cost.hpp"

namespace outrider {
namespace {

std::vector<std::string_view> tables_of(const RobotEntry& entry) {
    std::vector<std::string_view> out{"body", "sensor", "noise"};
    for (const std::string_view own : entry.features.names()) out.push_back(own);
    return out;
}

/// "[robot.body], [robot.sensor] or [robot.noise]".
std::string one_of_tables(const std::string& list, const RobotEntry& entry) {
    std::string out;
    const std::vector<std::string_view> tables = tables_of(entry);
    for (const std::string_view table : tables)
        out += fmt::format("{}[{}.{}]", out.empty() ? "" : table == tables.back() ? " or " : ", ", list, table);
    return out;
}

void read_own_section(ConfigTable& table, const std::string& name, Role role, FeatureOptions& options) {
    read_section(table, name + ".", options);
    if (role == Role::base && options.any())
        fail("{}: {}: a base station has none; expected it of a mobile robot", table.where, name);
}

/// `list`: the key of the team's list, robot or base. [robot.sensor] changes all sensors that the entry has.
void read_tables(ConfigTable& table, const std::string& prefix, const std::string& list, RobotEntry& entry) {
    for (auto& [name, inner] : table.tables) {
        if (name == "body")
            read_section(inner, prefix + "body.", entry.body);
        else if (name == "noise")
            read_section(inner, prefix + "noise.", entry.noise);
        else if (FeatureOptions* own = entry.features.section(name))
            read_own_section(inner, prefix + name, entry.role, *own);
        else if (name == "sensor")
            for (std::size_t k = 0; k <= entry.further_sensors.size(); ++k)
                read_sensor(inner, prefix + "sensor.", k == 0 ? entry.sensor : entry.further_sensors[k - 1]);
        else
            fail("{}: unknown table '{}{}'; known here: {}", inner.where, prefix, name,
                 fmt::join(tables_of(entry), ", "));
    }
    for (auto& [name, items] : table.arrays) {
        if (name != "sensor")
            fail("{}: [[{}.{}]]: expected a single table, {}; only sensors may be several, [[{}.sensor]]",
                 items[0].where, list, name, one_of_tables(list, entry), list);
        const SensorOptions plain = entry.sensor;
        entry.further_sensors.assign(items.size() - 1, plain);
        for (std::size_t k = 0; k < items.size(); ++k)
            read_sensor(items[k], fmt::format("{}sensor[{}].", prefix, k + 1),
                        k == 0 ? entry.sensor : entry.further_sensors[k - 1]);
    }
}

void read_entry(ConfigTable& table, const std::string& prefix, const std::string& list, RobotEntry& entry) {
    SettingReader reader(table.settings, prefix);
    entry.fields(reader);
    for (const std::string_view known : tables_of(entry)) reader.also_known(known);
    reader.expect_all_used();
    read_tables(table, prefix, list, entry);
    if (std::isnan(entry.x_m) != std::isnan(entry.y_m))
        fail("{}: a start needs both x_m and y_m, or neither", table.where);
}

void expect_role(const RobotEntry& entry, bool base, const std::string& where, const char* list) {
    if ((entry.role == Role::base) != base)
        fail("{}: role = \"{}\" in [[{}]]; base stations stand in [[base]], all others in [[robot]]", where,
             role_names[static_cast<std::size_t>(entry.role)], list);
    if (base && entry.body.speed_mps > 0)
        fail("{}: a base station does not move, but its body.speed_mps is {}", where, entry.body.speed_mps);
}

/// Lays what is said of single robots over their entries: first of all of them, then by number, then by name.
void read_single(ConfigTable* single, const char* list, bool base, std::span<RobotEntry> team) {
    if (!single) return;
    const auto number_of = [](std::size_t i) { return std::to_string(i + 1); };
    for (const auto& [who, table] : single->tables) {
        bool known = who == "*" && !team.empty();
        for (std::size_t i = 0; i < team.size(); ++i) known |= who == number_of(i) || who == team[i].name;
        if (!known)
            fail("{}: {}.{}: expected a number from 1 to {}, the name of one, or *", table.where, list, who,
                 team.size());
    }
    for (std::size_t i = 0; i < team.size(); ++i) {
        const std::string name = team[i].name;  // which may change
        for (const std::string& who : {std::string("*"), number_of(i), name})
            if (ConfigTable* table = single->table(who)) {
                read_entry(*table, fmt::format("{}.{}.", list, who), list, team[i]);
                expect_role(team[i], base, table->where, list);
            }
    }
}

}  // namespace

void read_sensor(ConfigTable& table, const std::string& prefix, SensorOptions& options) {
    read_section(table, prefix, options);
    const double units = options.range_m / options.range_unit_m;
    if (units > 65'534)
        fail("{}: {}range_m = {} is {:.0f} units of {} m, but a range has at most 65534; use a coarser range_unit_m",
             table.where, prefix, options.range_m, units, options.range_unit_m);
    if (units < 1)
        fail("{}: {}range_m = {} is less than one unit; use a finer range_unit_m than {} m", table.where, prefix,
             options.range_m, options.range_unit_m);
}

/// Sets what other sections have options for, so that these can still say otherwise.
void read_mresim(ConfigTable& table, Scenario& s) {
    MresimOptions& options = s.mresim;
    read_section(table, "mresim.", options);
    if (options.goal_area) s.stop = {StopOf::base, MresimRules::enough_share, 0};
    if (options.regions) s.frontier.kind = FrontierKind::regions;
    if (options.whole_polygon) s.mapping.update = MapUpdate::whole_polygon;
    if (!options.topological_paths) return;
    s.plan.planner = Planner::topological;
    s.plan.wall_cost = 0;
}

void read_team(ConfigTable& config, Scenario& s, Notes& notes) {
    const ConfigTable* team_table = config.table("team");
    const auto read = [&](const char* key, int count, bool base) {
        std::vector<ConfigTable>* entries = config.array(key);
        if (entries && static_cast<int>(entries->size()) > count)
            notes.push_back(fmt::format("{}: of {} [[{}]] entries only the first {} are used (team.{}s = {})",
                                        (*entries)[static_cast<std::size_t>(count)].where, entries->size(), key, count,
                                        key, count));
        const std::size_t first = s.robots.size();
        for (int i = 0; i < count; ++i) {
            RobotEntry entry = s.plain_entry(base);
            entry.name = base ? (count == 1 ? "base" : fmt::format("base{}", i + 1)) : fmt::format("r{}", i + 1);
            if (entries && i < static_cast<int>(entries->size())) {
                ConfigTable& table = (*entries)[static_cast<std::size_t>(i)];
                entry.where = table.where;
                read_entry(table, fmt::format("{}[{}].", key, i + 1), key, entry);
                expect_role(entry, base, table.where, key);
            }
            if (entry.where.empty()) entry.where = team_table ? team_table->where : config.where;
            if (entry.where.empty()) entry.where = s.name;
            s.robots.push_back(std::move(entry));
        }
        read_single(config.table(key), key, base, std::span(s.robots).subspan(first));
    };
    const auto listed = [&](const char* key) {
        const auto* entries = config.array(key);
        return entries ? static_cast<int>(entries->size()) : 0;
    };
    const auto given = [&](const char* key) {
        return team_table && std::any_of(team_table->settings.begin(), team_table->settings.end(),
                                         [&](const Setting& x) { return x.key == key; });
    };
    if (listed("base") > 0 && !given("bases")) s.team.bases = listed("base");
    if (listed("robot") > 0 && !given("robots")) s.team.robots = listed("robot");
    expect_affordable_team(s);
    read("base", s.team.bases, true);
    read("robot", s.team.robots, false);
}

}  // namespace outrider
