#include "batch/sweep_file.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "base/input.hpp"
#include "batch/sweep_axes.hpp"
#include "batch/sweep_maps.hpp"
#include "batch/sweep_mistakes.hpp"
#include "metrics/metric_list.hpp"
#include "outrider/detail/settings.hpp"
#include "outrider/error.hpp"

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

void read_report(ConfigTable& config, SweepPlan& plan, const std::string& path) {
    const auto metric_list = [](ConfigTable& table, std::vector<std::string>& out) {
        for (auto& [name, values] : table.lists) {
            if (name != "metrics") continue;
            for (const Setting& s : values) {
                const std::string metric = plain_text(s);
                expect_team_metric(metric, s.where);
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

    Setting range{"seeds", options.seeds, path};
    for (const Setting& s : config.settings)
        if (s.key == "seeds") range = s;
    Values seeds = expand_range(range);
    if (seeds.empty()) seeds = {range};
    for (const auto& [name, values] : config.lists)
        if (name == "seeds") seeds = values;
    plan.starts = start_numbers(seeds);

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
    std::vector<NamedMap> named;
    const auto take = [&](std::vector<SweepMap> maps, const std::string& where) {
        for (SweepMap& map : maps) {
            named.push_back({where, map.name, content_of(map)});
            plan.maps.push_back(std::move(map));
        }
    };
    for (const auto& [name, values] : config.lists)
        if (name == "maps")
            for (const Setting& s : values) take(sweep_maps(s, folder, over), s.where);
    if (const auto* families_given = config.array("family"))
        for (const ConfigTable& family : *families_given) take(family_maps(family, over), family.where);
    if (plan.maps.empty())
        fail("{}: no maps; expected maps = [\"office\", \"suites/office-12@1\"] or a [[family]]", path);
    expect_distinct(named);
    std::string sharded = "--shards";
    for (const Setting& s : config.settings)
        if (s.key == "shards" && shards == 0) sharded = s.where;
    try {
        complete_plan(plan, shards > 0 ? shards : options.shards);
    } catch (const CellMistake& mistake) {
        const std::string map = plan.maps[static_cast<std::size_t>(mistake.map)].name;
        const std::vector<Setting> chosen = choice(axes, static_cast<std::size_t>(mistake.cell));
        blame(chosen, "on " + map, mistake.what(), [&](const std::vector<Setting>& some) {
            plan.cells = {cell_of(some, folder)};
            sweep_scenario(plan, mistake.map, 0);
        });
        fail_at(chosen.empty() ? path : chosen[0].where, fmt::format("{} on {}", cell_of(chosen, folder).label, map),
                mistake.what());
    } catch (const Error& error) {  // about their number
        fail("{}: {}", plan.runs() > INT32_MAX ? path : sharded, error.what());
    }
    return plan;
}

}  // namespace outrider
