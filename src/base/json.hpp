// JSON as values of C++. nlohmann-json reads it; its header takes seconds to compile and is included in json.cpp alone.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace outrider {

struct Json {
    using Array = std::vector<Json>;
    using Object = std::vector<std::pair<std::string, Json>>;  ///< in the order in which they stand
    std::variant<std::nullptr_t, bool, double, std::string, Array, Object> value = nullptr;

    /// nullptr: no such key, or not an object.
    const Json* find(std::string_view key) const;
    const double* number() const { return std::get_if<double>(&value); }
    const bool* flag() const { return std::get_if<bool>(&value); }
    const std::string* text() const { return std::get_if<std::string>(&value); }
    const Array* array() const { return std::get_if<Array>(&value); }
    const Object* object() const { return std::get_if<Object>(&value); }
};

/// The deepest nesting of arrays and objects: functions that walk through a value are recursive.
inline constexpr int json_levels = 64;

/// One whole value (RFC 8259) in UTF-8. Throws Error with line, column (in bytes, from 1) and what is wrong there; so
/// do two equal keys in one object.
Json parse_json(std::string_view text);

/// The value as text, on one line: numbers with 12 digits, those that JSON cannot say (NaN, infinite) as null.
std::string json_text(const Json& json);

/// The text in quotes.
std::string json_quoted(std::string_view text);

}  // namespace outrider
