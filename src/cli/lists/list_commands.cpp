// The commands strategies, options, metrics: lists of what is available.
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <span>

#include "base/json.hpp"
#include "base/output.hpp"
#include "cli/commands.hpp"
#include "cli/lists/schema.hpp"
#include "metrics/metric_list.hpp"
#include "metrics/metrics.hpp"
#include "outrider/detail/settings.hpp"
#include "outrider/error.hpp"
#include "outrider/strategy.hpp"
#include "robot/registry.hpp"
#include "scenario/exclusions.hpp"
#include "scenario/scenario.hpp"
#include "sensor_log/recording_formats.hpp"
#include "slam/pose_graph/g2o.hpp"
#include "world/map_kinds.hpp"

namespace outrider {
namespace {

void print_fields(const std::vector<FieldInfo>& fields, const std::string& prefix) {
    for (const FieldInfo& f : fields) {
        const std::string value = f.value == "nan" ? "none" : f.value;
        print_plain("  {:<26} = {:<16} {:<6} {}\n", prefix + f.name, value, f.unit, f.meaning);
        if (!f.range.empty()) print_plain("  {:<26}   {}\n", "", f.range);
    }
}

struct NamesFlags {
    std::vector<std::string> names;
    bool json = false;
    void fields(Flags& f) {
        f.positional("names", names);
        f("json", json, "as JSON");
    }
};
struct OptionsFlags : NamesFlags {
    bool schema = false;
    std::optional<std::string> goes_with;
    void fields(Flags& f) {
        NamesFlags::fields(f);
        f("goes-with", goes_with, "PART",
          "what can be in a scenario together with this part, such as people, and what cannot");
        f("schema", schema, "as a JSON schema of scenario files, which editors of TOML take");
    }
};

/// A list in JSON of what `text` makes of each item.
template <class List, class Text>
std::string json_list(const List& list, Text&& text) {
    std::string out = "[";
    for (const auto& item : list) out += (out.size() > 1 ? ",\n " : "\n ") + text(item);
    return out + "\n]";
}

std::string field_json(const FieldInfo& f) {
    return fmt::format(R"({{"name": {}, "type": {}, "default": {}, "range": {}, "unit": {}, "meaning": {}}})",
                       json_quoted(f.name), json_quoted(f.type), json_quoted(f.value), json_quoted(f.range),
                       json_quoted(f.unit), json_quoted(f.meaning));
}

/// Throws for the first name that is none of `known`.
void expect_known(const std::vector<std::string>& names, const char* kind, const std::vector<std::string>& known) {
    for (const std::string& name : names)
        if (std::find(known.begin(), known.end(), name) == known.end())
            fail("{}: there is no {} of this name{}", name, kind, did_you_mean(name, known));
}

/// A summary in one line of so many characters: of a longer one the first words, and the source in brackets at its end.
std::string in_one_line(const std::string& summary, std::size_t width) {
    if (summary.size() <= width) return summary;
    const std::size_t bracket = summary.ends_with(')') ? summary.rfind(" (") : std::string::npos;
    const std::string end = " ..." + (bracket == std::string::npos ? "" : summary.substr(bracket));
    const std::size_t last = summary.rfind(' ', width - std::min(width, end.size()));
    return summary.substr(0, last == std::string::npos ? 0 : last) + end;
}

int list_strategies(const NamesFlags& flags) {
    std::vector<std::string> known;
    for (const StrategyInfo& info : strategies()) known.push_back(info.name);
    expect_known(flags.names, "strategy", known);
    const std::vector<std::string>& names = flags.names.empty() ? known : flags.names;
    if (flags.json) {
        print_plain("{}\n", Lines{json_list(names, [](const std::string& name) {
                        const StrategyInfo& info = find_strategy(name, "strategies");
                        return fmt::format(R"({{"name": {}, "summary": {}, "options": {}}})", json_quoted(name),
                                           json_quoted(info.summary), json_list(info.options, field_json));
                    })});
        return 0;
    }
    for (const std::string& name : names) {
        const StrategyInfo& info = find_strategy(name, "strategies");
        if (flags.names.empty()) {
            print_plain("{:<22} {}\n", name, in_one_line(info.summary, 77));
            continue;
        }
        print_plain("{}\n  {}\n", name, info.summary);
        print_fields(info.options, "");
    }
    print_plain("\n{}\n", flags.names.empty()
                              ? "outrider strategies NAME: its options; outrider new-strategy NAME writes a new one."
                              : "Use one with --strategy \"name(option=value, ...)\".");
    return 0;
}

/// What goes with a part, and what does not, with the reason.
int list_company(const std::string& name) {
    const ScenarioPart& part = expect_part(name, "--goes-with");
    const auto line = [](std::string_view part_name, std::string_view more) {
        print_plain("  {:<19} {}\n", part_name, more);
    };
    const auto example = [](const ScenarioPart& p) {
        return p.example.empty() ? "--import-positions FILE" : p.example.substr(0, p.example.find('\n'));
    };
    line(part.name, example(part));
    print_plain("goes with\n");
    for (const ScenarioPart& other : scenario_parts())
        if (&other != &part && why_not(part.name, other.name).empty()) line(other.name, example(other));
    print_plain("does not go with\n");
    for (const ScenarioPart& other : scenario_parts())
        if (const std::string_view why = why_not(part.name, other.name); !why.empty()) line(other.name, why);
    return 0;
}

/// The options of a section, of an entry of a list, or of a strategy.
struct OptionList {
    std::string name, heading, prefix;
    std::vector<FieldInfo> fields;
    bool of_scenario = true;
};

std::vector<OptionList> option_lists() {
    std::vector<OptionList> all;
    Scenario defaults;
    Scenario::for_each_section(defaults, [&](const char* section, auto& options) {
        all.push_back({section, fmt::format("[{}]", section), fmt::format("{}.", section), list_fields(options)});
    });
    all.push_back(
        {"robot",
         fmt::format("[[robot]] and [[base]]: an entry for each; also tables [robot.body], [robot.noise], "
                     "[robot.{}]\nand [robot.sensor] as above, or several [[robot.sensor]]. --set robot.WHO.key=value "
                     "sets an option of one robot, also\nrobot.WHO.body.key: WHO is a number from 1, a name, or * "
                     "for all.",
                     fmt::join(defaults.features.of_robots().names(), "], [robot.")),
         "", list_fields(RobotEntry{})});
    for (const FeatureLists::Named& named : defaults.lists.all())
        all.push_back(
            {named.name, fmt::format("[[{}]]: an entry for {}", named.name, named.about), "", named.list->defaults()});
    for (const StrategyInfo& info : strategies())
        all.push_back(
            {info.name, fmt::format("strategy {}(option=value, ...)", plain_line(info.name)), "", info.options, false});
    return all;
}

int list_options(const OptionsFlags& flags) {
    if (flags.goes_with) return list_company(*flags.goes_with);
    if (flags.schema) {
        print_plain("{}", Lines{scenario_schema()});
        return 0;
    }
    const std::vector<OptionList> all = option_lists();
    std::vector<std::string> known;
    for (const OptionList& list : all) known.push_back(list.name);
    for (const OptionList& list : all)
        for (const FieldInfo& f : list.fields)
            for (const std::string& name : {list.name + "." + f.name, f.name}) known.push_back(name);
    expect_known(flags.names, "section, option or strategy", known);
    const auto wanted = [&](const std::string& name) {
        return std::find(flags.names.begin(), flags.names.end(), name) != flags.names.end();
    };
    std::vector<OptionList> chosen;
    for (OptionList list : all) {
        if (!flags.names.empty() && !wanted(list.name))
            std::erase_if(list.fields,
                          [&](const FieldInfo& f) { return !wanted(f.name) && !wanted(list.name + "." + f.name); });
        if (!list.fields.empty() && (!flags.names.empty() || !flags.json || list.of_scenario))
            chosen.push_back(std::move(list));
    }
    if (flags.json) {
        print_plain("{}\n", Lines{json_list(chosen, [](const OptionList& list) {
                        return fmt::format(R"({{"section": {}, "options": {}}})", json_quoted(list.name),
                                           json_list(list.fields, field_json));
                    })});
        return 0;
    }
    print_plain("Options of a scenario file, as section.key. --set section.key=value sets one for a run.\n");
    for (const OptionList& list : chosen) {
        print_plain("\n{}\n", Lines{list.heading});
        print_fields(list.fields, list.prefix);
    }
    return 0;
}

int list_metrics(const NamesFlags& flags) {
    const auto name_of = [](const MetricInfo& m) { return std::string(m.name); };
    std::vector<std::string> known;
    for (const auto& list : {summary_metrics(), step_metrics()})
        std::transform(list.begin(), list.end(), std::back_inserter(known), name_of);
    expect_known(flags.names, "metric", known);
    const auto chosen = [&](std::span<const MetricInfo> all) {
        std::vector<MetricInfo> list(all.begin(), all.end());
        std::erase_if(list, [&](const MetricInfo& m) {
            return !flags.names.empty() &&
                   std::find(flags.names.begin(), flags.names.end(), m.name) == flags.names.end();
        });
        return list;
    };
    const std::vector<MetricInfo> of_runs = chosen(summary_metrics()), of_steps = chosen(step_metrics());
    if (flags.json) {
        print_plain("{}\n", Lines{json_list(of_runs, [](const MetricInfo& m) {
                        return fmt::format(R"({{"name": {}, "version": {}, "unit": {}, "definition": {}}})",
                                           json_quoted(m.name), m.version, json_quoted(m.unit),
                                           json_quoted(m.definition));
                    })});
        return 0;
    }
    const auto print = [](const char* heading, const std::vector<MetricInfo>& list) {
        if (!list.empty()) print_plain("{}\n", heading);
        for (const MetricInfo& m : list)
            print_plain("  {:<28} {:<6} {}{}\n", fmt::format("{}@{}", m.name, m.version), m.unit, m.definition,
                        !m.of_robot ? ""
                        : m.of_team ? "; also per robot"
                                    : "; per robot");
    };
    print("Summary of a run", of_runs);
    print(of_runs.empty() ? "Per step (--csv)" : "\nPer step (--csv)", of_steps);
    return 0;
}

struct NoFlags {
    void fields(Flags&) {}
};

int list_formats(const NoFlags&) {
    const auto print = [](const char* heading, std::span<const FileFormat> list) {
        print_plain("{}\n", heading);
        for (const FileFormat& f : list) {
            std::string text =
                fmt::format("  {}\n      told by     {}\n      read        {}\n", f.name, f.told_by, f.taken);
            if (!f.left_out.empty()) text += fmt::format("      not read    {}\n", f.left_out);
            std::erase(text, '`');
            print_plain("{}", Lines{text});
        }
    };
    print("Maps (run, check, view, convert, plan; map.file)", map_formats());
    print("\nRecordings of robots (slam, run --replay, replay, view)", recording_formats());
    print("\nPose graphs (graph)", graph_formats());
    print_plain("\nWhat is no map, and how to make one of it\n");
    for (const ForeignFormat& f : foreign_map_formats()) print_plain("  {:<40}  {}\n", f.what, f.advice);
    return 0;
}

}  // namespace

Subcommand formats_command() {
    return subcommand<NoFlags, list_formats>(
        {"formats", "List the files of others that can be read: maps, recordings of robots, pose graphs.", ""},
        "list the files of others that can be read");
}

Subcommand strategies_command() {
    return subcommand<NamesFlags, list_strategies>(
        {"strategies", "List the strategies, or what those named do, with their options.", "[OPTION...] [NAME...]"},
        "list the strategies and their options");
}

Subcommand options_command() {
    return subcommand<OptionsFlags, list_options>(
        {"options",
         "List every option, or those named (comm.range_m) and those of the sections and strategies named: default, "
         "unit, meaning, range.",
         "[OPTION...] [NAME...]"},
        "list every option of every module");
}

Subcommand metrics_command() {
    return subcommand<NamesFlags, list_metrics>(
        {"metrics", "List the metrics, or those named, with unit, version and definition.", "[OPTION...] [NAME...]"},
        "list the metrics with their definitions");
}

}  // namespace outrider
