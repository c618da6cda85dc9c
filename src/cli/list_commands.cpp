// strategies, options, metrics: what there is.
#include <algorithm>
#include <cstdio>

#include "cli/arguments.hpp"
#include "outrider/strategy.hpp"
#include "run/metric_list.hpp"

namespace outrider {
namespace {

void print_fields(const std::vector<FieldInfo>& fields, const std::string& prefix) {
    for (const FieldInfo& f : fields) {
        const std::string value = f.value == "nan" ? "none" : f.value;
        fmt::print("  {:<26} = {:<16} {:<6} {}\n", prefix + f.name, value, f.unit, f.meaning);
        if (!f.range.empty()) fmt::print("  {:<26}   {}\n", "", f.range);
    }
}

bool only_help(const char* command, const char* what, const Arguments& arguments) {
    cxxopts::Options options(std::string("outrider ") + command, what);
    return !parse_arguments(options, arguments);
}

/// The names that are asked for, each one of `known`; all when none is.
std::optional<std::vector<std::string>> names_asked_for(const char* command, const char* what, const char* kind,
                                                        const std::vector<std::string>& known,
                                                        const Arguments& arguments) {
    cxxopts::Options options(std::string("outrider ") + command, what);
    options.add_options()("names", "", cxxopts::value<std::vector<std::string>>());
    options.parse_positional({"names"});
    options.positional_help("[NAME...]");
    const auto result = parse_arguments(options, arguments);
    if (!result) return {};
    if (!result->count("names")) return known;
    const auto names = (*result)["names"].as<std::vector<std::string>>();
    for (const std::string& name : names)
        if (std::find(known.begin(), known.end(), name) == known.end()) {
            const std::string near = nearest_name(name, known);
            fail("{}: there is no {} of this name{}", name, kind, near.empty() ? "" : "; did you mean '" + near + "'?");
        }
    return names;
}

}  // namespace

int strategies_command(const Arguments& arguments) {
    std::vector<std::string> known;
    for (const StrategyInfo& info : strategies()) known.push_back(info.name);
    const auto names = names_asked_for("strategies", "List the strategies, or those named, with their options.",
                                       "strategy", known, arguments);
    if (!names) return 0;
    for (const StrategyInfo& info : strategies()) {
        if (std::find(names->begin(), names->end(), info.name) == names->end()) continue;
        fmt::print("{}\n  {}\n", info.name, info.summary);
        print_fields(info.options, "");
    }
    fmt::print("\nUse one with --strategy \"name(option=value, ...)\"; tools/new_strategy NAME writes a new one.\n");
    return 0;
}

int options_command(const Arguments& arguments) {
    Scenario defaults;
    std::vector<std::string> known;
    Scenario::for_each_section(defaults, [&](const char* section, auto&) { known.emplace_back(section); });
    known.emplace_back("robot");
    for (const StrategyInfo& info : strategies())
        if (!info.options.empty()) known.push_back(info.name);
    const auto names = names_asked_for(
        "options", "List every option, or those of the sections and strategies named: default, unit, meaning, range.",
        "section or strategy", known, arguments);
    if (!names) return 0;
    const auto wanted = [&](const std::string& name) {
        return std::find(names->begin(), names->end(), name) != names->end();
    };
    fmt::print("Options of a scenario file, as section.key. --set section.key=value sets one for a run.\n");
    Scenario::for_each_section(defaults, [&](const char* section, auto& options) {
        if (!wanted(section)) return;
        fmt::print("\n[{}]\n", section);
        print_fields(list_fields(options), std::string(section) + ".");
    });
    if (wanted("robot")) {
        fmt::print(
            "\n[[robot]] and [[base]]: an entry for each; also tables [robot.body] and [robot.sensor] as above\n");
        print_fields(list_fields(RobotEntry{}), "");
    }
    for (const StrategyInfo& info : strategies()) {
        if (info.options.empty() || !wanted(info.name)) continue;
        fmt::print("\nstrategy {}(option=value, ...)\n", info.name);
        print_fields(info.options, "");
    }
    return 0;
}

int metrics_command(const Arguments& arguments) {
    if (only_help("metrics", "List the metrics with unit, version and definition.", arguments)) return 0;
    const auto print = [](const MetricInfo& m) {
        fmt::print("  {:<28} {:<6} {}{}\n", fmt::format("{}@{}", m.name, m.version), m.unit, m.definition,
                   !m.of_robot ? "" : m.of_team ? "; also per robot" : "; per robot");
    };
    fmt::print("Summary of a run\n");
    for (const MetricInfo& m : summary_metrics()) print(m);
    fmt::print("\nPer step (--csv)\n");
    for (const MetricInfo& m : step_metrics()) print(m);
    return 0;
}

}  // namespace outrider
