#include "cli/arguments.hpp"

#include <cstdio>
#include <filesystem>

#include "outrider/error.hpp"

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

void add_scenario_options(cxxopts::Options& options) {
    options.add_options()("scenario", "scenario file (TOML)", cxxopts::value<std::string>())(
        "map", "run on this PNG without a scenario; base and team are placed", cxxopts::value<std::string>(), "PNG")(
        "import-mresim", "a team file of MRESim, together with --map", cxxopts::value<std::string>(), "TEAM")(
        "strategy", "strategy of all robots", cxxopts::value<std::string>(), "\"name(option=value)\"")(
        "robots", "number of mobile robots", cxxopts::value<int>(), "N")("seed", "seed of all random numbers",
                                                                         cxxopts::value<std::int64_t>(), "S")(
        "steps", "step limit", cxxopts::value<int>(), "N")("set",
                                                           "set any option, e.g. --set comm.range_m=6; may be repeated",
                                                           cxxopts::value<std::vector<std::string>>(), "key=value");
    options.parse_positional({"scenario"});
    options.positional_help("SCENARIO.toml");
}

Scenario scenario_from(const cxxopts::ParseResult& result, Notes& notes) {
    namespace fs = std::filesystem;
    const bool has_map = result.count("map") > 0, has_team = result.count("import-mresim") > 0;
    if (result.count("scenario") && (has_map || has_team))
        fail("a scenario file already names its map: give either it or --map");
    if (!result.count("scenario") && !has_map)
        fail("no scenario: give a SCENARIO.toml, or --map PNG; see outrider run --help");

    ConfigTable config;
    std::string name, folder;
    if (has_team) {
        const auto team = result["import-mresim"].as<std::string>();
        config = import_mresim(team, result["map"].as<std::string>(), notes);
        name = fs::path(team).filename().string();
    } else if (has_map) {
        const auto map = result["map"].as<std::string>();
        config.where = "--map";
        config.set({"map.file", map, "--map"});
        name = fs::path(map).stem().string();
    } else {
        const auto file = result["scenario"].as<std::string>();
        config = load_config(file);
        name = fs::path(file).stem().string();
        folder = fs::path(file).parent_path().string();
    }
    const auto set = [&](const char* option, const char* key, auto value) {
        config.set({key, value, std::string("--") + option});
    };
    if (result.count("robots")) set("robots", "team.robots", std::int64_t{result["robots"].as<int>()});
    if (result.count("seed")) set("seed", "run.seed", result["seed"].as<std::int64_t>());
    if (result.count("steps")) set("steps", "run.steps", std::int64_t{result["steps"].as<int>()});
    if (result.count("strategy")) {
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
    return make_scenario(std::move(config), name, folder, notes);
}

}  // namespace outrider
