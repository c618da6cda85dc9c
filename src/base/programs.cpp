#include "base/programs.hpp"

#include <cstdlib>
#include <fstream>
#include <mutex>
#include <set>

#include "outrider/error.hpp"

namespace outrider {
namespace {

struct Permits {
    std::mutex mutex;  // robots ask in parallel
    bool all = false;
    std::set<std::string> commands;
};

/// $XDG_CONFIG_HOME/outrider/programs, or that in ~/.config; empty without a home.
std::string list_path() {
    if (const char* config = std::getenv("XDG_CONFIG_HOME"); config && *config)
        return std::string(config) + "/outrider/programs";
    if (const char* home = std::getenv("HOME"); home && *home) return std::string(home) + "/.config/outrider/programs";
    return {};
}

/// With the commands of the user's list, a line each.
Permits& permits() {
    static Permits all;
    static std::once_flag listed;
    std::call_once(listed, [] {
        std::ifstream list(list_path());
        for (std::string line; std::getline(list, line);)
            if (!line.empty() && line[0] != '#') all.commands.insert(line);
    });
    return all;
}

}  // namespace

void allow_program(const std::string& command) {
    Permits& p = permits();
    const std::lock_guard lock(p.mutex);
    p.commands.insert(command);
}

void allow_all_programs() {
    Permits& p = permits();
    const std::lock_guard lock(p.mutex);
    p.all = true;
}

void expect_allowed(const std::string& command, const std::string& where) {
    Permits& p = permits();
    const std::lock_guard lock(p.mutex);
    if (p.all || p.commands.contains(command)) return;
    const std::string list = list_path();
    throw ProgramRefused(fmt::format("{} would start the program '{}'; nothing was started. --allow-external lets it{}",
                                     where, command,
                                     list.empty() ? std::string() : fmt::format(", a line in {} always does", list)));
}

}  // namespace outrider
