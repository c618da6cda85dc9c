#include "cli/lists/schema.hpp"

#include <algorithm>

#include "base/json.hpp"
#include "outrider/detail/settings.hpp"
#include "scenario/scenario.hpp"

namespace outrider {
namespace {

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

}  // namespace

std::string scenario_schema() {
    Scenario defaults;
    std::string sections, of_robot;
    std::vector<std::string_view> of_robots = defaults.features.of_robots().names();
    for (const char* core : {"body", "noise", "sensor"}) of_robots.emplace_back(core);
    Scenario::for_each_section(defaults, [&](const char* section, auto& options) {
        const std::string schema = fmt::format("\"{}\": {}", section, object_schema(list_fields(options)));
        sections += ",\n  " + schema;
        if (std::find(of_robots.begin(), of_robots.end(), section) == of_robots.end()) return;
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
    for (const FeatureLists::Named& named : defaults.lists.all())
        list(named.name, object_schema(named.list->defaults()));
    return fmt::format(
        "{{\"$schema\": \"http://json-schema.org/draft-07/schema#\", \"title\": \"Outrider scenario\", \"type\": "
        "\"object\", "
        "\"additionalProperties\": false,\n \"properties\": {{\n  \"name\": {{\"type\": \"string\"}},\n  \"include\": "
        "{{\"type\": \"string\"}},\n  \"suite\": {{\"type\": \"object\"}}{}}}}}\n",
        sections);
}

}  // namespace outrider
