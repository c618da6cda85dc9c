#include "arguments/arguments.hpp"

#include <fmt/ranges.h>

#include <charconv>
#include <cstdio>
#include <filesystem>
#include <map>

#include "outrider/error.hpp"
#include "scenario/mresim.hpp"
#include "scenario/suite.hpp"
#include "sensor_log/sensor_log.hpp"

namespace outrider {

std::optional<cxxopts::ParseResult> parse_arguments(cxxopts::Options& options, const Arguments& arguments) {
    std::vector<const char*> argv{"outrider"};
    for (const std::string& a : arguments) argv.push_back(a.c_str());
    options.add_options()("h,help", "show this help");
    try {
        cxxopts::ParseResult result = options.parse(static_cast<int>(argv.size()), argv.data());
        if (result.count("help")) {
            std::fputs(options.help().c_str(), stdout);
            return {};
        }
        if (!result.unmatched().empty())
            fail("unexpected argument '{}'; see {} --help", result.unmatched()[0], options.program());
        return result;
    } catch (const cxxopts::exceptions::exception& e) {
        fail("{}; see {} --help", e.what(), options.program());
    }
}

std::optional<std::int64_t> whole_number(const cxxopts::ParseResult& result, const std::string& option,
                                         std::int64_t low, std::int64_t high) {
    if (!result.count(option)) return {};
    const auto text = result[option].as<std::string>();
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value < low || value > high)
        fail("--{} {}: expected a whole number, {} to {}", option, text, low, high);
    return value;
}

void set_range(const cxxopts::ParseResult& result, SensorLog& log) {
    if (!result.count("range")) return;
    const auto text = result["range"].as<std::string>();
    double metres = 0;
    char rest = 0;
    if (std::sscanf(text.c_str(), "%lf%c", &metres, &rest) != 1 || !(metres > 0) || !(metres <= 1000))
        fail("--range {}: expected metres above 0, at most 1000", text);
    for (RecordedScan& scan : log.scans) scan.max_range_m = metres;
}

void expect_distinct(const cxxopts::ParseResult& result, std::initializer_list<const char*> options,
                     const std::vector<std::string>& inputs) {
    namespace fs = std::filesystem;
    std::map<std::string, std::string> used;
    const auto plain = [](const std::string& path) {
        std::error_code error;
        return fs::weakly_canonical(fs::absolute(path, error), error).string();
    };
    for (const std::string& input : inputs) used.emplace(plain(input), "an input of this run");
    for (const char* input : {"scenario", "import-mresim", "import-positions", "map"})
        if (result.count(input)) used.emplace(plain(result[input].as<std::string>()), "an input of this run");
    for (const char* option : options) {
        if (!result.count(option)) continue;
        const auto path = result[option].as<std::string>();
        if (path.empty()) fail("--{}: expected the name of a file", option);
        if (path.starts_with("/dev/")) continue;
        const auto [at, fresh] = used.emplace(plain(path), fmt::format("the file of --{}", option));
        if (!fresh) fail("--{} {}: is {}", option, path, at->second);
    }
}

void add_scenario_options(cxxopts::Options& options) {
    options.add_options()("scenario", "scenario file (TOML)", cxxopts::value<std::string>())(
        "map", "run on this map without a scenario; base and team are placed", cxxopts::value<std::string>(), "PNG")(
        "import-mresim", "a team file of MRESim, together with --map", cxxopts::value<std::string>(), "TEAM")(
        "import-positions",
        "an agent log of MRESim, together with --map and its team if there is one: robots go where it says, sensing "
        "and "
        "radio are simulated again",
        cxxopts::value<std::string>(),
        "LOG")("strategy", "strategy of all robots", cxxopts::value<std::string>(), "\"name(option=value)\"")(
        "robots", "number of mobile robots", cxxopts::value<std::string>(), "N")(
        "seed", "seed of all random numbers", cxxopts::value<std::string>(), "S")("steps", "step limit",
                                                                                  cxxopts::value<std::string>(), "N")(
        "set", "set any option, e.g. --set comm.range_m=6; may be repeated", cxxopts::value<std::vector<std::string>>(),
        "key=value");
    options.parse_positional({"scenario"});
    options.positional_help("SCENARIO.toml");
}

