// Which programs may be started. A log, plan, scenario or results file can name a program (strategy `external`); it may
// come from anywhere. So nothing starts unless the user typed the command, allowed all of them for this call
// (--allow-external), or once allowed it in this folder (outrider allow): outrider/programs of the configuration folder
// keeps what that command was then.
#pragma once

#include <string>

#include "outrider/error.hpp"

namespace outrider {

/// This command was typed by the user.
void allow_program(const std::string& command);
/// --allow-external: whatever a file names.
void allow_all_programs();
/// A file names a program that may not be started.
struct ProgramRefused : Error {
    using Error::Error;
};
/// What a command is here and now: its text, the folder, and all files that it names, with their absolute paths and
/// what stands in them; of "python module:Class", the module. Another file of the same name is another program.
std::string program_fingerprint(const std::string& command);
/// Keeps that in the user's list, for good; the list's path. Throws Error.
std::string remember_program(const std::string& command);
/// Throws ProgramRefused that says what would have been started, where that is named, and how to allow it.
void expect_allowed(const std::string& command, const std::string& where);

}  // namespace outrider
