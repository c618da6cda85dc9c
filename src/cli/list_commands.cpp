// The commands strategies, options, metrics: lists of what is available.
#include <algorithm>
#include <cstdio>

#include "cli/commands.hpp"
#include "metrics/metric_list.hpp"
#include "metrics/metrics.hpp"
#include "outrider/detail/settings.hpp"
#include "outrider/error.hpp"
#include "outrider/strategy.hpp"
#include "robot/registry.hpp"
#include "scenario/scenario.hpp"

namespace outrider {
namespace {

void print_fields(const std::vector<FieldInfo>& fields, const std::string& prefix) {
    for (const FieldInfo& f : fields) {
        const std::string value = f.value == "nan" ? "none" : f.value;
        fmt::print("  {:<26} = {:<16} {:<6} {}\n", prefix + f.name, value, f.unit, f.meaning);
        if (!f.range.empty()) fmt::print("  {:<26}   {}\n", "", f.range);
    }
}

struct NamesFlags {
    std::vector<std::string> names;
    void fields(Flags& f) { f.positional("names", names); }
};
struct NoFlags {
    void fields(Flags&) {}
};

/// The names asked for, each one of `known`; all when none is given.
std::vector<std::string> names_asked_for(const NamesFlags& flags, const char* kind,
                                         const std::vector<std::string>& known) {
    for (const std::string& name : flags.names)
        if (std::find(known.begin(), known.end(), name) == known.end())
            fail("{}: there is no {} of this name{}", name, kind, did_you_mean(name, known));
    return flags.names.empty() ? known : flags.names;
}

int list_strategies(const NamesFlags& flags) {
    std::vector<std::string> known;
    for (const StrategyInfo& info : strategies()) known.push_back(info.name);
    const std::vector<std::string> names = names_asked_for(flags, "strategy", known);
    for (const StrategyInfo& info : strategies()) {
        if (std::find(names.begin(), names.end(), info.name) == names.end()) continue;
        fmt::print("{}\n  {}\n", info.name, info.summary);
        print_fields(info.options, "");
    }
    fmt::print("\nUse one with --strategy \"name(option=value, ...)\"; tools/new_strategy NAME writes a new one.\n");
    return 0;
}

int list_options(const NamesFlags& flags) {
    Scenario defaults;
    std::vector<std::string> known;
    Scenario::for_each_section(defaults, [&](const char* section, auto&) { known.emplace_back(section); });
    known.emplace_back("robot");
    known.emplace_back("event");
    known.emplace_back("change");
    known.emplace_back("smoke");
    known.emplace_back("victim");
    known.emplace_back("hazard");
    for (const StrategyInfo& info : strategies())
        if (!info.options.empty()) known.push_back(info.name);
    const std::vector<std::string> names = names_asked_for(flags, "section or strategy", known);
    const auto wanted = [&](const std::string& name) {
        return std::find(names.begin(), names.end(), name) != names.end();
    };
    fmt::print("Options of a scenario file, as section.key. --set section.key=value sets one for a run.\n");
    Scenario::for_each_section(defaults, [&](const char* section, auto& options) {
        if (!wanted(section)) return;
        fmt::print("\n[{}]\n", section);
        print_fields(list_fields(options), std::string(section) + ".");
    });
    if (wanted("robot")) {
        fmt::print(
            "\n[[robot]] and [[base]]: an entry for each; also tables [robot.body], [robot.noise], [robot.battery]\n"
            "and [robot.sensor] as above, or several [[robot.sensor]]. --set robot.WHO.key=value sets an option of one "
            "robot, also\n"
            "robot.WHO.body.key: WHO is a number from 1, a name, or * for all.\n");
        print_fields(list_fields(RobotEntry{}), "");
    }
    if (wanted("event")) {
        fmt::print("\n[[event]]: an entry for each failure that is sure to happen\n");
        print_fields(list_fields(EventEntry{}), "");
    }
    if (wanted("change")) {
        fmt::print("\n[[change]]: an entry for each rectangle of the map that becomes wall or free\n");
        print_fields(list_fields(ChangeEntry{}), "");
    }
    if (wanted("smoke")) {
        fmt::print("\n[[smoke]]: an entry for each disc of smoke, in which beams are lost\n");
        print_fields(list_fields(SmokeEntry{}), "");
    }
    if (wanted("victim")) {
        fmt::print("\n[[victim]]: an entry for somebody to be found\n");
        print_fields(list_fields(VictimEntry{}), "");
    }
    if (wanted("hazard")) {
        fmt::print("\n[[hazard]]: an entry for each fire and flood\n");
        print_fields(list_fields(HazardEntry{}), "");
    }
    for (const StrategyInfo& info : strategies()) {
        if (info.options.empty() || !wanted(info.name)) continue;
        fmt::print("\nstrategy {}(option=value, ...)\n", info.name);
        print_fields(info.options, "");
    }
    return 0;
}

int list_metrics(const NoFlags&) {
    const auto print = [](const MetricInfo& m) {
        fmt::print("  {:<28} {:<6} {}{}\n", fmt::format("{}@{}", m.name, m.version), m.unit, m.definition,
                   !m.of_robot ? ""
                   : m.of_team ? "; also per robot"
                               : "; per robot");
    };
    fmt::print("Summary of a run\n");
    for (const MetricInfo& m : summary_metrics()) print(m);
    fmt::print("\nPer step (--csv)\n");
    for (const MetricInfo& m : step_metrics()) print(m);
    return 0;
}

}  // namespace

Subcommand strategies_command() {
    return subcommand<NamesFlags, list_strategies>(
        {"strategies", "List the strategies, or those named, with their options.", "[OPTION...] [NAME...]"},
        "list the strategies and their options");
}

Subcommand options_command() {
    return subcommand<NamesFlags, list_options>(
        {"options", "List every option, or those of the sections and strategies named: default, unit, meaning, range.",
         "[OPTION...] [NAME...]"},
        "list every option of every module");
}

Subcommand metrics_command() {
    return subcommand<NoFlags, list_metrics>({"metrics", "List the metrics with unit, version and definition."},
                                             "list the metrics with their definitions");
}

}  // namespace outrider