LogLevel log_level(const std::string& name) {
    const auto level = std::find(log_level_names.begin(), log_level_names.end(), name);
    if (level == log_level_names.end()) fail("--log {}: expected one of {}", name, fmt::join(log_level_names, ", "));
    return static_cast<LogLevel>(level - log_level_names.begin());
}

Scenario scenario_from(const cxxopts::ParseResult& result, Notes& notes) {
    namespace fs = std::filesystem;
    const bool has_map = result.count("map") > 0, has_team = result.count("import-mresim") > 0,
               has_positions = result.count("import-positions") > 0;
    if (has_positions && !has_map) fail("--import-positions: which map? Give --map MAP");
    if (has_positions && result.count("strategy"))
        fail("--strategy does not go with --import-positions: robots go where the log says");
    if (result.count("scenario") && (has_map || has_team))
        fail("a scenario file already names its map: give either it or --map");
    if (!result.count("scenario") && !has_map)
        fail("no scenario: give a SCENARIO.toml, or --map MAP; see outrider run --help");

    ConfigTable config;
    std::string name, folder;
    std::optional<MresimPositions> positions;
    if (has_positions) {
        const auto log = result["import-positions"].as<std::string>();
        positions.emplace(log, result["map"].as<std::string>(),
                          has_team ? result["import-mresim"].as<std::string>() : std::string());
        config = positions->scenario(notes);
        name = fs::path(log).stem().string();
    } else if (has_team) {
        const auto team = result["import-mresim"].as<std::string>();
        config = import_mresim(team, result["map"].as<std::string>(), notes);
        name = fs::path(team).filename().string();
    } else if (has_map) {
        const auto map = result["map"].as<std::string>();
        config.where = "--map";
        config.set({"map.file", map, "--map"});
        name = fs::path(map).stem().string();
    } else {
        const std::string file = file_of(result["scenario"].as<std::string>());
        config = load_config(file);
        name = fs::path(file).stem().string();
        folder = fs::path(file).parent_path().string();
    }
    const auto set = [&](const char* option, const char* key, auto value) {
        config.set({key, value, std::string("--") + option});
    };
    if (const auto n = whole_number(result, "robots", 1, 100'000)) set("robots", "team.robots", *n);
    if (const auto n = whole_number(result, "seed", 0, INT64_MAX)) set("seed", "run.seed", *n);
    if (const auto n = whole_number(result, "steps", 1, 10'000'000)) set("steps", "run.steps", *n);
    if (result.count("strategy")) {
        make_strategy(result["strategy"].as<std::string>(), "--strategy");  // a mistake is that of the option
        set("strategy", "team.strategy", result["strategy"].as<std::string>());
        if (auto* robots = config.array("robot"))  // of all robots
            for (ConfigTable& robot : *robots)
                std::erase_if(robot.settings, [](const Setting& s) { return s.key == "strategy"; });
    }
    if (result.count("set"))
        for (const std::string& text : result["set"].as<std::vector<std::string>>()) {
            if (text.find('=') == std::string::npos) fail("--set {}: expected key=value", text);
            // One setting, commas and all.
            const std::string key = text.substr(0, text.find('=')), value = text.substr(text.find('=') + 1);
            std::vector<Setting> one = parse_settings(
                key + "=" + (value.find(',') == std::string::npos ? value : toml_quoted(value)), "--set");
            if (one.empty() || one[0].key.find('.') == std::string::npos)
                fail("--set {}: expected section.key=value, such as comm.range_m=6", text);
            config.set(std::move(one[0]));
        }
    Scenario scenario = make_scenario(std::move(config), name, folder, notes);
    if (positions) positions->apply(scenario, notes);
    return scenario;
}

}  // namespace outrider
