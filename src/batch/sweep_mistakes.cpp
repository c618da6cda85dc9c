#include "batch/sweep_mistakes.hpp"

#include <map>
#include <set>

#include "outrider/detail/settings.hpp"
#include "outrider/error.hpp"

namespace outrider {

void fail_at(const std::string& where, const std::string& what, const std::string& message) {
    const std::size_t column = where.rfind(':'), line = column == 0 ? 0 : where.rfind(':', column - 1);
    const bool in_file = column != std::string::npos && line != std::string::npos;
    if (message.starts_with(in_file ? where.substr(0, line + 1) : where + ":")) throw Error(message);
    fail("{}: {}: {}", where, what, message);
}

void blame(const std::vector<Setting>& settings, const std::string& what, const std::string& message,
           const std::function<void(const std::vector<Setting>&)>& build) {
    for (std::size_t i = 0; i < settings.size(); ++i) {
        std::vector<Setting> others = settings;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
        try {
            build(others);
        } catch (const Error&) {
            continue;
        }
        fail_at(settings[i].where, fmt::format("{} = {} {}", settings[i].key, to_toml(settings[i]), what), message);
    }
}

void expect_distinct(const std::vector<NamedMap>& maps) {
    std::set<std::string> names;
    std::map<std::string, std::string> contents;
    for (const NamedMap& m : maps) {
        if (!names.insert(m.name).second) fail("{}: the map '{}' is named twice", m.where, m.name);
        const auto [at, fresh] = contents.emplace(m.content, m.name);
        if (!fresh)
            fail("{}: the map '{}' is '{}' under another name; the same runs would count twice", m.where, m.name,
                 at->second);
    }
}

std::string content_of(const SweepMap& map) {
    ConfigTable config = map.config;
    std::erase_if(config.settings, [](const Setting& s) { return s.key == "name"; });
    if (ConfigTable* file = config.table("map"))
        std::erase_if(file->settings, [](const Setting& s) { return s.key == "file"; });
    return Hasher()(map.hash)(to_toml(config)).result().hex();
}

void expect_distinct(const std::vector<std::string>& texts, const std::string& where, const std::string& what) {
    std::set<std::string> seen;
    for (const std::string& text : texts)
        if (!seen.insert(text).second) fail("{}: {} '{}' is named twice", where, what, text);
}

}  // namespace outrider
