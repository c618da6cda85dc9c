#include "live/rosbridge/rosapi.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "live/rosbridge/ros_types.hpp"
#include "outrider/error.hpp"

namespace outrider {
namespace {

/// A JSON array of what `write` makes of each.
template <class Range, class Write>
std::string list_of(const Range& range, Write&& write) {
    std::string out = "[";
    for (const auto& item : range) {
        if (out.size() > 1) out += ", ";
        out += write(item);
    }
    return out + "]";
}

/// The argument of a service that has one; {"topic": "/x"} and ["/x"] are the same.
std::string argument_of(const Json& request, std::string_view key) {
    const Json* args = request.find("args");
    if (args && args->array() && !args->array()->empty()) args = &args->array()->front();
    if (args && args->object()) args = args->find(key);
    if (!args || !args->text() || args->text()->empty()) fail("expected the argument \"{}\", a text", key);
    return *args->text();
}

std::string names_of_topics(const RosapiWorld& world) {
    return list_of(world.topics, [](const RosapiTopic& t) { return json_quoted(t.name); });
}

std::string types_of_topics(const RosapiWorld& world) {
    return list_of(world.topics, [&](const RosapiTopic& t) { return json_quoted(type_name(t.type, world.dialect)); });
}

std::string topics(const Json&, const RosapiWorld& world) {
    return fmt::format(R"({{"topics": {}, "types": {}}})", names_of_topics(world), types_of_topics(world));
}

std::string topics_and_raw_types(const Json&, const RosapiWorld& world) {
    const std::string definitions = list_of(world.topics, [&](const RosapiTopic& t) {
        const RosType* const type = find_ros_type(t.type, world.dialect);
        return json_quoted(type ? definition_text(*type, world.dialect) : "");
    });
    return fmt::format(R"({{"topics": {}, "types": {}, "typedefs_full_text": {}}})", names_of_topics(world),
                       types_of_topics(world), definitions);
}

std::string topic_type(const Json& request, const RosapiWorld& world) {
    std::string name = argument_of(request, "topic");
    if (!name.starts_with('/')) name.insert(0, "/");
    const auto at =
        std::find_if(world.topics.begin(), world.topics.end(), [&](const auto& t) { return t.name == name; });
    const std::string type = at == world.topics.end() ? "" : type_name(at->type, world.dialect);
    return R"({"type": )" + json_quoted(type) + "}";
}

/// The robots are none: all that is served comes from one program.
std::string nodes(const Json&, const RosapiWorld&) { return R"({"nodes": ["/outrider"]})"; }

std::string param_names(const Json&, const RosapiWorld&) { return R"({"names": []})"; }

std::string get_time(const Json&, const RosapiWorld& world) {
    return R"({"time": )" + time_json(world.time_s, world.dialect) + "}";
}

/// What a field may hold, as rosapi says it.
std::string example_of(const RosField& field) {
    if (field.length != RosField::single) return "[]";
    if (field.type.find('/') != std::string::npos || field.type == "time" || field.type == "duration") return "{}";
    if (field.type == "string") return "";
    if (field.type == "bool") return "False";
    return field.type.starts_with("float") ? "0.0" : "0";
}

std::string details_of(const RosType& type) {
    std::vector<const RosField*> fields, constants;
    for (const RosField& field : type.fields) (field.constant.empty() ? fields : constants).push_back(&field);
    const auto texts = [](const auto& of, const auto& text) {
        return list_of(of, [&](const RosField* field) { return json_quoted(text(*field)); });
    };
    const auto name = [](const RosField& field) { return field.name; };
    return fmt::format(
        R"({{"type": {}, "fieldnames": {}, "fieldtypes": {}, "fieldarraylen": {}, "examples": {}, "constnames": {}, )"
        R"("constvalues": {}}})",
        json_quoted(type.name), texts(fields, name), texts(fields, [](const RosField& field) { return field.type; }),
        list_of(fields, [](const RosField* field) { return fmt::format("{}", field->length); }),
        texts(fields, example_of), texts(constants, name),
        texts(constants, [](const RosField& field) { return field.constant; }));
}

std::string message_details(const Json& request, const RosapiWorld& world) {
    const std::string name = argument_of(request, "type");
    const RosDialect dialect = name.find("/msg/") != std::string::npos ? RosDialect::ros2 : world.dialect;
    const RosType* const type = find_ros_type(plain_type(name), dialect);
    if (!type) fail("no message of the type {} is sent or taken here", shortened(name));
    return R"({"typedefs": )" +
           list_of(with_parts(*type, dialect), [](const RosType* part) { return details_of(*part); }) + "}";
}

std::string services(const Json&, const RosapiWorld&);

struct RosapiService {
    std::string_view name;
    std::string (*answer)(const Json& request, const RosapiWorld& world);
};

constexpr std::array rosapi_services{RosapiService{"/rosapi/get_param_names", param_names},
                                     RosapiService{"/rosapi/get_time", get_time},
                                     RosapiService{"/rosapi/message_details", message_details},
                                     RosapiService{"/rosapi/nodes", nodes},
                                     RosapiService{"/rosapi/services", services},
                                     RosapiService{"/rosapi/topic_type", topic_type},
                                     RosapiService{"/rosapi/topics", topics},
                                     RosapiService{"/rosapi/topics_and_raw_types", topics_and_raw_types}};

std::string services(const Json&, const RosapiWorld&) {
    return R"({"services": )" +
           list_of(rosapi_services, [](const RosapiService& service) { return json_quoted(service.name); }) + "}";
}

}  // namespace

std::optional<std::string> rosapi_values(std::string_view service, const Json& request, const RosapiWorld& world) {
    const std::string name = (service.starts_with('/') ? "" : "/") + std::string(service);
    for (const RosapiService& known : rosapi_services)
        if (known.name == name) return known.answer(request, world);
    return {};
}

}  // namespace outrider
