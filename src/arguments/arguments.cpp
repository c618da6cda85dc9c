#include "arguments/arguments.hpp"

#include <cmath>
#include <cstdio>
#include <filesystem>

#include "arguments/own_strategies.hpp"
#include "base/programs.hpp"
#include "outrider/detail/settings.hpp"
#include "outrider/error.hpp"
#include "robot/registry.hpp"
#include "scenario/imports/marmotlab.hpp"
#include "scenario/imports/mresim.hpp"
#include "scenario/imports/stage.hpp"
#include "scenario/suite.hpp"
#include "sensor_log/sensor_log.hpp"
#include "world/map_kinds.hpp"

namespace outrider {
namespace {

namespace fs = std::filesystem;

/// Throws Error where flags contradict each other or none names a map.
void expect_one_source(const ScenarioFlags& flags) {
    if (flags.import_positions && !flags.map) fail("--import-positions: which map? Give --map MAP");
    if (flags.import_positions && flags.strategy)
        fail("--strategy does not go with --import-positions: robots go where the log says");
    if (flags.scenario && (flags.map || flags.import_mresim))
        fail("a scenario file already names its map: give either it or --map");
    if (flags.import_marmotlab && (flags.scenario || flags.map || flags.import_mresim))
        fail("--import-marmotlab MAP is a scenario of its own: give it alone");
    if (!flags.scenario && !flags.map && !flags.import_marmotlab)
        fail(
            "no scenario: give a SCENARIO.toml or a name, such as outrider {0} office, or --map MAP; see outrider {0} "
            "--help",
            flags.command);
}

/// What a scenario is made from.
struct Source {
    ConfigTable config;
    std::string name, folder;
    std::optional<MresimPositions> positions;
};

Source source_of(const ScenarioFlags& flags, Notes& notes) {
    Source source;
    if (flags.import_positions) {
        source.positions.emplace(*flags.import_positions, *flags.map, flags.import_mresim.value_or(""));
        source.config = source.positions->scenario(notes);
        source.name = fs::path(*flags.import_positions).stem().string();
    } else if (flags.import_mresim) {
        source.config = import_mresim(*flags.import_mresim, *flags.map, notes);
        source.name = fs::path(*flags.import_mresim).filename().string();
    } else if (flags.import_marmotlab) {
        source.config = import_marmotlab(*flags.import_marmotlab);
        source.name = fs::path(*flags.import_marmotlab).stem().string();
    } else if (flags.map) {
        source.config.where = "--map";
        source.config.set({"map.file", *flags.map, "--map"});
        source.name = fs::path(*flags.map).stem().string();
    } else {
        const std::string file = file_of(*flags.scenario);
        const MapKind kind = file.ends_with(".toml") ? MapKind::none : map_kind(file);
        if (kind == MapKind::stage) {
            source.config = import_stage(file, notes);
        } else if (kind != MapKind::none) {
            source.config.where = file;
            source.config.set({"map.file", file, file});
            notes.push_back(fmt::format("{}: a map, not a scenario; taken as {}map takes it", file, flags.dashes));
        } else {
            if (!file.ends_with(".toml")) refuse_foreign_map(file);
            source.config = load_config(file);
            source.folder = fs::path(file).parent_path().string();
        }
        source.name = fs::path(file).stem().string();
    }
    return source;
}

/// For all robots, overriding what the file says of single ones.
void set_strategy(const std::string& typed, const std::string& flag, ConfigTable& config) {
    const std::string strategy = typed_strategy(typed, flag);
    make_strategy(strategy, flag);  // reports a mistake as one of the flag
    allow_typed(strategy, flag);
    config.set({"team.strategy", strategy, flag});
    if (auto* robots = config.array("robot"))
        for (ConfigTable& robot : *robots)
            std::erase_if(robot.settings, [](const Setting& s) { return s.key == "strategy"; });
}

/// The first base station's place.
void set_base(const std::string& text, ConfigTable& config) {
    double x = 0, y = 0;
    char rest = 0;
    if (std::sscanf(text.c_str(), "%lf,%lf%c", &x, &y, &rest) != 2 || !std::isfinite(x) || !std::isfinite(y))
        fail("--base {}: expected a place in metres from the map's lower left corner, such as 12.5,3", text);
    if (!config.array("base")) config.arrays.emplace_back("base", std::vector<ConfigTable>(1));
    ConfigTable& base = config.array("base")->front();
    base.where = "--base";
    base.set({"x_m", x, "--base"});
    base.set({"y_m", y, "--base"});
}

/// One setting of --set, commas and all.
Setting one_setting(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) fail("--set {}: expected key=value", text);
    const std::string key = text.substr(0, equals), value = text.substr(equals + 1);
    std::vector<Setting> one =
        parse_settings(key + "=" + (value.find(',') == std::string::npos ? value : toml_quoted(value)), "--set");
    if (one.empty() || one[0].key.find('.') == std::string::npos)
        fail("--set {}: expected section.key=value, such as comm.range_m=6", text);
    if (one[0].key == "team.strategy") allow_typed(value, "--set");
    return std::move(one[0]);
}

}  // namespace

