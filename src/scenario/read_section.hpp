// Reading a table of a scenario into options.
#pragma once

#include <algorithm>

#include "base/config.hpp"
#include "outrider/error.hpp"

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

}  // namespace outrider
