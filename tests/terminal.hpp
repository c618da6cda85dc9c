// The program as a user starts it on a terminal: under a pseudo-terminal whose screen is kept.
#pragma once

#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "helpers.hpp"

namespace outrider {

/// What was to be seen. The terminal knows line feed, return, tab and ESC[K; of other controls it shows a name.
struct Screen {
    std::vector<std::string> lines{""};  ///< in the end
    std::vector<std::string> passing;    ///< lines that something else took the place of, each as it was then
    std::string strange;                 ///< controls that it does not know, such as "<1b>[2J"

    std::string text() const {
        std::string out;
        for (const std::string& line : lines) out += line + "\n";
        return out;
    }
    bool ever(const std::string& words) const {
        for (const std::string& line : passing)
            if (line.find(words) != std::string::npos) return true;
        return text().find(words) != std::string::npos;
    }
};

inline Screen screen_of(const std::string& bytes) {
    Screen screen;
    std::size_t column = 0;
    bool fresh = false;  // nothing was written since the last return
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        std::string& line = screen.lines.back();
        const char c = bytes[i];
        if (c == '\r') {
            column = 0;
            fresh = true;
        } else if (c == '\n') {
            screen.lines.emplace_back();
            column = 0;
        } else if (bytes.compare(i, 3, "\x1b[K") == 0) {
            if (column == 0 && !line.empty()) screen.passing.push_back(line);
            line.resize(std::min(line.size(), column));
            i += 2;
        } else if (static_cast<unsigned char>(c) < ' ' && c != '\t') {
            screen.strange += fmt::format("<{:02x}>{}", c, bytes.substr(i + 1, 3));
        } else {
            if (fresh && !line.empty()) screen.passing.push_back(line);
            fresh = false;
            line.resize(std::max(line.size(), column + 1), ' ');
            line[column++] = c;
        }
    }
    return screen;
}

struct TerminalResult {
    int code;  ///< -1: ended by a signal
    Screen screen;
};

/// Runs the program with these arguments in a folder, on a terminal of so many columns, until it ends.
inline TerminalResult outrider_on_terminal(const TemporaryFolder& folder, const std::string& arguments,
                                           unsigned short columns = 100) {
    const std::string command = fmt::format("cd '{}' && exec '{}' {}", folder.path(), OUTRIDER_PROGRAM, arguments);
    winsize size{40, columns, 0, 0};
    int terminal = -1;
    const pid_t child = forkpty(&terminal, nullptr, nullptr, &size);
    if (child == 0) {
        execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
        _exit(126);
    }
    REQUIRE(child > 0);
    std::string bytes;
    char block[4096];
    for (ssize_t n = 0; (n = read(terminal, block, sizeof block)) > 0;)
        bytes.append(block, static_cast<std::size_t>(n));
    int status = 0;
    waitpid(child, &status, 0);
    close(terminal);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, screen_of(bytes)};
}

}  // namespace outrider
