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

}  // namespace outrider
