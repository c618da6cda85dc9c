// Arguments that say which scenario to use, for both programs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "arguments/flags.hpp"
#include "log/log_writer.hpp"
#include "outrider/detail/settings.hpp"
#include "scenario/scenario.hpp"

namespace outrider {

struct SensorLog;

struct ScenarioFlags {
    std::optional<std::string> scenario, map, import_mresim, import_positions, import_marmotlab, strategy, base;
    std::optional<int> robots, steps;
    std::optional<std::int64_t> seed;
    std::vector<std::string> set;
    std::vector<Setting> settings;  ///< laid over all of these; from callers that are programs, not a flag
    std::string command = "run";    ///< that messages show
    std::string dashes = "--";      ///< in front of the names in messages; none: arguments of a function
    void fields(Flags& f);
    /// The files that are read.
    std::vector<std::string> inputs() const;
};

/// The scenario that the arguments name. Throws Error.
Scenario scenario_from(const ScenarioFlags& flags, Notes& notes);
/// The switch --allow-external.
void allow_external(Flags& f);
/// A strategy that the user typed may start its program. Throws Error.
void allow_typed(const std::string& strategy, const std::string& where);
/// The settings of --set; each text holds one or several. Throws Error.
std::vector<Setting> settings_of(const std::vector<std::string>& set);

/// --range M: the reading of the scanners when they see nothing, where the log does not show it. Throws Error.
void set_range(const std::optional<std::string>& range, SensorLog& log);

}  // namespace outrider
