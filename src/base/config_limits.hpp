// What a TOML text may cost, found out before it is parsed.
#pragma once

#include <string>
#include <string_view>

namespace outrider {

/// Throws Error where a name has more than most_nested_tables parts ("a.b.c" has three: a table in a table), since
/// parsing would recurse through them, and when its tables and values would take more than memory_budget().
void expect_modest_toml(std::string_view text, const std::string& file);

}  // namespace outrider
