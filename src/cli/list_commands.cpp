// strategies, options, metrics: what there is.
#include <algorithm>
#include <cstdio>

#include "cli/arguments.hpp"
#include "outrider/strategy.hpp"
#include "run/localisation_metrics.hpp"
#include "run/metrics.hpp"

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

}  // namespace

int strategies_command(const Arguments& arguments) {
    if (only_help("strategies", "List the strategies and their options.", arguments)) return 0;
    for (const StrategyInfo& info : strategies()) {
        fmt::print("{}\n  {}\n", info.name, info.summary);
        print_fields(info.options, "");
    }
    fmt::print("\nUse one with --strategy \"name(option=value, ...)\"; tools/new_strategy NAME writes a new one.\n");
    return 0;
}

int options_command(const Arguments& arguments) {
    if (only_help("options", "List every option: name, default, unit, meaning, range.", arguments)) return 0;
    fmt::print("Options of a scenario file, as section.key. --set section.key=value sets one for a run.\n");
    Scenario defaults;
    Scenario::for_each_section(defaults, [](const char* section, auto& options) {
        fmt::print("\n[{}]\n", section);
        print_fields(list_fields(options), std::string(section) + ".");
    });
    fmt::print("\n[[robot]] and [[base]]: an entry for each; also tables [robot.body] and [robot.sensor] as above\n");
    print_fields(list_fields(RobotEntry{}), "");
    for (const StrategyInfo& info : strategies()) {
        if (info.options.empty()) continue;
        fmt::print("\nstrategy {}(option=value, ...)\n", info.name);
        print_fields(info.options, "");
    }
    return 0;
}

int metrics_command(const Arguments& arguments) {
    if (only_help("metrics", "List the metrics with unit, version and definition.", arguments)) return 0;
    const auto print = [](const MetricInfo& m) {
        fmt::print("  {:<28} {:<6} {}{}\n", fmt::format("{}@{}", m.name, m.version), m.unit, m.definition,
                   m.per_robot ? "; also per robot" : "");
    };
    fmt::print("Summary of a run\n");
    for (const MetricInfo& m : summary_metrics()) print(m);
    for (const MetricInfo& m : localisation_metrics()) print(m);
    fmt::print("\nPer step (--csv)\n");
    for (const MetricInfo& m : step_metrics()) print(m);
    return 0;
}

}  // namespace outrider
