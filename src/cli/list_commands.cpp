// The commands strategies, options, metrics: lists of what is available.
#include <algorithm>
#include <cstdio>

#include "base/json.hpp"
#include "base/output.hpp"
#include "cli/commands.hpp"
#include "metrics/metric_list.hpp"
#include "metrics/metrics.hpp"
#include "outrider/detail/settings.hpp"
#include "outrider/error.hpp"
#include "outrider/strategy.hpp"
#include "robot/registry.hpp"
#include "scenario/exclusions.hpp"
#include "scenario/scenario.hpp"

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
struct MetricsFlags {
    bool json = false;
    void fields(Flags& f) { f("json", json, "as JSON"); }
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

/// An option in a JSON schema.
std::string schema_of(const FieldInfo& f) {
    std::string type = R"("type": "string")";
    if (f.type == "number") type = R"("type": "number")";
    if (f.type == "integer") type = R"("type": "integer")";
    if (f.type == "flag") type = R"("type": "boolean")";
    if (f.type == "choice") {
        std::string names;
        for (std::size_t from = 0; from <= f.range.size();) {
            const std::size_t end = std::min(f.range.find(" | ", from), f.range.size());
            names += (names.empty() ? "" : ", ") + json_quoted(f.range.substr(from, end - from));
            from = end + 3;
        }
        type = fmt::format(R"("enum": [{}])", names);
    }
    return fmt::format(R"({}: {{{}, "description": {}}})", json_quoted(f.name), type,
                       json_quoted(f.unit.empty() ? f.meaning : fmt::format("{} ({})", f.meaning, f.unit)));
}

std::string object_schema(const std::vector<FieldInfo>& fields, const std::string& more = "") {
    std::string out;
    for (const FieldInfo& f : fields) out += (out.empty() ? "" : ",\n    ") + schema_of(f);
    if (!more.empty()) out += (out.empty() ? "" : ",\n    ") + more;
    return fmt::format("{{\"type\": \"object\", \"additionalProperties\": false, \"properties\": {{\n    {}}}}}", out);
}

/// The sections that a robot has as tables of its own.
bool of_robots(std::string_view section) {
    return section == "body" || section == "noise" || section == "battery" || section == "sensor";
}

void print_schema() {
    Scenario defaults;
    std::string sections, of_robot;
    Scenario::for_each_section(defaults, [&](const char* section, auto& options) {
        const std::string schema = fmt::format("\"{}\": {}", section, object_schema(list_fields(options)));
        sections += ",\n  " + schema;
        if (!of_robots(section)) return;
        const std::string one = object_schema(list_fields(options));
        of_robot += (of_robot.empty() ? "" : ",\n    ") +
                    (std::string_view(section) == "sensor"
                         ? fmt::format("\"sensor\": {{\"anyOf\": [{0}, {{\"type\": \"array\", \"items\": {0}}}]}}", one)
                         : fmt::format("\"{}\": {}", section, one));
    });
    const auto list = [&](const char* name, const std::string& item) {
        sections += fmt::format(",\n  \"{}\": {{\"type\": \"array\", \"items\": {}}}", name, item);
    };
    list("robot", object_schema(list_fields(RobotEntry{}), of_robot));
    list("base", object_schema(list_fields(RobotEntry{}), of_robot));
    list("event", object_schema(list_fields(EventEntry{})));
    for (const char* name : {"change", "smoke", "victim", "hazard"}) list(name, "{\"type\": \"object\"}");
    print_plain(
        "{{\"$schema\": \"http://json-schema.org/draft-07/schema#\", \"title\": \"Outrider scenario\", \"type\": "
        "\"object\", "
        "\"additionalProperties\": false,\n \"properties\": {{\n  \"name\": {{\"type\": \"string\"}},\n  \"include\": "
        "{{\"type\": \"string\"}},\n  \"suite\": {{\"type\": \"object\"}}{}}}}}\n",
        Lines{sections});
}

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
    if (flags.json) {
        print_plain("{}\n", Lines{json_list(names, [](const std::string& name) {
                        const StrategyInfo& info = find_strategy(name, "strategies");
                        return fmt::format(R"({{"name": {}, "summary": {}, "options": {}}})", json_quoted(name),
                                           json_quoted(info.summary), json_list(info.options, field_json));
                    })});
        return 0;
    }
    for (const StrategyInfo& info : strategies()) {
        if (std::find(names.begin(), names.end(), info.name) == names.end()) continue;
        print_plain("{}\n  {}\n", info.name, info.summary);
        print_fields(info.options, "");
    }
    print_plain(
        "\nUse one with --strategy \"name(option=value, ...)\"; outrider new-strategy NAME writes a new one.\n");
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

int list_options(const OptionsFlags& flags) {
    if (flags.goes_with) return list_company(*flags.goes_with);
    if (flags.schema) {
        print_schema();
        return 0;
    }
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
    if (flags.json) {
        std::vector<std::pair<std::string, std::vector<FieldInfo>>> sections;
        Scenario::for_each_section(defaults, [&](const char* section, auto& options) {
            if (wanted(section)) sections.emplace_back(section, list_fields(options));
        });
        if (wanted("robot")) sections.emplace_back("robot", list_fields(RobotEntry{}));
        if (wanted("event")) sections.emplace_back("event", list_fields(EventEntry{}));
        print_plain("{}\n", Lines{json_list(sections, [](const auto& section) {
                        return fmt::format(R"({{"section": {}, "options": {}}})", json_quoted(section.first),
                                           json_list(section.second, field_json));
                    })});
        return 0;
    }
    print_plain("Options of a scenario file, as section.key. --set section.key=value sets one for a run.\n");
    Scenario::for_each_section(defaults, [&](const char* section, auto& options) {
        if (!wanted(section)) return;
        print_plain("\n[{}]\n", section);
        print_fields(list_fields(options), std::string(section) + ".");
    });
    if (wanted("robot")) {
        print_plain(
            "\n[[robot]] and [[base]]: an entry for each; also tables [robot.body], [robot.noise], [robot.battery]\n"
            "and [robot.sensor] as above, or several [[robot.sensor]]. --set robot.WHO.key=value sets an option of one "
            "robot, also\n"
            "robot.WHO.body.key: WHO is a number from 1, a name, or * for all.\n");
        print_fields(list_fields(RobotEntry{}), "");
    }
    if (wanted("event")) {
        print_plain("\n[[event]]: an entry for each failure that is sure to happen\n");
        print_fields(list_fields(EventEntry{}), "");
    }
    if (wanted("change")) {
        print_plain("\n[[change]]: an entry for each rectangle of the map that becomes wall or free\n");
        print_fields(list_fields(ChangeEntry{}), "");
    }
    if (wanted("smoke")) {
        print_plain("\n[[smoke]]: an entry for each disc of smoke, in which beams are lost\n");
        print_fields(list_fields(SmokeEntry{}), "");
    }
    if (wanted("victim")) {
        print_plain("\n[[victim]]: an entry for somebody to be found\n");
        print_fields(list_fields(VictimEntry{}), "");
    }
    if (wanted("hazard")) {
        print_plain("\n[[hazard]]: an entry for each fire and flood\n");
        print_fields(list_fields(HazardEntry{}), "");
    }
    for (const StrategyInfo& info : strategies()) {
        if (info.options.empty() || !wanted(info.name)) continue;
        print_plain("\nstrategy {}(option=value, ...)\n", info.name);
        print_fields(info.options, "");
    }
    return 0;
}

int list_metrics(const MetricsFlags& flags) {
    if (flags.json) {
        print_plain("{}\n", Lines{json_list(summary_metrics(), [](const MetricInfo& m) {
                        return fmt::format(R"({{"name": {}, "version": {}, "unit": {}, "definition": {}}})",
                                           json_quoted(m.name), m.version, json_quoted(m.unit),
                                           json_quoted(m.definition));
                    })});
        return 0;
    }
    const auto print = [](const MetricInfo& m) {
        print_plain("  {:<28} {:<6} {}{}\n", fmt::format("{}@{}", m.name, m.version), m.unit, m.definition,
                    !m.of_robot ? ""
                    : m.of_team ? "; also per robot"
                                : "; per robot");
    };
    print_plain("Summary of a run\n");
    for (const MetricInfo& m : summary_metrics()) print(m);
    print_plain("\nPer step (--csv)\n");
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
    return subcommand<OptionsFlags, list_options>(
        {"options", "List every option, or those of the sections and strategies named: default, unit, meaning, range.",
         "[OPTION...] [NAME...]"},
        "list every option of every module");
}

Subcommand metrics_command() {
    return subcommand<MetricsFlags, list_metrics>({"metrics", "List the metrics with unit, version and definition."},
                                                  "list the metrics with their definitions");
}

}  // namespace outrider
