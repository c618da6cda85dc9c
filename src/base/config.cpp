#include "base/config.hpp"

#include <toml++/toml.h>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "outrider/error.hpp"

namespace outrider {
namespace {

std::string place(const toml::source_region& region, const std::string& file) {
    return fmt::format("{}:{}:{}", file, region.begin.line, region.begin.column);
}

ConfigTable convert(const toml::table& table, const std::string& file) {
    ConfigTable out;
    out.where = place(table.source(), file);
    for (const auto& [key, node] : table) {
        const std::string name(key.str());
        const std::string where = place(key.source(), file);
        if (const auto* t = node.as_table()) {
            out.tables.emplace_back(name, convert(*t, file));
        } else if (const auto* a = node.as_array(); a && !a->empty() && a->is_array_of_tables()) {
            std::vector<ConfigTable> items;
            for (const auto& item : *a) items.push_back(convert(*item.as_table(), file));
            out.arrays.emplace_back(name, std::move(items));
        } else if (const auto* d = node.as_floating_point()) {
            out.settings.push_back({name, d->get(), where});
        } else if (const auto* i = node.as_integer()) {
            out.settings.push_back({name, i->get(), where});
        } else if (const auto* b = node.as_boolean()) {
            out.settings.push_back({name, b->get(), where});
        } else if (const auto* s = node.as_string()) {
            out.settings.push_back({name, s->get(), where});
        } else {
            fail("{}: {} = ...: expected a single number, true or false, or a text in quotes", where, name);
        }
    }
    return out;
}

ConfigTable load(const std::string& path, int depth) {
    if (depth > 16) fail("{}: includes go round in a circle", path);
    std::ifstream file(path, std::ios::binary);
    std::error_code error;
    if (!file || std::filesystem::is_directory(path, error)) fail("{}: cannot be read; expected a TOML file", path);
    std::ostringstream text;
    text << file.rdbuf();
    ConfigTable config = parse_config(text.str(), path);
    const auto include = std::find_if(config.settings.begin(), config.settings.end(),
                                      [](const Setting& s) { return s.key == "include"; });
    if (include == config.settings.end()) return config;
    const auto* name = std::get_if<std::string>(&include->value);
    if (!name) fail("{}: include: expected the name of a file in quotes", include->where);
    ConfigTable base = load((std::filesystem::path(path).parent_path() / *name).string(), depth + 1);
    config.settings.erase(include);
    base.overlay(std::move(config));
    return base;
}

}  // namespace

ConfigTable* ConfigTable::table(std::string_view name) {
    const auto at = std::find_if(tables.begin(), tables.end(), [&](const auto& t) { return t.first == name; });
    return at == tables.end() ? nullptr : &at->second;
}

ConfigTable& ConfigTable::make_table(std::string_view name) {
    if (ConfigTable* t = table(name)) return *t;
    return tables.emplace_back(std::string(name), ConfigTable{where, {}, {}, {}}).second;
}

std::vector<ConfigTable>* ConfigTable::array(std::string_view name) {
    const auto at = std::find_if(arrays.begin(), arrays.end(), [&](const auto& a) { return a.first == name; });
    return at == arrays.end() ? nullptr : &at->second;
}

void ConfigTable::set(Setting setting) {
    if (const std::size_t dot = setting.key.find('.'); dot != std::string::npos) {
        const std::string name = setting.key.substr(0, dot);
        const bool fresh = !table(name);
        ConfigTable& inner = make_table(name);
        if (fresh) inner.where = setting.where;
        setting.key = setting.key.substr(dot + 1);
        return inner.set(std::move(setting));
    }
    std::erase_if(settings, [&](const Setting& s) { return s.key == setting.key; });
    settings.push_back(std::move(setting));
}

void ConfigTable::overlay(ConfigTable over) {
    for (Setting& s : over.settings) set(std::move(s));
    for (auto& [name, inner] : over.tables) make_table(name).overlay(std::move(inner));
    for (auto& [name, items] : over.arrays) {
        if (auto* mine = array(name))
            *mine = std::move(items);
        else
            arrays.emplace_back(name, std::move(items));
    }
}

ConfigTable parse_config(std::string_view text, const std::string& name) {
    if (text.find('\0') != std::string_view::npos)
        fail("{}: no TOML file but something binary; a map is given with --map", name);
    try {
        return convert(toml::parse(text, name), name);
    } catch (const toml::parse_error& error) {
        fail("{}: {}", place(error.source(), name), error.description());
    }
}

ConfigTable load_config(const std::string& path) { return load(path, 0); }

}  // namespace outrider
