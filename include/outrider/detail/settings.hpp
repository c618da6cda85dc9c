// Reading, listing and checking options: what the library does with the list that Fields walks.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "outrider/options.hpp"

namespace outrider {

/// A value that somebody gave for an option, and where ("office.toml:12:9", "--set").
struct Setting {
    std::string key;
    std::variant<double, std::int64_t, bool, std::string> value;
    std::string where;
    bool used = false;
};

/// Reads settings into the fields of a struct by name, with type and range checks. `prefix` ("comm.") is for error
/// messages only. Throws Error; marks what it used.
class SettingReader final : public Fields {
  public:
    explicit SettingReader(std::vector<Setting>& settings, std::string prefix = {})
        : settings_(settings), prefix_(std::move(prefix)) {}
    /// Throws for the first setting that no field took and names the nearest known key.
    void expect_all_used() const;
    /// Another key that is known here, though this reader does not read it.
    void also_known(std::string_view name) { known_.emplace_back(name); }

  private:
    void number(std::string_view, double&, double, double, std::string_view) override;
    void integer(std::string_view, std::int64_t&, std::int64_t, std::int64_t, std::string_view) override;
    void flag(std::string_view, bool&, std::string_view) override;
    void text(std::string_view, std::string&, std::string_view) override;
    void choice(std::string_view, std::size_t&, std::span<const std::string_view>, std::string_view) override;
    Setting* find(std::string_view name);
    [[noreturn]] void refuse(const Setting& s, const std::string& expected) const;

    std::vector<Setting>& settings_;
    std::string prefix_;
    std::vector<std::string> known_;
};

/// What is known of one option; `value` is written so that reading it gives the same value again.
struct FieldInfo {
    std::string name, type, value, range, unit, meaning;
    bool operator==(const FieldInfo&) const = default;
};

/// Lists the fields of a struct with their present values.
class FieldLister final : public Fields {
  public:
    std::vector<FieldInfo> fields;

  private:
    void number(std::string_view, double&, double, double, std::string_view) override;
    void integer(std::string_view, std::int64_t&, std::int64_t, std::int64_t, std::string_view) override;
    void flag(std::string_view, bool&, std::string_view) override;
    void text(std::string_view, std::string&, std::string_view) override;
    void choice(std::string_view, std::size_t&, std::span<const std::string_view>, std::string_view) override;
};

template <class Options>
std::vector<FieldInfo> list_fields(Options options) {
    FieldLister lister;
    options.fields(lister);
    return std::move(lister.fields);
}

/// "alpha=2, kind=far" into settings; values are read as TOML values, a bare word as a string.
std::vector<Setting> parse_settings(std::string_view text, const std::string& where);

/// The candidate with the smallest edit distance, or one of whose words begins with the name (greedy: mresim_greedy);
/// empty when none is similar at all.
std::string nearest_name(std::string_view name, std::span<const std::string> candidates);

/// A double in the shortest form that reads back to the same bits, always with a point or an exponent.
std::string to_text(double value);
/// The text as a quoted TOML string.
std::string toml_quoted(std::string_view text);

}  // namespace outrider
