#include "outrider/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "outrider/detail/settings.hpp"
#include "outrider/error.hpp"

namespace outrider {
namespace {

std::string shown(const Setting& s) {
    return std::visit(
        [](const auto& v) -> std::string {
            using T = std::decay_t<decltype(v)>;
            constexpr std::size_t most_shown = 200;
            if constexpr (std::is_same_v<T, std::string>)
                return fmt::format("\"{}\"", v.size() > most_shown ? v.substr(0, most_shown) + "..." : v);
            else if constexpr (std::is_same_v<T, bool>)
                return v ? "true" : "false";
            else if constexpr (std::is_same_v<T, double>)
                return to_text(v);
            else
                return fmt::format("{}", v);
        },
        s.value);
}

template <class T>
std::string range_text(T low, T high) {
    constexpr T lowest = std::numeric_limits<T>::lowest(), highest = std::numeric_limits<T>::max();
    if (low == lowest && high == highest) return "";
    if (high == highest) return fmt::format("{} or more", low);
    if (low == lowest) return fmt::format("at most {}", high);
    return fmt::format("{} to {}", low, high);
}

/// Numbers nearer to 0 than this, which would be divided by, mean nothing in any unit.
constexpr double least_number = 1e-9;

std::string with_range(std::string_view what, const std::string& range) {
    return range.empty() ? std::string(what) : fmt::format("{}, {}", what, range);
}

std::string_view unit_of(std::string_view name) {
    constexpr std::pair<std::string_view, std::string_view> units[] = {
        {"_mps", "m/s"},     {"_dbm", "dBm"},    {"_db", "dB"},   {"_deg_s", "deg/s"},
        {"_deg", "deg"},     {"_m", "m"},        {"_s", "s"},     {"_cells", "cells"},
        {"_steps", "steps"}, {"_rate", "share"}, {"_bytes", "B"}, {"_share", "share"}};
    for (const auto& [suffix, unit] : units)
        if (name.ends_with(suffix)) return unit;
    return "";
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j < row.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0]++;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t change = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, change});
        }
    }
    return row[b.size()];
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
    return text;
}

/// What toml_quoted() put there, without its quotes; other backslashes stay.
std::string unescaped(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char next = text[i] == '\\' && i + 1 < text.size() ? text[i + 1] : '\0';
        unsigned code = 0;
        if (next == '"' || next == '\\') {
            out += next;
            ++i;
        } else if (next == 'u' && i + 6 <= text.size() &&
                   std::from_chars(&text[i] + 2, &text[i] + 6, code, 16).ptr == &text[i] + 6 && code < 0x80) {
            out += static_cast<char>(code);
            i += 5;
        } else {
            out += text[i];
        }
    }
    return out;
}

Setting parse_setting(std::string_view text, const std::string& where) {
    const std::size_t equals = text.find('=');
    const std::string_view key = trimmed(text.substr(0, std::min(equals, text.size())));
    if (equals == std::string_view::npos || key.empty() || key.find_first_of("\"'") != std::string_view::npos)
        fail("{}: expected key=value, got '{}'", where, text);
    Setting s{std::string(key), std::string(), where};
    std::string_view value = trimmed(text.substr(equals + 1));
    const char* end = value.data() + value.size();
    std::int64_t whole;
    double real;
    if (value == "true" || value == "false")
        s.value = value == "true";
    else if (auto [p, e] = std::from_chars(value.data(), end, whole); e == std::errc() && p == end)
        s.value = whole;
    else if (auto [q, f] = std::from_chars(value.data(), end, real); f == std::errc() && q == end)
        s.value = real;
    else {
        const bool quoted =
            value.size() >= 2 && value.front() == value.back() && (value.front() == '"' || value.front() == '\'');
        const std::string_view inner = quoted ? value.substr(1, value.size() - 2) : value;
        s.value = quoted && value.front() == '"' ? unescaped(inner) : std::string(inner);
    }
    return s;
}

}  // namespace

Setting* SettingReader::find(std::string_view name) {
    known_.emplace_back(name);
    for (Setting& s : settings_)
        if (s.key == name) {
            s.used = true;
            return &s;
        }
    return nullptr;
}

void SettingReader::refuse(const Setting& s, const std::string& expected) const {
    fail("{}: {}{} = {}: expected {}", s.where, prefix_, s.key, shown(s), expected);
}

void SettingReader::number(std::string_view name, double& value, double low, double high, std::string_view) {
    const Setting* s = find(name);
    if (!s) return;
    double given;
    if (const auto* d = std::get_if<double>(&s->value))
        given = *d;
    else if (const auto* i = std::get_if<std::int64_t>(&s->value))
        given = static_cast<double>(*i);
    else
        refuse(*s, with_range("a number", range_text(low, high)));
    if (!(given >= low && given <= high) || !std::isfinite(given))
        refuse(*s, with_range("a number", range_text(low, high)));
    if (given != 0 && std::abs(given) < least_number)
        refuse(*s, fmt::format("{}{} in size at least {}", with_range("a number", range_text(low, high)),
                               low <= 0 && high >= 0 ? ": 0, or" : ",", least_number));
    value = given;
}

void SettingReader::integer(std::string_view name, std::int64_t& value, std::int64_t low, std::int64_t high,
                            std::string_view) {
    const Setting* s = find(name);
    if (!s) return;
    const auto* given = std::get_if<std::int64_t>(&s->value);
    if (!given || *given < low || *given > high) refuse(*s, with_range("a whole number", range_text(low, high)));
    value = *given;
}

