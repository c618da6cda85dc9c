// The commands of the program. Each is described once, beside what it does: its name, its help and its flags.
#pragma once

#include <string>
#include <vector>

#include "arguments/flags.hpp"

namespace outrider {

struct Subcommand {
    HelpPage page;
    std::string summary;  ///< in the list of all commands
    std::vector<FlagInfo> (*flags)();
    /// Returns the exit code. Throws Error.
    int (*run)(const HelpPage& page, const Arguments& arguments);
    std::vector<Subcommand> (*parts)() = nullptr;  ///< commands of its own, such as sweep plan
    bool waits = false;  ///< for others, such as people and robots: how long it takes says nothing
};

/// A command that reads its arguments into a struct of flags and does what they say.
template <class Struct, int (*act)(const Struct&)>
Subcommand subcommand(HelpPage page, std::string summary) {
    const auto flags = [] {
        Struct values;
        return infos_of(flags_of(values));
    };
    const auto run = [](const HelpPage& help, const Arguments& arguments) {
        Struct values;
        return parse(help, values, arguments) ? act(values) : 0;
    };
    return {std::move(page), std::move(summary), flags, run};
}

Subcommand run_command();
Subcommand check_command();
Subcommand check_sheet_command();
Subcommand generate_command();
Subcommand plan_command();
Subcommand slam_command();
Subcommand graph_command();
Subcommand convert_command();
Subcommand rerun_command();
Subcommand branch_command();
Subcommand replay_command();
Subcommand why_command();
Subcommand view_command();
Subcommand bound_command();
Subcommand compare_command();
Subcommand sweep_command();
Subcommand sweep_plan_command();
Subcommand report_command();
Subcommand figure_command();
Subcommand submit_command();
Subcommand leaderboard_command();
Subcommand log_command();
Subcommand allow_command();
Subcommand strategies_command();
Subcommand options_command();
Subcommand metrics_command();
Subcommand formats_command();
Subcommand victims_command();
Subcommand robot_command();
Subcommand serve_command();
Subcommand radio_command();
Subcommand new_strategy_command();
Subcommand build_strategy_command();
Subcommand check_strategy_command();

/// In the order of the help page.
std::vector<Subcommand> commands();
/// A command that is one of several parts, such as sweep plan: runs the one that the first argument names, or lists
/// all of them under `about`.
int run_part(const HelpPage& page, const std::string& about, const std::vector<Subcommand>& parts,
             const Arguments& arguments);
/// The flags of a command, or of a part or form of one.
struct CommandFlags {
    std::string command;  ///< "run", "sweep plan"
    std::string summary;
    std::vector<FlagInfo> flags;  ///< positional arguments among them
};
/// Of all commands: what a manual or a shell's completion is made of.
std::vector<CommandFlags> all_flags();
/// For an unknown command, a name that may be meant: "; did you mean 'run'?", or nothing.
std::string did_you_mean(const std::string& name, const std::vector<std::string>& known);

}  // namespace outrider
