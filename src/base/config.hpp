// TOML files as a tree of settings that remember where they stand.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "outrider/options.hpp"

namespace outrider {

struct ConfigTable {
    std::string where;  ///< "file:line:column" of its header
    std::vector<Setting> settings;
    std::vector<std::pair<std::string, ConfigTable>> tables;               ///< [name]
    std::vector<std::pair<std::string, std::vector<ConfigTable>>> arrays;  ///< [[name]]

    ConfigTable* table(std::string_view name);
    ConfigTable& make_table(std::string_view name);
    std::vector<ConfigTable>* array(std::string_view name);
    /// A top-level or dotted key, over what was there.
    void set(Setting setting);
    /// Lays `over` over this: settings and arrays of `over` replace those of the same name.
    void overlay(ConfigTable over);
};

/// Reads a TOML file. `include = "other.toml"` at its top is read first and laid under it. Throws Error with file, line
/// and column.
ConfigTable load_config(const std::string& path);
ConfigTable parse_config(std::string_view text, const std::string& name);

}  // namespace outrider
