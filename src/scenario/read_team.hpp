// Reading the sections of a scenario, and its team: entries of robots, and settings of single robots.
#pragma once

#include <algorithm>

#include "base/config.hpp"
#include "scenario/scenario.hpp"

namespace outrider {

/// Reads a table without tables in it. A preset comes first, whatever the order in the file; the other keys change it.
/// Throws Error; `prefix` ("comm.") stands before the keys in messages.
template <class Options>
void read_section(ConfigTable& table, const std::string& prefix, Options& options) {
    if constexpr (requires { options.apply_preset(); })
        if (std::any_of(table.settings.begin(), table.settings.end(),
                        [](const Setting& s) { return s.key == "preset"; })) {
            SettingReader named(table.settings, prefix);
            options.fields(named);
            options.apply_preset();
        }
    SettingReader reader(table.settings, prefix);
    options.fields(reader);
    reader.expect_all_used();
    if (!table.tables.empty())
        fail("{}: [{}{}]: no table is expected here", table.tables[0].second.where, prefix, table.tables[0].first);
    if (!table.arrays.empty())
        fail("{}: [[{}{}]]: no list of tables is expected here", table.arrays[0].second[0].where, prefix,
             table.arrays[0].first);
}

/// The entries of a list of tables, such as [[change]], with where each stands. Throws Error.
template <class Entry>
std::vector<Entry> read_entries(ConfigTable& config, const std::string& name) {
    std::vector<Entry> entries;
    if (std::vector<ConfigTable>* tables = config.array(name))
        for (ConfigTable& table : *tables) {
            Entry entry;
            entry.where = table.where;
            read_section(table, fmt::format("{}[{}].", name, entries.size() + 1), entry);
            entries.push_back(std::move(entry));
        }
    return entries;
}

/// With the units of its ranges checked.
void read_sensor(ConfigTable& table, const std::string& prefix, SensorOptions& options);

/// The section [mresim]; before all other sections, whose defaults it changes.
void read_mresim(ConfigTable& table, Scenario& s);

/// Bases first, then robots; those without an entry get a name and the defaults. Then what [robot.WHO] and [base.WHO]
/// say, which `--set robot.WHO.key=value` makes: WHO is `*` for all, a number from 1, or a name; the more special one
/// holds. Throws Error.
void read_team(ConfigTable& config, Scenario& s, Notes& notes);

}  // namespace outrider
