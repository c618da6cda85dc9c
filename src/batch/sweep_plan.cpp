#include "batch/sweep_plan.hpp"

#include <algorithm>
#include <functional>

#include "base/programs.hpp"
#include "base/version.hpp"
#include "metrics/metric_list.hpp"
#include "metrics/metrics.hpp"
#include "outrider/detail/settings.hpp"
#include "outrider/error.hpp"
#include "robot/registry.hpp"
#include "scenario/placement.hpp"

namespace outrider {
namespace {

/// All strategies that a table names, in whatever part of it.
std::vector<std::string> strategies_in(const ConfigTable& config) {
    std::vector<std::string> out;
    const std::function<void(const ConfigTable&)> look = [&](const ConfigTable& table) {
        for (const Setting& s : table.settings)
            if (const auto* text = std::get_if<std::string>(&s.value);
                text && (s.key == "strategy" || s.key == "base_strategy"))
                out.push_back(*text);
        for (const NamedTable& t : table.tables) look(t.second);
        for (const auto& [name, tables] : table.arrays)
            for (const ConfigTable& t : tables) look(t);
    };
    look(config);
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

}  // namespace

std::int64_t SweepPlan::runs() const {
    return static_cast<std::int64_t>(maps.size()) * static_cast<std::int64_t>(starts.size()) * repetitions *
           static_cast<std::int64_t>(cells.size());
}

std::int64_t SweepPlan::first_of(int shard) const { return runs() * shard / shards; }

ConfigTable SweepPlan::config(int map, int cell) const {
    ConfigTable out = maps[static_cast<std::size_t>(map)].config;
    ConfigTable chosen = cells[static_cast<std::size_t>(cell)].config;
    const auto is_strategy = [](const Setting& s) { return s.key == "strategy"; };
    const ConfigTable* team = chosen.table("team");
    const bool one_strategy = team && std::any_of(team->settings.begin(), team->settings.end(), is_strategy);
    out.overlay(std::move(chosen));
    if (auto* robots = out.array("robot"); robots && one_strategy)  // of all robots
        for (ConfigTable& robot : *robots) std::erase_if(robot.settings, is_strategy);
    return out;
}

SweepRuns::SweepRuns(const SweepPlan& plan) : plan_(plan) {
    for (std::size_t m = 0; m < plan.maps.size(); ++m)
        for (std::size_t c = 0; c < plan.cells.size(); ++c)
            scenarios_.push_back(
                Hasher()(plan.maps[m].hash)(to_toml(plan.config(static_cast<int>(m), static_cast<int>(c)))).result());
}

SweepRun SweepRuns::at(std::int64_t id) const {
    const auto cells = static_cast<std::int64_t>(plan_.cells.size()),
               starts = static_cast<std::int64_t>(plan_.starts.size());
    SweepRun run;
    run.id = id;
    run.cell = static_cast<int>(id % cells);
    run.repetition = static_cast<int>(id / cells % plan_.repetitions);
    run.start = plan_.starts[static_cast<std::size_t>(id / cells / plan_.repetitions % starts)];
    run.map = static_cast<int>(id / cells / plan_.repetitions / starts);
    const auto map = static_cast<std::size_t>(run.map);
    run.seed = plan_.plain_seeds
                   ? static_cast<std::uint64_t>(run.start)
                   : Hasher()(plan_.seed)(plan_.maps[map].hash)(run.start)(run.repetition).result().low >> 1;
    const Hash128 key =
        Hasher()(scenarios_[map * plan_.cells.size() + static_cast<std::size_t>(run.cell)])(run.seed).result();
    for (const std::uint64_t part : {key.high, key.low})
        for (int i = 56; i >= 0; i -= 8) run.key += static_cast<char>(part >> i);
    return run;
}

SweepScenario sweep_scenario(const SweepPlan& plan, int map, int cell) {
    ConfigTable config = plan.config(map, cell);
    const SweepMap& place = plan.maps[static_cast<std::size_t>(map)];
    SweepScenario out;
    if (ConfigTable* start = config.table("start")) {
        SettingReader reader(start->settings, "start.");
        out.start.fields(reader);
        reader.expect_all_used();
        for (Setting& s : start->settings) s.used = false;
    }
    config.set({"start.jitter_cells", std::int64_t{0}, place.name});
    config.set({"start.random_heading", false, place.name});
    Notes notes;
    out.scenario = make_scenario(std::move(config), place.name, place.walls, notes);
    return out;
}

void expect_programs_allowed(const SweepPlan& plan) {
    for (int map = 0; map < static_cast<int>(plan.maps.size()); ++map)
        for (int cell = 0; cell < static_cast<int>(plan.cells.size()); ++cell)
            for (const std::string& strategy : strategies_in(plan.config(map, cell)))
                if (const std::string program = program_of(strategy, plan.name); !program.empty())
                    expect_allowed(program, fmt::format("sweep '{}'", plan.name));
}

Provenance provenance_now(const SweepPlan& plan) {
    const auto of_team = [](const ConfigTable& config) {
        for (const NamedTable& t : config.tables)
            if (t.first == "team")
                for (const Setting& s : t.second.settings)
                    if (s.key == "strategy") return true;
        return false;
    };
    const TeamOptions team;
    std::vector<std::string> all{team.base_strategy};
    const auto add = [&](const ConfigTable& config) {
        for (std::string& strategy : strategies_in(config)) all.push_back(std::move(strategy));
    };
    for (const SweepCell& cell : plan.cells) add(cell.config);
    // Where a cell says what the team does, the strategies of the map do not count.
    if (!std::all_of(plan.cells.begin(), plan.cells.end(), [&](const SweepCell& c) { return of_team(c.config); }))
        for (const SweepMap& map : plan.maps) {
            add(map.config);
            if (!of_team(map.config)) all.push_back(team.strategy);
        }
    return provenance_of(all);
}

Scenario seeded(const SweepScenario& base, std::uint64_t seed) {
    Scenario s = base.scenario;
    s.run.seed = seed;
    s.start = base.start;
    Notes notes;
    place_team(s, notes);  // all robots have a place already; the seed decides jitter and headings
    return s;
}

void complete_plan(SweepPlan& plan, int shards) {
    if (plan.runs() == 0) fail("there is nothing to run");
    if (plan.runs() > INT32_MAX) fail("{} runs are more than {}", plan.runs(), INT32_MAX);
    const auto maps = static_cast<int>(plan.maps.size()), cells = static_cast<int>(plan.cells.size());
    const auto check = [&](int map, int cell) {
        try {
            sweep_scenario(plan, map, cell);
        } catch (const Error& error) {
            throw CellMistake(map, cell, error.what());
        }
    };
    for (int m = 0; m < maps; ++m) check(m, 0);
    for (int c = 1; c < cells; ++c) check(0, c);
    // As read back from a manifest: so the plan has the same hash when planned and when read.
    for (SweepMap& map : plan.maps) map.config = parse_config(to_toml(map.config), map.name);
    for (SweepCell& cell : plan.cells) cell.config = parse_config(to_toml(cell.config), cell.label);
    plan.program = program_id();
    plan.provenance = provenance_now(plan);
    if (plan.metrics.empty()) plan.metrics = team_metrics();
    plan.hash = plan_hash(plan);
    const auto few = static_cast<int>(std::min<std::int64_t>(plan.runs(), 1000));
    plan.shards = shards > 0 ? shards : std::clamp(static_cast<int>((plan.runs() + 49) / 50), 1, few);
    if (plan.shards > few)
        fail("{} shards for {} runs: expected at most {}; a shard is many runs, minutes of work", plan.shards,
             plan.runs(), few);
}

std::string program_id() { return fmt::format("{} ({})", version(), source_id()); }

}  // namespace outrider
