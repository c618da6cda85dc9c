#include "batch/sweep_maps.hpp"

#include <algorithm>
#include <filesystem>

#include "batch/sweep_axes.hpp"
#include "maps/generate.hpp"
#include "outrider/error.hpp"
#include "run/suite.hpp"

namespace outrider {
namespace {

namespace fs = std::filesystem;

/// Without this a world without noise would give the same run for every seed. What the user said of starts stays.
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

}  // namespace

std::vector<SweepMap> family_maps(ConfigTable table, const std::vector<Setting>& over) {
    std::string name;
    std::vector<std::int64_t> seeds;
    std::vector<Setting> rest;
    for (Setting& s : table.settings) {
        if (s.key == "name") {
            name = plain_text(s);
        } else if (s.key == "seeds") {
            for (const Setting& one : expand_range(s)) seeds.push_back(std::get<std::int64_t>(one.value));
            if (const auto* one = std::get_if<std::int64_t>(&s.value)) seeds = {*one};
        } else {
            rest.push_back(std::move(s));
        }
    }
    if (name.empty() || seeds.empty())
        fail("{}: a [[family]] needs name = \"office\" and seeds = \"101..105\"", table.where);
    const FamilyInfo& family = find_family(name);
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
        GeneratedMap map = generate(family, *place, common);
        SweepMap& m = out.emplace_back();
        m.name = fmt::format("{}-{}", name, seed);
        m.walls = std::move(map.walls);
        m.hash = map_hash(m.walls).hex();
        m.config.set({"map.file", m.name + ".png", table.where});
        const Point base = m.walls.lattice().centre(map.start);
        m.config.arrays.emplace_back(
            "base", std::vector<ConfigTable>{
                        {table.where, {{"x_m", base.x, table.where}, {"y_m", base.y, table.where}}, {}, {}}});
        for (const Setting& s : over) m.config.set(s);
        vary_starts(m.config);
    }
    return out;
}

std::string file_of(const std::string& name, const std::string& folder) {
    const fs::path here(folder), above = here / "..", shipped("environments");
    for (const fs::path& guess :
         {here / name, fs::path(name), here / (name + ".toml"), above / (name + ".toml"),
          above / "suites" / (name + ".toml"), shipped / (name + ".toml"), shipped / "suites" / (name + ".toml")}) {
        std::error_code error;
        if (fs::is_regular_file(guess, error)) return guess.lexically_normal().string();
    }
    return (here / name).string();
}

std::vector<SweepMap> sweep_maps(const std::string& name, const std::string& folder, const std::vector<Setting>& over) {
    const std::string file = file_of(name, folder);
    ConfigTable config = load_config(file);
    for (const Setting& s : over) config.set(s);
    std::vector<SweepMap> out;
    Notes notes;
    const auto add = [&](ConfigTable c, const Scenario& s) {
        SweepMap& m = out.emplace_back();
        m.name = s.name;
        m.walls = s.walls;
        m.hash = map_hash(s.walls).hex();
        m.config = std::move(c);
        m.config.set({"map.file", s.map.file, file});
        m.config.set({"map.cell_m", s.map.cell_m, file});
        m.config.set({"name", s.name, file});
        vary_starts(m.config);
    };
    if (is_suite(config)) {
        const Suite suite = make_suite(std::move(config), file);
        for (std::size_t i = 0; i < suite.maps.size(); ++i) add(suite.config(i), suite.scenario(i, notes));
    } else {
        const Scenario s =
            make_scenario(config, fs::path(file).stem().string(), fs::path(file).parent_path().string(), notes);
        add(std::move(config), s);
    }
    return out;
}

}  // namespace outrider
