// The axes of a sweep: lists and ranges of values, and what their combinations set.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/config.hpp"
#include "batch/sweep_plan.hpp"
#include "outrider/detail/settings.hpp"

namespace outrider {

using Values = std::vector<Setting>;

/// Dotted keys whose values change together: one key for an axis of a product, several for a zip.
struct Axis {
    std::vector<std::pair<std::string, Values>> keys;
    std::size_t size() const { return keys[0].second.size(); }
};

/// "1..4" is 1 2 3 4, "1..10..3" is 1 4 7 10, "0.2..0.8..0.3" is 0.2 0.5 0.8; nothing when the text is no range.
/// Throws Error for a range that is empty or has more than a million values.
Values expand_range(const Setting& setting);

/// A text without quotes, any other value as TOML.
std::string plain_text(const Setting& setting);

/// Appends all keys of a table with dots and their values, ranges written out.
void flatten(const ConfigTable& table, const std::string& prefix, std::vector<std::pair<std::string, Values>>& out);

/// "strategy" is short for "team.strategy". Throws Error for a text that is not section.key.
std::string full_key(const std::string& key, const std::string& where);

/// Of the tables [axes] and [[zip]] of a sweep file; strategies come first. Throws Error.
std::vector<Axis> axes_of(ConfigTable& config);

/// The settings of a cell of the product of all axes (the last axis changes fastest): a value for each key.
std::vector<Setting> choice(const std::vector<Axis>& axes, std::size_t cell);
/// The cell that these values make. The axis "overlay" names scenario files, from `folder`. Throws Error.
SweepCell cell_of(const std::vector<Setting>& chosen, const std::string& folder);

/// All cells in order.
std::vector<SweepCell> cells_of(const std::vector<Axis>& axes, const std::string& folder);

}  // namespace outrider
