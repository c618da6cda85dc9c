// TOML files as a tree of settings, each with its place in the file.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "outrider/detail/settings.hpp"
#include "outrider/options.hpp"

namespace outrider {

struct NamedTable;

struct ConfigTable {
    std::string where;  ///< "file:line:column" of its header
    std::vector<Setting> settings;
    std::vector<NamedTable> tables;                                        ///< [name]
    std::vector<std::pair<std::string, std::vector<ConfigTable>>> arrays;  ///< [[name]]
    /// name = [a, b, ...], never empty; only where the reader asked for Lists::allow.
    std::vector<std::pair<std::string, std::vector<Setting>>> lists = {};

    ConfigTable* table(std::string_view name);
    ConfigTable& make_table(std::string_view name);
    std::vector<ConfigTable>* array(std::string_view name);
    /// A top-level or dotted key, over what was there.
    void set(Setting setting);
    /// Lays `over` over this: settings and arrays of `over` replace those of the same name.
    void overlay(ConfigTable over);
};

/// Not a std::pair: that needs a complete ConfigTable where it is named, which clang demands.
struct NamedTable {
    std::string first;
    ConfigTable second;
};

/// Whether a key may have a list of plain values; a scenario has none.
enum class Lists { refuse, allow };

/// Reads a TOML file. `include = "other.toml"` at its top is read first and laid under it. Throws Error with file, line
/// and column; for a file that cannot be included those of the line that asks for it.
ConfigTable load_config(const std::string& path, Lists lists = Lists::refuse);
ConfigTable parse_config(std::string_view text, const std::string& name, Lists lists = Lists::refuse);
/// The table as TOML that reads back to the same settings in the same order of tables. Without lists.
std::string to_toml(const ConfigTable& table);
/// A value as TOML.
std::string to_toml(const Setting& setting);

}  // namespace outrider
