#include "batch/sweep_maps.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <set>

#include "batch/sweep_mistakes.hpp"
#include "maps/generate.hpp"
#include "messages/region_options.hpp"
#include "outrider/detail/settings.hpp"
#include "outrider/error.hpp"
#include "scenario/suite.hpp"

namespace outrider {
namespace {

namespace fs = std::filesystem;

/// Without this a world without noise would give the same run for every seed. The user's own settings of starts are
/// kept.
void vary_starts(ConfigTable& config) {
    const auto add = [&](const char* key, auto value) {
        const ConfigTable* start = config.table("start");
        if (!start || std::none_of(start->settings.begin(), start->settings.end(),
                                   [&](const Setting& s) { return s.key == key; }))
            config.set({std::string("start.") + key, value, "default of sweeps"});
    };
    add("jitter_cells", std::int64_t{5});
    add("random_heading", true);
}

/// Calls build(a configuration with the settings of [set]). When it throws, the Error names the line of [set] to blame,
/// or else `where`.
void build_with(const std::vector<Setting>& over, const ConfigTable& config, const std::string& where,
                const std::string& name, const std::function<void(ConfigTable)>& build) {
    const auto with = [&](const std::vector<Setting>& settings) {
        ConfigTable out = config;
        for (const Setting& s : settings) out.set(s);
        build(std::move(out));
    };
    try {
        with(over);
    } catch (const Error& error) {
        blame(over, "on " + name, error.what(), with);
        fail_at(where, name, error.what());
    }
}

}  // namespace

std::vector<std::int64_t> start_numbers(const Values& seeds) {
    std::vector<std::int64_t> out;
    std::set<std::int64_t> seen;
    for (const Setting& s : seeds) {
        const auto* number = std::get_if<std::int64_t>(&s.value);
        if (!number || *number < 0)
            fail("{}: seeds = {}: expected whole numbers, or a range such as \"1..30\"", s.where, to_toml(s));
        if (!seen.insert(*number).second) fail("{}: seeds: {} is named twice", s.where, *number);
        out.push_back(*number);
    }
    return out;
}

std::vector<SweepMap> family_maps(ConfigTable table, const std::vector<Setting>& over) {
    std::string name, named;
    std::vector<std::int64_t> seeds;
    std::vector<Setting> rest;
    std::vector<std::pair<std::string, Values>> keys;
    flatten(table, "", keys);
    for (auto& [key, values] : keys) {
        if (key == "seeds") {
            seeds = start_numbers(values);
        } else if (values.size() != 1) {
            fail("{}: {}: expected one value", values[0].where, key);
        } else if (key == "name") {
            name = plain_text(values[0]);
            named = values[0].where;
        } else {
            rest.push_back(std::move(values[0]));
        }
    }
    if (name.empty() || seeds.empty())
        fail("{}: a [[family]] needs name = \"office\" and seeds = \"101..105\"", table.where);
    const auto find = [&]() -> const FamilyInfo& {
        try {
            return find_family(name);
        } catch (const Error& error) {
            fail("{}: {}", named, error.what());
        }
    };
    const FamilyInfo& family = find();
    std::vector<SweepMap> out;
    for (const std::int64_t seed : seeds) {
        const std::unique_ptr<Family> place = family.make();
        GenerateOptions common;
        common.width = family.width;
        common.height = family.height;
        common.cell_m = family.cell_m;
        SettingReader reader(rest, "family.");
        common.fields(reader);
        place->fields(reader);
        reader.expect_all_used();
        for (Setting& s : rest) s.used = false;
        common.seed = static_cast<std::uint64_t>(seed);
        GeneratedMap map = [&] {
            try {
                return generate(family, *place, common);
            } catch (const Error& error) {
                fail_at(table.where, fmt::format("{}-{}", name, seed), error.what());
            }
        }();
        SweepMap& m = out.emplace_back();
        m.name = fmt::format("{}-{}", name, seed);
        m.walls = std::move(map.walls);
        m.hash = map_hash(m.walls).hex();
        m.config.set({"map.file", m.name + ".png", table.where});
        const Point base = m.walls.lattice().centre(map.start);
        m.config.arrays.emplace_back(
            "base", std::vector<ConfigTable>{
                        {table.where, {{"x_m", base.x, table.where}, {"y_m", base.y, table.where}}, {}, {}}});
        build_with(over, ConfigTable(m.config), table.where, m.name, [&](ConfigTable config) {
            m.config = config;
            Notes notes;
            make_scenario(std::move(config), m.name, m.walls, notes);
        });
        vary_starts(m.config);
    }
    return out;
}

std::vector<SweepMap> sweep_maps(const Setting& named, const std::string& folder, const std::vector<Setting>& over) {
    const std::string name = plain_text(named), what = fmt::format("{} = {}", named.key, to_toml(named));
    std::string file;
    ConfigTable given;
    try {
        file = file_of(name, folder);
        given = load_config(file);
    } catch (const Error& error) {
        fail_at(named.where, what, error.what());
    }
    std::vector<SweepMap> out;
    const auto add = [&](ConfigTable c, const Scenario& s) {
        SweepMap& m = out.emplace_back();
        m.name = s.name;
        m.walls = s.walls;
        m.hash = map_hash(s.walls).hex();
        m.config = std::move(c);
        m.config.set({"map.file", s.map.file, file});
        m.config.set({"map.cell_m", s.map.cell_m, file});
        m.config.set({"name", s.name, file});
        // What is unknown in the file is not in its walls.
        if (const std::string& without = s.features.get<RegionOptions>().without; !without.empty())
            m.config.set({"region.without", without, file});
        vary_starts(m.config);
    };
    build_with(over, given, named.where, name, [&](ConfigTable config) {
        Notes notes;
        if (is_suite(config)) {
            const Suite suite = make_suite(std::move(config), file);
            for (std::size_t i = 0; i < suite.maps.size(); ++i) add(suite.config(i), suite.scenario(i, notes));
        } else {
            const Scenario s =
                make_scenario(config, fs::path(file).stem().string(), fs::path(file).parent_path().string(), notes);
            add(std::move(config), s);
        }
    });
    return out;
}

}  // namespace outrider
