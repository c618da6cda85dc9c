#include "base/json.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "outrider/error.hpp"

namespace outrider {
namespace {

/// `read`: how many bytes had been read when it was noticed; the last of them is the place.
[[noreturn]] void fail_at(std::string_view text, std::size_t read, std::string_view what) {
    const std::string_view before = text.substr(0, std::max<std::size_t>(read, 1) - 1);
    const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
    fail("line {}, column {}: {}", 1 + std::count(before.begin(), before.end(), '\n'), read - line_start, what);
}

/// Builds a Json from the parser's events, level by level.
class Builder final : public nlohmann::json::json_sax_t {
  public:
    Builder(std::string_view text, std::istringstream& stream) : text_(text), stream_(stream) {}
    Json take() { return std::move(whole_); }

    bool null() override { return put({nullptr}); }
    bool boolean(bool value) override { return put({value}); }
    bool number_integer(number_integer_t value) override {
        return put({value == 0 ? -0.0 : static_cast<double>(value)});  // those with a minus sign come here
    }
    bool number_unsigned(number_unsigned_t value) override { return put({static_cast<double>(value)}); }
    bool number_float(number_float_t value, const string_t&) override { return put({value}); }
    bool string(string_t& value) override { return put({std::move(value)}); }
    bool binary(binary_t&) override { return false; }  // there is none in a text
    bool start_object(std::size_t) override { return open({Json::Object{}}); }
    bool start_array(std::size_t) override { return open({Json::Array{}}); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool key(string_t& name) override {
        Level& level = levels_.back();
        if (!level.keys.insert(name).second) fail_here(fmt::format("expected no second \"{}\"", name));
        level.key = std::move(name);
        return true;
    }
    bool parse_error(std::size_t read, const std::string&, const nlohmann::json::exception& error) override {
        // Leaves out the name of the exception, the place, which we report ourselves, and the token, which may be the
        // whole text.
        std::string what = error.what();
        if (const std::size_t at = what.find("syntax error"); at != what.npos) what.erase(0, at);
        what.erase(0, what.starts_with('[') ? what.find("] ") + 2 : 0);
        for (const char* token : {"; last read", " parsing '"}) what.resize(std::min(what.size(), what.find(token)));
        fail_at(text_, read, what);
    }

  private:
    /// An array or object that is not closed yet.
    struct Level {
        Json json;
        std::string key;             ///< of the value that comes next
        std::set<std::string> keys;  ///< all so far
    };

    [[noreturn]] void fail_here(std::string_view what) const {
        const std::streamoff read = stream_.rdbuf()->pubseekoff(0, std::ios::cur, std::ios::in);
        fail_at(text_, static_cast<std::size_t>(read), what);
    }
    bool put(Json json) {
        if (levels_.empty())
            whole_ = std::move(json);
        else if (auto* array = std::get_if<Json::Array>(&levels_.back().json.value))
            array->push_back(std::move(json));
        else
            std::get<Json::Object>(levels_.back().json.value)
                .emplace_back(std::move(levels_.back().key), std::move(json));
        return true;
    }
    bool open(Json json) {
        if (levels_.size() == json_levels) fail_here(fmt::format("expected at most {} levels of nesting", json_levels));
        levels_.push_back({std::move(json), {}, {}});
        return true;
    }
    bool close() {
        Json json = std::move(levels_.back().json);
        levels_.pop_back();
        return put(std::move(json));
    }

    std::string_view text_;
    std::istringstream& stream_;
    Json whole_;
    std::vector<Level> levels_;
};

}  // namespace

const Json* Json::find(std::string_view key) const {
    if (const Object* o = object())
        for (const auto& [name, json] : *o)
            if (name == key) return &json;
    return nullptr;
}

Json parse_json(std::string_view text) {
    // The parser takes a NUL for the end.
    if (const std::size_t nul = text.find('\0'); nul != text.npos) fail_at(text, nul + 1, "expected no NUL");
    std::istringstream stream{std::string(text)};
    Builder builder(text, stream);
    nlohmann::json::sax_parse(stream, &builder);
    return builder.take();
}

std::string json_text(const Json& json) {
    if (const bool* flag = json.flag()) return *flag ? "true" : "false";
    if (const double* number = json.number()) return std::isfinite(*number) ? fmt::format("{:.12g}", *number) : "null";
    if (const std::string* text = json.text()) return json_quoted(*text);
    std::string out;
    const auto next = [&] { return out.empty() ? "" : ", "; };
    if (const Json::Array* array = json.array()) {
        for (const Json& part : *array) out += next() + json_text(part);
        return "[" + out + "]";
    }
    if (const Json::Object* object = json.object()) {
        for (const auto& [name, part] : *object) out += next() + json_quoted(name) + ": " + json_text(part);
        return "{" + out + "}";
    }
    return "null";
}

std::string json_quoted(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            out += {'\\', c};
        else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
            out += fmt::format("\\u{:04x}", static_cast<int>(c));
        else
            out += c;
    }
    return out += '"';
}

}  // namespace outrider