void SettingReader::flag(std::string_view name, bool& value, std::string_view) {
    const Setting* s = find(name);
    if (!s) return;
    const bool* given = std::get_if<bool>(&s->value);
    if (!given) refuse(*s, "true or false");
    value = *given;
}

void SettingReader::text(std::string_view name, std::string& value, std::string_view) {
    const Setting* s = find(name);
    if (!s) return;
    const auto* given = std::get_if<std::string>(&s->value);
    if (!given) refuse(*s, "a text in quotes");
    value = *given;
}

void SettingReader::choice(std::string_view name, std::size_t& index, std::span<const std::string_view> choices,
                           std::string_view) {
    const Setting* s = find(name);
    if (!s) return;
    if (const auto* given = std::get_if<std::string>(&s->value))
        for (std::size_t i = 0; i < choices.size(); ++i)
            if (choices[i] == *given) {
                index = i;
                return;
            }
    refuse(*s, fmt::format("one of {}", fmt::join(choices, ", ")));
}

void SettingReader::expect_all_used() const {
    for (const Setting& s : settings_) {
        if (s.used) continue;
        if (std::find(known_.begin(), known_.end(), s.key) != known_.end()) {
            const bool twice = std::any_of(settings_.begin(), settings_.end(),
                                           [&](const Setting& other) { return other.used && other.key == s.key; });
            fail("{}: {}{} {}", s.where, prefix_, s.key,
                 twice ? "is given twice" : "= " + shown(s) + ": expected a table such as { name = value }");
        }
        const std::string near = nearest_name(s.key, known_);
        fail("{}: unknown option '{}{}'{}", s.where, prefix_, s.key,
             !near.empty()    ? fmt::format("; did you mean '{}{}'?", prefix_, near)
             : known_.empty() ? "; there are no options here"
                              : fmt::format("; known here: {}", fmt::join(known_, ", ")));
    }
}

void FieldLister::number(std::string_view name, double& value, double low, double high, std::string_view meaning) {
    fields.push_back({std::string(name), "number", to_text(value), range_text(low, high), std::string(unit_of(name)),
                      std::string(meaning)});
}
void FieldLister::integer(std::string_view name, std::int64_t& value, std::int64_t low, std::int64_t high,
                          std::string_view meaning) {
    const bool to_int_max = high == std::numeric_limits<int>::max();
    fields.push_back({std::string(name), "integer", fmt::format("{}", value),
                      range_text(low, to_int_max ? INT64_MAX : high), std::string(unit_of(name)),
                      std::string(meaning)});
}
void FieldLister::flag(std::string_view name, bool& value, std::string_view meaning) {
    fields.push_back({std::string(name), "flag", value ? "true" : "false", "", "", std::string(meaning)});
}
void FieldLister::text(std::string_view name, std::string& value, std::string_view meaning) {
    fields.push_back({std::string(name), "text", toml_quoted(value), "", "", std::string(meaning)});
}
void FieldLister::choice(std::string_view name, std::size_t& index, std::span<const std::string_view> choices,
                         std::string_view meaning) {
    fields.push_back({std::string(name), "choice", toml_quoted(choices[index]),
                      fmt::format("{}", fmt::join(choices, " | ")), "", std::string(meaning)});
}

std::vector<Setting> parse_settings(std::string_view text, const std::string& where) {
    std::vector<Setting> settings;
    while (!trimmed(text).empty()) {
        char quote = 0;  // a comma inside quotes does not end the setting
        std::size_t end = 0;
        for (; end < text.size() && (quote || text[end] != ','); ++end)
            if (quote == '"' && text[end] == '\\')
                ++end;  // an escaped character does not end the text
            else if (quote ? text[end] == quote : text[end] == '"' || text[end] == '\'')
                quote = quote ? '\0' : text[end];
        end = std::min(end, text.size());
        settings.push_back(parse_setting(trimmed(text.substr(0, end)), where));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return settings;
}

namespace {

/// Whether one of the words of a name, between dots and underscores, begins with this: "greedy" in mresim_greedy.
bool has_part(std::string_view name, std::string_view part) {
    for (std::size_t at = name.find(part); at != std::string_view::npos; at = name.find(part, at + 1))
        if (at > 0 && (name[at - 1] == '_' || name[at - 1] == '.')) return true;
    return false;
}

}  // namespace

std::string nearest_name(std::string_view name, std::span<const std::string> candidates) {
    std::string best;
    std::size_t best_distance = std::max<std::size_t>(2, name.size() / 2) + 1;
    for (const std::string& candidate : candidates) {
        const bool part = name.size() >= 2 && (candidate.starts_with(name) || has_part(candidate, name));
        if (const std::size_t d = part ? 1 : edit_distance(name, candidate); d < best_distance) {
            best_distance = d;
            best = candidate;
        }
    }
    return best;
}

std::string to_text(double value) {
    std::string text = fmt::format("{}", value);
    if (text.find_first_of(".en") == std::string::npos) text += ".0";
    return text;
}

std::string toml_quoted(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            (out += '\\') += c;
        else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
            out += fmt::format("\\u{:04X}", static_cast<unsigned char>(c));
        else
            out += c;
    }
    return out + '"';
}

}  // namespace outrider
