#include "live/rosbridge/request.hpp"

#include "outrider/error.hpp"

namespace outrider {
namespace {

constexpr std::size_t most_name_bytes = 256;  // of topics, types, services, ids

}  // namespace

std::string text_field(const Json& request, std::string_view key) {
    const Json* json = request.find(key);
    if (!json || std::holds_alternative<std::nullptr_t>(json->value)) return "";
    if (!json->text()) fail("\"{}\": expected a text", key);
    if (json->text()->size() > most_name_bytes) fail("\"{}\": expected at most {} bytes", key, most_name_bytes);
    return *json->text();
}

std::string needed_text(const Json& request, std::string_view key) {
    std::string text = text_field(request, key);
    if (text.empty()) fail("expected \"{}\"", key);
    return text;
}

std::string id_text(const Json& request) {
    const Json* id = request.find("id");
    const bool is_short = id && (id->number() || (id->text() && id->text()->size() <= most_name_bytes));
    return is_short ? json_text(*id) : "";
}

}  // namespace outrider
