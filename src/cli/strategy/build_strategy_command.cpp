// outrider build-strategy
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/ranges.h>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "arguments/arguments.hpp"
#include "base/output.hpp"
#include "cli/commands.hpp"
#include "outrider/error.hpp"
#include "robot/registry.hpp"

namespace outrider {
namespace {

namespace fs = std::filesystem;

struct BuildStrategyFlags {
    std::optional<std::string> source, output;
    void fields(Flags& f) {
        f.positional("source", source);
        f("o,output", output, "FILE.so", "the library; otherwise beside the source, with its name");
    }
};

/// The folders of the headers: installed beside this program, or those of the sources that it was built from.
std::vector<std::string> header_folders() {
    const fs::path here = fs::read_symlink("/proc/self/exe").parent_path();
    std::vector<std::string> out;
    for (const char* header : {"outrider/strategy.hpp", "outrider/detail/api_fingerprint.hpp"}) {
        fs::path found;
        for (const fs::path& folder : {here / "../include", here / "api"})
            if (fs::exists(folder / header)) found = folder.lexically_normal();
        if (found.empty())
            fail("build-strategy: {} is missing: neither in {} nor in {}", header, (here / "../include").string(),
                 (here / "api").string());
        out.push_back(found.string());
    }
    return out;
}

/// Runs a program without a shell; its exit code, 127: there is none.
int run_and_wait(const std::vector<std::string>& words) {
    std::vector<char*> arguments;
    for (const std::string& w : words) arguments.push_back(const_cast<char*>(w.c_str()));
    arguments.push_back(nullptr);
    const pid_t pid = fork();
    if (pid == 0) {
        execvp(arguments[0], arguments.data());
        _exit(127);
    }
    int status = 0;
    if (pid < 0 || waitpid(pid, &status, 0) < 0) throw RunFailure(words[0] + " cannot be started");
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

/// A path that no compiler takes for an option (-x) or for a file of options (@x).
std::string as_file(const fs::path& path) {
    return path.is_relative() ? (fs::path(".") / path).string() : path.string();
}

std::string shell_line(const std::vector<std::string>& words) {
    std::string line;
    for (const std::string& word : words) line += (line.empty() ? "" : " ") + shell_word(word);
    return line;
}

int build_strategy(const BuildStrategyFlags& flags) {
    if (!flags.source) fail("expected outrider build-strategy FILE.cpp");
    const fs::path source(*flags.source);
    if (!fs::is_regular_file(source)) fail("{}: there is no such file", source.string());
    const fs::path library = flags.output ? fs::path(*flags.output) : fs::path(source).replace_extension(".so");
    if (library.extension() != ".so") fail("{}: expected a name that ends in .so", library.string());
    PartialFile partial(library.string());
    const char* compiler = std::getenv("CXX");
    std::vector<std::string> command{compiler && *compiler ? compiler : "c++",
                                     "-std=c++20",
                                     "-O2",
                                     "-fPIC",
                                     "-shared",
                                     "-ffp-contract=off",
                                     "-Wall",
                                     "-Wextra",
                                     "-DFMT_SHARED"};
    for (const std::string& folder : header_folders()) command.push_back("-I" + folder);
    command.insert(command.end(), {as_file(source), "-o", as_file(partial.name())});
    const auto begun = std::chrono::steady_clock::now();
    const int code = run_and_wait(command);
    if (code == 127)
        throw RunFailure(fmt::format("{}: there is no such compiler (Debian: g++); CXX names another", command[0]));
    if (code != 0)
        throw RunFailure(fmt::format("{} does not compile{}; the command was:\n  {}", source.string(),
                                     fs::exists(library) ? "; the library of before stays" : "", shell_line(command)));
    const std::vector<std::string> names = load_strategies(partial.name());
    partial.commit(true);
    print_plain("{}: {} {}, {:.1f} s\nnext: outrider check-strategy {}{}\n", library.string(),
                names.size() == 1 ? "strategy" : "strategies", fmt::join(names, ", "),
                std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count(),
                library.string().find('/') == std::string::npos ? "./" : "", shell_word(library.string()));
    return 0;
}

}  // namespace

Subcommand build_strategy_command() {
    return subcommand<BuildStrategyFlags, build_strategy>(
        {"build-strategy",
         "Compile the source of a strategy to a shared library, which --strategy ./FILE.so takes. Libraries in the "
         "folders that OUTRIDER_STRATEGIES names (a:b) are loaded at every start: then their strategies have names "
         "like any other.\n",
         "[OPTION...] FILE.cpp"},
        "compile a strategy of your own to a library that every command takes");
}

}  // namespace outrider
