#include "base/config.hpp"

#include <toml++/toml.h>
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <optional>

#include "base/config_limits.hpp"
#include "base/input.hpp"
#include "outrider/detail/settings.hpp"
#include "outrider/error.hpp"

namespace outrider {
namespace {

std::string place(const toml::source_region& region, const std::string& file) {
    return fmt::format("{}:{}:{}", file, region.begin.line, region.begin.column);
}

/// A plain value; nothing for a table, a list, a date.
std::optional<Setting> plain(const toml::node& node, const std::string& name, const std::string& where) {
    if (const auto* d = node.as_floating_point()) return Setting{name, d->get(), where};
    if (const auto* i = node.as_integer()) return Setting{name, i->get(), where};
    if (const auto* b = node.as_boolean()) return Setting{name, b->get(), where};
    if (const auto* s = node.as_string()) return Setting{name, s->get(), where};
    return {};
}

ConfigTable convert(const toml::table& table, const std::string& file, Lists lists, int depth = 0) {
    constexpr std::size_t most_keys = 10'000;
    ConfigTable out;
    out.where = place(table.source(), file);
    if (depth > most_nested_tables) fail("{}: tables within each other deeper than {}", out.where, most_nested_tables);
    if (table.size() > most_keys)
        fail("{}: a table of {} names; at most {} are read", out.where, table.size(), most_keys);
    for (const auto& [key, node] : table) {
        const std::string name(key.str());
        const std::string where = place(key.source(), file);
        const auto* array = node.as_array();
        if (const auto* t = node.as_table()) {
            out.tables.push_back({name, convert(*t, file, lists, depth + 1)});
        } else if (array && !array->empty() && array->is_array_of_tables()) {
            std::vector<ConfigTable> items;
            for (const auto& item : *array) items.push_back(convert(*item.as_table(), file, lists, depth + 1));
            out.arrays.emplace_back(name, std::move(items));
        } else if (array && lists == Lists::allow) {
            auto& values = out.lists.emplace_back(name, std::vector<Setting>{}).second;
            for (const auto& item : *array) {
                auto value = plain(item, name, place(item.source(), file));
                if (!value) fail("{}: {} = [...]: expected numbers, true, false or texts in quotes", where, name);
                values.push_back(std::move(*value));
            }
            if (values.empty()) fail("{}: {} = []: expected values", where, name);
        } else if (auto value = plain(node, name, where)) {
            out.settings.push_back(std::move(*value));
        } else {
            fail("{}: {} = ...: expected a single number, true or false, or a text in quotes", where, name);
        }
    }
    return out;
}

/// A name as TOML takes it: in quotes where it holds more than letters, digits, _ and -.
std::string toml_key(const std::string& name) {
    const auto is_bare = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-'; };
    return !name.empty() && std::all_of(name.begin(), name.end(), is_bare) ? name : toml_quoted(name);
}

void append_toml(const ConfigTable& table, const std::string& prefix, std::string& out) {
    for (const Setting& s : table.settings) out += fmt::format("{} = {}\n", toml_key(s.key), to_toml(s));
    for (const auto& [name, inner] : table.tables) {
        out += fmt::format("\n[{}{}]\n", prefix, toml_key(name));
        append_toml(inner, prefix + toml_key(name) + ".", out);
    }
    for (const auto& [name, items] : table.arrays)
        for (const ConfigTable& item : items) {
            out += fmt::format("\n[[{}{}]]\n", prefix, toml_key(name));
            append_toml(item, prefix + toml_key(name) + ".", out);
        }
}

/// `included`: the place of the line that includes the file, with ": include: "; empty for the first file.
ConfigTable load(const std::string& path, int depth, Lists lists, const std::string& included) {
    if (depth > 16) fail("{}{}: includes go round in a circle", included, path);
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) fail("{}{}", included, cannot_be_read(path, "a TOML file"));
    ConfigTable config = parse_config(read_text_file(path, "a TOML file"), path, lists);
    const auto include = std::find_if(config.settings.begin(), config.settings.end(),
                                      [](const Setting& s) { return s.key == "include"; });
    if (include == config.settings.end()) return config;
    const auto* name = std::get_if<std::string>(&include->value);
    if (!name) fail("{}: include: expected the name of a file in quotes", include->where);
    ConfigTable base = load((std::filesystem::path(path).parent_path() / *name).string(), depth + 1, lists,
                            include->where + ": include: ");
    config.settings.erase(include);
    base.where = config.where;  // what is missing is missing in the file that was named
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
    tables.push_back({std::string(name), ConfigTable{where, {}, {}, {}}});
    return tables.back().second;
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
    for (auto& list : over.lists) {
        std::erase_if(lists, [&](const auto& mine) { return mine.first == list.first; });
        lists.push_back(std::move(list));
    }
}

ConfigTable parse_config(std::string_view text, const std::string& name, Lists lists) {
    if (text.find('\0') != std::string_view::npos)
        fail("{}: no TOML file but something binary; a map is given with --map", name);
    expect_modest_toml(text, name);
    try {
        return convert(toml::parse(text, name), name, lists);
    } catch (const toml::parse_error& error) {
        fail("{}: {}", place(error.source(), name), error.description());
    }
}

ConfigTable load_config(const std::string& path, Lists lists) { return load(path, 0, lists, ""); }

std::string to_toml(const Setting& s) {
    return std::visit(
        [](const auto& v) -> std::string {
            using T = std::decay_t<decltype(v)>;
            if constexpr (std::is_same_v<T, std::string>)
                return toml_quoted(v);
            else if constexpr (std::is_same_v<T, double>)
                return to_text(v);
            else
                return fmt::format("{}", v);
        },
        s.value);
}

std::string to_toml(const ConfigTable& table) {
    std::string out;
    append_toml(table, "", out);
    return out;
}

}  // namespace outrider
