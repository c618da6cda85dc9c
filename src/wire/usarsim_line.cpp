#include "wire/usarsim_line.hpp"

#include <algorithm>
#include <array>

#include "outrider/error.hpp"

namespace outrider {
namespace {

constexpr std::size_t most_bytes = 1 << 20, most_segments = 4096;

std::string_view trimmed(std::string_view text) {
    const auto begin = text.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

constexpr std::array<std::string_view, 7> of_server{"SEN", "STA", "NFO", "MISSTA", "GEO", "CONF", "RES"};
constexpr std::array<std::string_view, 9> of_controllers{"INIT", "DRIVE",  "GETGEO", "GETCONF", "GETSTARTPOSES",
                                                         "SET",  "MISPKG", "CAMERA", "TRACE"};

bool is_in(std::string_view type, const auto& types) {
    return std::find(types.begin(), types.end(), type) != types.end();
}

}  // namespace

bool same_word(std::string_view a, std::string_view b) {
    return a.size() == b.size() &&
           std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) { return lower(x) == lower(y); });
}

std::optional<std::string_view> UsarsimLine::find(std::string_view key) const {
    for (const Segment& s : segments)
        if (same_word(s.key, key)) return s.value;
    return {};
}

std::string_view UsarsimLine::word(std::string_view key) const {
    const std::string_view value = find(key).value_or("");
    return value.substr(0, value.find_first_of(" \t"));
}

UsarsimLine parse_usarsim_line(std::string_view text) {
    if (text.size() > most_bytes) fail("a line of {} bytes; expected {} at most", text.size(), most_bytes);
    UsarsimLine line;
    std::string_view rest = trimmed(text);
    line.type = usarsim_type(rest);
    rest.remove_prefix(line.type.size());
    while (!(rest = trimmed(rest)).empty()) {
        if (rest[0] != '{') fail("expected {{ between segments, found '{}'", rest.substr(0, 20));
        const auto end = rest.find_first_of("{}", 1);
        if (end == std::string_view::npos || rest[end] == '{') fail("a {{ without its }}: '{}'", rest.substr(0, 20));
        const std::string_view inside = trimmed(rest.substr(1, end - 1));
        rest.remove_prefix(end + 1);
        if (line.segments.size() == most_segments) fail("more than {} segments", most_segments);
        const std::string_view key = inside.substr(0, inside.find_first_of(" \t"));
        line.segments.push_back({key, trimmed(inside.substr(key.size()))});
    }
    return line;
}

std::string usarsim_text(std::string_view type,
                         std::initializer_list<std::pair<std::string_view, std::string>> values) {
    std::string line(type);
    for (const auto& [key, value] : values) {
        line.append(" {").append(key).append(" ");
        for (const char c : value) line += c == '{' || c == '}' || static_cast<unsigned char>(c) < ' ' ? ' ' : c;
        line += '}';
    }
    return line + "\r\n";
}

std::string_view usarsim_type(std::string_view line) { return line.substr(0, line.find_first_of(" \t{")); }

bool looks_like_usarsim(std::string_view line) {
    const std::string_view type = usarsim_type(line);
    return is_in(type, of_server) && trimmed(line.substr(type.size())).starts_with('{');
}

bool is_usarsim_type(std::string_view type) { return is_in(type, of_server) || is_in(type, of_controllers); }

}  // namespace outrider
