#include "batch/sweep_file.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/input.hpp"
#include "batch/sweep_axes.hpp"
#include "maps/generate.hpp"
#include "outrider/error.hpp"
#include "run/localisation_metrics.hpp"
#include "run/metrics.hpp"
#include "run/suite.hpp"

namespace outrider {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void unknown(const std::string& where, std::string_view what, std::string_view name,
                          const std::vector<std::string>& known) {
    const std::string near = nearest_name(name, known);
    fail("{}: unknown {} '{}'{}", where, what, name,
         near.empty() ? fmt::format("; known here: {}", fmt::join(known, ", "))
                      : fmt::format("; did you mean '{}'?", near));
}

struct SweepOptions {
    std::string name, seeds = "1..30";
    std::uint64_t seed = 1;
    int repetitions = 1, shards = 0, curve_points = 100;
    void fields(Fields& f) {
        f("name", name, "of the experiment; otherwise that of the file");
        f("seed", seed, "of the experiment: all runs' seeds follow from it");
        f("seeds", seeds, "numbers of the starts on each map: a range, or a list");
        f("repetitions", repetitions, 1, 1'000'000, "runs of each start, with other random numbers");
        f("shards", shards, 0, 1000, "parts that workers take; 0: about fifty runs each");
        f("curve_points", curve_points, 0, 10'000, "points kept of each run's coverage curves");
    }
};

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

std::vector<SweepMap> family_maps(ConfigTable table) {
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
    }
    return out;
}

void read_report(ConfigTable& config, SweepPlan& plan, const std::string& path) {
    std::vector<std::string> known = team_metrics();
    for (const MetricInfo& m : localisation_metrics()) known.emplace_back(m.name);
    const auto metric_list = [&](ConfigTable& table, std::vector<std::string>& out) {
        for (auto& [name, values] : table.lists) {
            if (name != "metrics") continue;
            for (const Setting& s : values) {
                const std::string metric = plain_text(s);
                if (std::find(known.begin(), known.end(), metric) == known.end())
                    unknown(s.where, "metric", metric, known);
                if (std::find(out.begin(), out.end(), metric) == out.end()) out.push_back(metric);
            }
        }
    };
    metric_list(config, plan.metrics);
    plan.report.compare = plan.axes.empty() ? "" : plan.axes[0];
    if (ConfigTable* report = config.table("report")) {
        metric_list(*report, plan.report.metrics);
        for (const auto& [name, values] : report->lists)
            if (name != "metrics") unknown(values.empty() ? report->where : values[0].where, "key", name, {"metrics"});
        for (const Setting& s : report->settings) {
            if (s.key != "compare") unknown(s.where, "key", s.key, {"compare", "metrics"});
            plan.report.compare = full_key(plain_text(s), s.where);
            if (std::find(plan.axes.begin(), plan.axes.end(), plan.report.compare) == plan.axes.end())
                fail("{}: compare = \"{}\": expected one of the axes: {}", s.where, plain_text(s),
                     fmt::join(plan.axes, ", "));
        }
    }
    if (plan.report.metrics.empty()) plan.report.metrics = {"t90_base", "auc_base", "distance_m"};
    if (!plan.metrics.empty())
        for (const std::string& m : plan.report.metrics)
            if (std::find(plan.metrics.begin(), plan.metrics.end(), m) == plan.metrics.end()) plan.metrics.push_back(m);
    for (const auto& [name, table] : config.tables)
        if (name != "set" && name != "axes" && name != "report")
            unknown(table.where, "section", name, {"set", "axes", "report", "zip", "family"});
    for (const auto& [name, items] : config.arrays)
        if (name != "zip" && name != "family")
            unknown(items[0].where, "section", name, {"set", "axes", "report", "zip", "family"});
    for (const auto& [name, values] : config.lists)
        if (name != "maps" && name != "metrics" && name != "seeds")
            unknown(values.empty() ? path : values[0].where, "list", name, {"maps", "metrics", "seeds"});
}

}  // namespace

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

SweepPlan read_sweep(const std::string& path, int shards) {
    ConfigTable config = load_config(path, Lists::allow);
    const std::string folder = fs::path(path).parent_path().string();
    SweepPlan plan;
    plan.source = read_file(path, "a sweep file (TOML)");
    SweepOptions options;
    options.name = fs::path(path).stem().string();
    SettingReader reader(config.settings);
    options.fields(reader);
    for (const char* list : {"maps", "metrics"}) reader.also_known(list);
    reader.expect_all_used();
    plan.name = options.name;
    plan.seed = options.seed;
    plan.repetitions = options.repetitions;
    plan.curve_points = options.curve_points;

    Values seeds = expand_range({"seeds", options.seeds, path});
    for (const auto& [name, values] : config.lists)
        if (name == "seeds") seeds = values;
    for (const Setting& s : seeds) {
        const auto* number = std::get_if<std::int64_t>(&s.value);
        if (!number || *number < 0) fail("{}: seeds: expected whole numbers", s.where);
        plan.starts.push_back(*number);
    }
    if (plan.starts.empty()) fail("{}: seeds = \"{}\": expected a range such as \"1..30\"", path, options.seeds);

    std::vector<Axis> axes = axes_of(config);
    for (const Axis& axis : axes)
        for (const auto& [key, values] : axis.keys) plan.axes.push_back(key);
    read_report(config, plan, path);
    plan.cells = cells_of(axes, folder);

    std::vector<Setting> over;
    if (const ConfigTable* set = config.table("set")) {
        std::vector<std::pair<std::string, Values>> keys;
        flatten(*set, "", keys);
        for (auto& [key, values] : keys) {
            if (values.size() != 1) fail("{}: {}: expected one value; several make an axis", values[0].where, key);
            over.push_back(values[0]);
            over.back().key = full_key(key, values[0].where);
        }
    }
    for (const auto& [name, values] : config.lists)
        if (name == "maps")
            for (const Setting& s : values)
                for (SweepMap& map : sweep_maps(plain_text(s), folder, over)) plan.maps.push_back(std::move(map));
    if (const auto* families_given = config.array("family"))
        for (const ConfigTable& family : *families_given)
            for (SweepMap& map : family_maps(family)) {
                for (const Setting& s : over) map.config.set(s);
                vary_starts(map.config);
                plan.maps.push_back(std::move(map));
            }
    if (plan.maps.empty())
        fail("{}: no maps; expected maps = [\"office\", \"suites/office-12@1\"] or a [[family]]", path);
    std::set<std::string> names;
    for (const SweepMap& map : plan.maps)
        if (!names.insert(map.name).second) fail("{}: the map '{}' is named twice", path, map.name);
    complete_plan(plan, shards > 0 ? shards : options.shards);
    return plan;
}

}  // namespace outrider
