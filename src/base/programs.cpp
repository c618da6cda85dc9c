#include "base/programs.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <set>
#include <sstream>
#include <vector>

#include "base/input.hpp"
#include "base/output.hpp"
#include "outrider/detail/hash.hpp"
#include "outrider/error.hpp"

namespace outrider {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t fingerprint_digits = 32;

struct Permits {
    std::mutex mutex;  // robots ask in parallel
    bool all = false;
    std::set<std::string> commands;      // typed, for this call
    std::set<std::string> fingerprints;  // of the user's list
    std::set<std::string> old_lines;     // of a list of earlier versions, which were commands alone
};

/// $XDG_CONFIG_HOME/outrider/programs, or that in ~/.config; empty without a home.
std::string list_path() {
    if (const char* config = std::getenv("XDG_CONFIG_HOME"); config && *config)
        return std::string(config) + "/outrider/programs";
    if (const char* home = std::getenv("HOME"); home && *home) return std::string(home) + "/.config/outrider/programs";
    return {};
}

std::string hash_of_file(const fs::path& path) {
    Hasher hasher;
    std::ifstream file(path, std::ios::binary);
    std::vector<char> part(1 << 16);
    while (file.read(part.data(), static_cast<std::streamsize>(part.size())) || file.gcount() > 0)
        hasher(std::string_view(part.data(), static_cast<std::size_t>(file.gcount())));
    return hasher.result().hex();
}

/// The words of a command of the shell, as far as they can be names of files.
std::vector<std::string> words_of(const std::string& command) {
    constexpr std::string_view between = " \t\"'`;|&<>()=$";
    std::vector<std::string> out;
    for (std::size_t at = 0; at < command.size();) {
        const std::size_t end = std::min(command.find_first_of(between, at), command.size());
        if (end > at) out.push_back(command.substr(at, end - at));
        at = end + 1;
    }
    return out;
}

/// Where Python looks for a module of one's own: here, and in PYTHONPATH.
std::vector<fs::path> files_of_module(const std::string& module) {
    std::string path = module;
    std::replace(path.begin(), path.end(), '.', '/');
    std::vector<fs::path> out;
    std::istringstream folders(":" + std::string(std::getenv("PYTHONPATH") ? std::getenv("PYTHONPATH") : ""));
    for (std::string folder; std::getline(folders, folder, ':');)
        for (const char* ending : {".py", "/__init__.py"}) out.push_back(fs::path(folder) / (path + ending));
    return out;
}

/// With the lines of the user's list.
Permits& permits() {
    static Permits all;
    static std::once_flag listed;
    std::call_once(listed, [] {
        std::ifstream list(list_path());
        for (std::string line; std::getline(list, line);) {
            if (line.empty() || line[0] == '#') continue;
            const std::string first = line.substr(0, line.find(' '));
            const bool kept =
                first.size() == fingerprint_digits && first.find_first_not_of("0123456789abcdef") == std::string::npos;
            (kept ? all.fingerprints : all.old_lines).insert(kept ? first : line);
        }
    });
    return all;
}

}  // namespace

std::string program_fingerprint(const std::string& command) {
    std::error_code error;
    std::vector<fs::path> files;
    for (const std::string& word : words_of(command)) {
        files.emplace_back(word);
        if (const std::size_t colon = word.find(':'); colon != std::string::npos)
            for (fs::path& file : files_of_module(word.substr(0, colon))) files.push_back(std::move(file));
    }
    Hasher hasher;
    hasher(std::string_view(command))(std::string_view(fs::current_path(error).string()));
    for (const fs::path& file : files) {
        if (!fs::is_regular_file(file, error)) continue;
        hasher(std::string_view(fs::canonical(file, error).string()))(std::string_view(hash_of_file(file)));
    }
    return hasher.result().hex();
}

std::string remember_program(const std::string& command) {
    const std::string path = list_path();
    if (path.empty()) fail("there is no configuration folder: neither XDG_CONFIG_HOME nor HOME is set");
    if (command.empty() || std::any_of(command.begin(), command.end(), [](unsigned char c) { return c < ' '; }))
        fail("'{}': expected the command of a program, on one line", plain_line(command));
    std::string list;
    std::error_code error;
    if (fs::exists(path, error)) list = read_text_file(path, "the list of programs that may start");
    if (!list.empty() && !list.ends_with('\n')) list += '\n';
    OutputFile file(path, true);
    file.write(fmt::format("{}{} {} (in {})\n", list, program_fingerprint(command), command,
                           fs::current_path(error).string()));
    file.commit();
    return path;
}

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
    if (!p.fingerprints.empty() && p.fingerprints.contains(program_fingerprint(command))) return;
    throw ProgramRefused(
        fmt::format("{} would start the program '{}'; nothing was started. --allow-external lets it, outrider allow "
                    "'{}' always does "
                    "in this folder{}",
                    where, command, command,
                    p.old_lines.contains(command)
                        ? fmt::format(" (a line in {} that is a command alone does not count any more)", list_path())
                        : ""));
}

}  // namespace outrider
