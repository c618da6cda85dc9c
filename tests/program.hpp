// The program as a user starts it, from a shell.
#pragma once

#include <sys/wait.h>

#include <cstdlib>
#include <string>

#include "helpers.hpp"

namespace outrider {

struct ProgramResult {
    int code;  ///< -1: ended by a signal
    std::string out, err;
};

/// Runs a command in a folder; leaves stdout.txt and stderr.txt there.
inline ProgramResult shell_in(const TemporaryFolder& folder, const std::string& command) {
    const int status =
        std::system(fmt::format("cd '{}' && {{ {} ; }} >stdout.txt 2>stderr.txt", folder.path(), command).c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_text(folder / "stdout.txt"),
            read_text(folder / "stderr.txt")};
}

/// Runs the program with these arguments, as a shell would split them; `before`: variables, limits.
inline ProgramResult outrider_in(const TemporaryFolder& folder, const std::string& arguments,
                                 const std::string& before = "") {
    return shell_in(folder, fmt::format("{} '{}' {}", before, OUTRIDER_PROGRAM, arguments));
}

}  // namespace outrider
