#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/version.hpp"
#include "outrider/detail/settings.hpp"
#include "outrider/error.hpp"
#include "outrider/strategy.hpp"
#include "robot/registry.hpp"
#include "robot/remote.hpp"
#include "robot/switch_strategy.hpp"

namespace outrider {
namespace {

std::vector<StrategyInfo>& registry() {
    static std::vector<StrategyInfo> all{
        remote_strategy(), switch_strategy()};  // made at first use: strategies register before main, in any order
    return all;
}

/// What a shared library that is being loaded registers.
struct Loading {
    std::string library, wrong;
    std::vector<std::string> names;
};
Loading* loading = nullptr;

/// The options in the brackets of name(option=value, ...).
std::vector<Setting> settings_in(const std::string& text, const std::string& where) {
    const std::size_t open = text.find('(');
    if (open == std::string::npos) return {};
    if (text.back() != ')') fail("{}: expected name(option=value, ...), got '{}'", where, text);
    std::string inner = text.substr(open + 1, text.size() - open - 2);
    // python(module:Class, alpha=3): the class is an option without a name.
    if (const std::size_t end = std::min(inner.find(','), inner.size());
        strategy_name(text) == "python" && inner.substr(0, end).find('=') == std::string::npos)
        inner = "class='" + inner.substr(0, end) + "'" + inner.substr(end);
    return parse_settings(inner, where);
}

}  // namespace

std::string strategy_option(const std::string& text, std::string_view key, const std::string& where) {
    for (const Setting& s : settings_in(text, where))
        if (const auto* value = std::get_if<std::string>(&s.value); value && s.key == key) return *value;
    return {};
}

bool detail::register_strategy(StrategyInfo info) {
    auto& all = registry();
    const auto at = std::lower_bound(all.begin(), all.end(), info.name,
                                     [](const StrategyInfo& a, const std::string& name) { return a.name < name; });
    const bool taken = at != all.end() && at->name == info.name;
    if (loading) {
        if (taken) {
            loading->wrong = fmt::format("there is a strategy '{}' already", info.name);
            return false;
        }
        info.plugin = loading->library;
        loading->names.push_back(info.name);
    } else if (taken) {
        std::fprintf(stderr, "outrider: two strategies are called '%s'\n", info.name.c_str());
        std::abort();
    }
    all.insert(at, std::move(info));
    return true;
}

std::unique_ptr<Strategy> copy_strategy(const Strategy& strategy) {
    if (const auto* own = dynamic_cast<const CopiesItself*>(&strategy)) return own->copy();
    const StrategyInfo* of = nullptr;
    for (const StrategyInfo& info : registry()) {
        if (!info.type || *info.type != typeid(strategy)) continue;
        if (of) throw CannotCopy();  // types of two libraries that have one name
        of = &info;
    }
    if (!of || !of->copy) throw CannotCopy();
    return of->copy(strategy);
}

const std::vector<StrategyInfo>& strategies() { return registry(); }

const StrategyInfo& find_strategy(const std::string& name, const std::string& where) {
    std::vector<std::string> names;
    for (const StrategyInfo& info : registry()) {
        if (info.name == name) return info;
        names.push_back(info.name);
    }
    const std::string near = nearest_name(name, names);
    fail("{}: unknown strategy '{}'{}", where, name,
         near.empty()
             ? "; 'outrider strategies' lists them. If it is one of your own, say in which folder its library is: "
               "OUTRIDER_STRATEGIES=FOLDER outrider ..."
             : fmt::format("; did you mean '{}'?", near));
}

std::vector<std::string> load_strategies(const std::string& library) {
    namespace fs = std::filesystem;
    std::error_code error;
    const std::string path = fs::canonical(library, error).string();
    if (error || !fs::is_regular_file(path)) fail("{}: there is no such file", library);
    std::vector<std::string> there;
    for (const StrategyInfo& info : registry())
        if (info.plugin == path) there.push_back(info.name);
    if (!there.empty()) return there;

    // Before its code runs: another layout of the classes would break more than this strategy.
    std::ostringstream content;
    content << std::ifstream(path, std::ios::binary).rdbuf();
    const std::string mark = "outrider-api ";
    const std::string bytes = content.str();
    const std::size_t at = bytes.find(mark);
    if (at == std::string::npos)
        fail("{}: no strategies of Outrider are in it; outrider build-strategy FILE.cpp makes such a library", library);
    if (bytes.compare(at + mark.size(), api_fingerprint().size(), api_fingerprint()) != 0)
        fail("{}: built with the headers of another version of Outrider; build it again", library);

    Loading now{path, {}, {}};
    loading = &now;
    void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    loading = nullptr;
    if (!handle) now.wrong = dlerror();
    if (now.wrong.empty() && now.names.empty()) now.wrong = "it registers no strategy (OUTRIDER_STRATEGY)";
    if (now.wrong.empty()) return now.names;
    std::erase_if(registry(), [&](const StrategyInfo& info) { return info.plugin == path; });
    fail("{}: {}", library, now.wrong);
}

std::string strategy_name(const std::string& text) {
    std::string name = text.substr(0, text.find('('));
    while (!name.empty() && name.back() == ' ') name.pop_back();
    return name;
}

std::unique_ptr<Strategy> make_strategy(const std::string& text, const std::string& where) {
    const StrategyInfo& info = find_strategy(strategy_name(text), where);
    std::vector<Setting> settings = settings_in(text, where);
    return info.make(settings, info.name + ".");
}

std::string program_of(const std::string& text, const std::string& where) {
    const std::string name = strategy_name(text);
    if (name == "python") {
        const std::string model = model_of(text, where);
        return "python " + python_class_of(text, where) + (model.empty() ? "" : " " + model);
    }
    return name == "external" ? strategy_option(text, "cmd", where) : "";
}

std::string python_class_of(const std::string& text, const std::string& where) {
    return strategy_name(text) == "python" ? strategy_option(text, "class", where) : "";
}

std::string model_of(const std::string& text, const std::string& where) {
    const std::string name = strategy_name(text);
    return name == "mlp"      ? strategy_option(text, "weights", where)
           : name == "tour"   ? strategy_option(text, "plan", where)
           : name == "python" ? strategy_option(text, "model", where)
                              : "";
}

std::unique_ptr<Strategy> make_strategy(const std::string& text, const std::string& where, double cell_m) {
    std::unique_ptr<Strategy> strategy = make_strategy(text, where);
    strategy->expect_fits(cell_m, where);
    return strategy;
}

}  // namespace outrider
