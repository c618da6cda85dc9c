#include "base/json.hpp"

#include <charconv>
#include <cmath>

#include "outrider/error.hpp"

namespace outrider {
namespace {

class Parser {
  public:
    explicit Parser(std::string_view text) : text_(text) {}

    Json whole() {
        Json json = value(0);
        space();
        if (at_ != text_.size()) expected("the end of the line");
        return json;
    }

  private:
    [[noreturn]] void expected(const char* what) const { fail("column {}: expected {}", at_ + 1, what); }
    void space() {
        while (at_ < text_.size() &&
               (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r'))
            ++at_;
    }
    bool take(char c) {
        space();
        if (at_ == text_.size() || text_[at_] != c) return false;
        ++at_;
        return true;
    }
    bool take(std::string_view word) {
        if (text_.substr(at_, word.size()) != word) return false;
        at_ += word.size();
        return true;
    }

    Json value(int depth) {
        if (depth > 64) expected("less nesting");
        space();
        if (take('{')) return object(depth);
        if (take('[')) return array(depth);
        if (at_ < text_.size() && text_[at_] == '"') return {string()};
        if (take("true")) return {true};
        if (take("false")) return {false};
        if (take("null")) return {nullptr};
        return {number()};
    }
    Json object(int depth) {
        Json::Object out;
        if (take('}')) return {std::move(out)};
        do {
            space();
            std::string key = string();
            if (!take(':')) expected("':'");
            out.emplace_back(std::move(key), value(depth + 1));
        } while (take(','));
        if (!take('}')) expected("',' or '}'");
        return {std::move(out)};
    }
    Json array(int depth) {
        Json::Array out;
        if (take(']')) return {std::move(out)};
        do out.push_back(value(depth + 1));
        while (take(','));
        if (!take(']')) expected("',' or ']'");
        return {std::move(out)};
    }
    double number() {
        double out = 0;
        const char *first = text_.data() + at_, *last = text_.data() + text_.size();
        const auto [end, error] = std::from_chars(first, last, out);
        if (error != std::errc{} || !std::isfinite(out)) expected("a value");
        at_ += static_cast<std::size_t>(end - first);
        return out;
    }
    std::string string() {
        if (!take('"')) expected("a text in quotes");
        std::string out;
        while (at_ < text_.size() && text_[at_] != '"') {
            char c = text_[at_++];
            if (static_cast<unsigned char>(c) < 0x20) expected("no control character");
            if (c == '\\') c = escaped(out);
            if (c) out += c;
        }
        if (!take('"')) expected("'\"'");
        return out;
    }
    /// The character behind a backslash; one beyond ASCII is appended as UTF-8, and 0 returned.
    char escaped(std::string& out) {
        static constexpr std::string_view names = "\"\\/bfnrt", characters = "\"\\/\b\f\n\r\t";
        if (at_ == text_.size()) expected("a character");
        const char c = text_[at_++];
        if (const std::size_t i = names.find(c); i != names.npos) return characters[i];
        unsigned code = 0;
        const char* first = text_.data() + at_;
        if (c != 'u' || at_ + 4 > text_.size() || std::from_chars(first, first + 4, code, 16).ptr != first + 4)
            expected("an escaped character");
        at_ += 4;
        if (code < 0x80) {
            out += static_cast<char>(code);
        } else if (code < 0x800) {
            out += static_cast<char>(0xc0 | code >> 6);
            out += static_cast<char>(0x80 | (code & 0x3f));
        } else {
            out += static_cast<char>(0xe0 | code >> 12);
            out += static_cast<char>(0x80 | (code >> 6 & 0x3f));
            out += static_cast<char>(0x80 | (code & 0x3f));
        }
        return 0;
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

}  // namespace

const Json* Json::find(std::string_view key) const {
    if (const Object* o = object())
        for (const auto& [name, json] : *o)
            if (name == key) return &json;
    return nullptr;
}

Json parse_json(std::string_view text) { return Parser(text).whole(); }

std::string json_quoted(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            out += {'\\', c};
        else if (static_cast<unsigned char>(c) < 0x20)
            out += fmt::format("\\u{:04x}", static_cast<int>(c));
        else
            out += c;
    }
    return out += '"';
}

}  // namespace outrider
