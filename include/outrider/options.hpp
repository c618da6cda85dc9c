// Options are listed once: each options struct has
//
//     void fields(Fields& f) { f("range_m", range_m, 0, 100, "reach of the radio"); ... }
//
// and whatever reads, prints, checks or documents options walks that list. The name carries the unit (range_m, fov_deg,
// speed_mps); values stand in the struct as they stand in the file.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

namespace outrider {

/// A visitor of the fields of an options struct.
class Fields {
  public:
    virtual ~Fields() = default;

    void operator()(std::string_view name, double& value, double low, double high, std::string_view meaning) {
        number(name, value, low, high, meaning);
    }
    void operator()(std::string_view name, int& value, int low, int high, std::string_view meaning) {
        std::int64_t wide = value;
        integer(name, wide, low, high, meaning);
        value = static_cast<int>(wide);
    }
    /// A seed; any value that a TOML integer can have and that is not negative.
    void operator()(std::string_view name, std::uint64_t& value, std::string_view meaning) {
        auto wide = static_cast<std::int64_t>(value);
        integer(name, wide, 0, INT64_MAX, meaning);
        value = static_cast<std::uint64_t>(wide);
    }
    void operator()(std::string_view name, bool& value, std::string_view meaning) { flag(name, value, meaning); }
    void operator()(std::string_view name, std::string& value, std::string_view meaning) { text(name, value, meaning); }
    /// An enumeration; `choices` are the names of its enumerators in their order.
    template <class E>
    requires std::is_enum_v<E>
    void operator()(std::string_view name, E& value, std::span<const std::string_view> choices,
                    std::string_view meaning) {
        auto index = static_cast<std::size_t>(value);
        choice(name, index, choices, meaning);
        value = static_cast<E>(index);
    }

  protected:
    virtual void number(std::string_view name, double& value, double low, double high, std::string_view meaning) = 0;
    virtual void integer(std::string_view name, std::int64_t& value, std::int64_t low, std::int64_t high,
                         std::string_view meaning) = 0;
    virtual void flag(std::string_view name, bool& value, std::string_view meaning) = 0;
    virtual void text(std::string_view name, std::string& value, std::string_view meaning) = 0;
    virtual void choice(std::string_view name, std::size_t& index, std::span<const std::string_view> choices,
                        std::string_view meaning) = 0;
};

/// A value that somebody gave for an option, and where ("office.toml:12:9", "--set").
struct Setting {
    std::string key;
    std::variant<double, std::int64_t, bool, std::string> value;
    std::string where;
    bool used = false;
};

/// Reads settings into the fields of a struct by name, with type and range checks. `prefix` ("comm.") only serves the
/// messages. Throws Error; marks what it used.
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

/// The candidate with the smallest edit distance, or that begins with the name; empty when none is similar at all.
std::string nearest_name(std::string_view name, std::span<const std::string> candidates);

/// A double in the shortest form that reads back to the same bits, always with a point or an exponent.
std::string to_text(double value);
/// The text as a quoted TOML string.
std::string toml_quoted(std::string_view text);

}  // namespace outrider
