// Reading the sections of a scenario, and its team: entries of robots, and settings of single robots.
#pragma once

#include "base/config.hpp"
#include "scenario/scenario.hpp"

namespace outrider {

/// With the units of its ranges checked.
void read_sensor(ConfigTable& table, const std::string& prefix, SensorOptions& options);

/// The section [mresim]; before all other sections, whose defaults it changes.
void read_mresim(ConfigTable& table, Scenario& s);

/// Bases first, then robots; those without an entry get a name and the defaults. Then what [robot.WHO] and [base.WHO]
/// say, which `--set robot.WHO.key=value` makes: WHO is `*` for all, a number from 1, or a name; the more special one
/// holds. Throws Error.
void read_team(ConfigTable& config, Scenario& s, Notes& notes);

}  // namespace outrider
