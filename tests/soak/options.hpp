// Options at random, out of all that there are: those of a new feature are drawn without a line here.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/config.hpp"
#include "outrider/detail/settings.hpp"
#include "soak/dice.hpp"

namespace outrider::soak {

/// Another value of an option, within its range, as TOML; empty: it is a text, and stays as it is.
std::string other_value(const FieldInfo& option, Dice& dice);

/// Lays each of the lists (TOML) over a scenario, parts of scenarios (glass, people, ...) and other values of options.
/// `fits`: whether a scenario can be made of it; what does not fit is left out.
void add_options(ConfigTable& config, const std::vector<std::string>& lists, Dice& dice,
                 const std::function<bool(const ConfigTable&)>& fits);

}  // namespace outrider::soak
