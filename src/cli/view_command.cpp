// outrider view: the window is a program of its own, so that this one needs no graphics.
#include <unistd.h>

#include <filesystem>

#include "arguments/view_flags.hpp"
#include "cli/commands.hpp"
#include "outrider/error.hpp"

namespace outrider {

namespace {

int open_window(const HelpPage&, const Arguments& arguments) {
    namespace fs = std::filesystem;
    std::error_code error;
    const fs::path self = fs::read_symlink("/proc/self/exe", error);
    const fs::path program = (error ? fs::path("outrider") : self).parent_path() / "outrider-view";
    if (!fs::exists(program, error))
        fail(
            "the window is not built: there is no {}; it needs SDL2 and Dear ImGui (Debian: libsdl2-dev, libimgui-dev, "
            "libgl-dev), then configure and build again. Without it: outrider replay LOG --png DIR, outrider why LOG",
            program.string());
    std::vector<std::string> words{program.string()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    execv(program.c_str(), argv.data());
    fail("{}: cannot be started", program.string());
}

}  // namespace

Subcommand view_command() {
    const auto flags = [] {
        ViewFlags values;
        return infos_of(flags_of(values));
    };
    return {view_page(), "the window: watch a run live, or replay a log", flags, open_window, nullptr, true};
}

}  // namespace outrider
