#include "arguments/own_strategies.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <vector>

#include "base/output.hpp"
#include "outrider/error.hpp"
#include "robot/registry.hpp"

namespace outrider {

namespace fs = std::filesystem;

std::string typed_strategy(const std::string& text, const std::string& where) {
    const std::string file = strategy_name(text);
    if (!file.ends_with(".so")) return text;
    std::vector<std::string> names;
    try {
        names = load_strategies(file);
    } catch (const Error& error) {
        fail("{}: {}", where, error.what());
    }
    std::string name = names[0];
    if (names.size() > 1) {
        name = fs::path(file).stem().string();
        if (std::find(names.begin(), names.end(), name) == names.end())
            fail(
                "{}: {} holds {} strategies, none of which is called as the file is; put it into a folder of "
                "OUTRIDER_STRATEGIES and use their names",
                where, file, names.size());
    }
    return name + text.substr(std::min(text.size(), text.find('(')));
}

void load_own_strategies() {
    const char* variable = std::getenv("OUTRIDER_STRATEGIES");
    std::istringstream folders(variable ? variable : "");
    for (std::string folder; std::getline(folders, folder, ':');) {
        if (folder.empty()) continue;
        std::error_code error;
        std::vector<std::string> libraries;
        for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
            if (it->path().extension() == ".so") libraries.push_back(it->path().string());
        if (error) print_aside("note: OUTRIDER_STRATEGIES: {}: {}\n", folder, error.message());
        std::sort(libraries.begin(), libraries.end());
        for (const std::string& library : libraries) try {
                load_strategies(library);
            } catch (const Error& wrong) {
                print_aside("note: left out: {}\n", wrong.what());
            }
    }
}

}  // namespace outrider