void ScenarioFlags::fields(Flags& f) {
    f.positional("scenario", scenario, "scenario file (TOML)");
    f("map", map, "PNG", "run on this map without a scenario; base and team are placed");
    f("import-mresim", import_mresim, "TEAM", "a team file of MRESim, together with --map");
    f("import-positions", import_positions, "LOG",
      "an agent log of MRESim, together with --map and its team if there is one: robots go where it says, sensing and "
      "radio are simulated again");
    f("import-marmotlab", import_marmotlab, "MAP", "a map of ARiADNE or IR2, with their sensor; lengths are pixels");
    f("strategy", strategy, "\"name(option=value)\"", "strategy of all robots; ./FILE.so: one of your own");
    f("robots", robots, 1, 100'000, "N", "number of mobile robots");
    f("base", base, "X,Y", "where the base stands, and the team around it: metres from the map's lower left corner");
    f("seed", seed, std::int64_t{0}, INT64_MAX, "S", "seed of all random numbers");
    f("steps", steps, 1, 10'000'000, "N", "step limit");
    allow_external(f);
    f("set", set, "key=value", "set any option, e.g. --set comm.range_m=6; may be repeated");
}

std::vector<std::string> ScenarioFlags::inputs() const {
    std::vector<std::string> files;
    for (const auto* file : {&scenario, &import_mresim, &import_positions, &import_marmotlab, &map})
        if (*file) files.push_back(**file);
    return files;
}

Scenario scenario_from(const ScenarioFlags& flags, Notes& notes) {
    expect_one_source(flags);
    Source source = source_of(flags, notes);
    ConfigTable& config = source.config;
    if (flags.robots) config.set({"team.robots", std::int64_t{*flags.robots}, "--robots"});
    if (flags.base) set_base(*flags.base, config);
    if (flags.seed) config.set({"run.seed", *flags.seed, "--seed"});
    if (flags.steps) config.set({"run.steps", std::int64_t{*flags.steps}, "--steps"});
    if (flags.strategy) set_strategy(*flags.strategy, flags.dashes + "strategy", config);
    for (const std::string& text : flags.set) config.set(one_setting(text));
    for (const Setting& setting : flags.settings) config.set(setting);
    Scenario scenario = make_scenario(std::move(config), source.name, source.folder, notes);
    if (source.positions) source.positions->apply(scenario, notes);
    return scenario;
}

void allow_external(Flags& f) {
    f("allow-external", allow_all_programs, "let strategies start the programs that files name");
}

void allow_typed(const std::string& strategy, const std::string& where) {
    if (const std::string program = program_of(strategy, where); !program.empty()) allow_program(program);
}

std::vector<Setting> settings_of(const std::vector<std::string>& set) {
    std::vector<Setting> settings;
    for (const std::string& text : set)
        for (Setting& s : parse_settings(text, "--set")) settings.push_back(std::move(s));
    return settings;
}

void set_range(const std::optional<std::string>& range, SensorLog& log) {
    if (!range) return;
    double metres = 0;
    char rest = 0;
    if (std::sscanf(range->c_str(), "%lf%c", &metres, &rest) != 1 || !(metres > 0) || !(metres <= 1000))
        fail("--range {}: expected metres above 0, at most 1000", *range);
    for (RecordedScan& scan : log.scans) scan.max_range_m = metres;
}

}  // namespace outrider
