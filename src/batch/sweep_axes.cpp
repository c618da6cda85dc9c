#include "batch/sweep_axes.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <set>

#include <fmt/ranges.h>

#include "batch/sweep_mistakes.hpp"
#include "outrider/detail/settings.hpp"
#include "outrider/error.hpp"

namespace outrider {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view overlay_key = "overlay";

/// Line and column of "file:line:column".
std::pair<int, int> position(const std::string& where) {
    const std::size_t colon = where.rfind(':'), before = where.rfind(':', colon - 1);
    if (colon == std::string::npos || before == std::string::npos) return {0, 0};
    return {std::atoi(where.c_str() + before + 1), std::atoi(where.c_str() + colon + 1)};
}

/// A key that is equal for equal values: 1 and 1.0 are the same.
std::string identity(const Setting& s) {
    const auto* whole = std::get_if<std::int64_t>(&s.value);
    return whole ? to_text(static_cast<double>(*whole)) : to_toml(s);
}

/// Two cells of the same values would be the same runs, counted twice.
void expect_distinct_values(const Axis& axis) {
    std::set<std::vector<std::string>> seen;
    for (std::size_t i = 0; i < axis.size(); ++i) {
        std::vector<std::string> values, texts;
        for (const auto& [key, list] : axis.keys) {
            values.push_back(identity(list[i]));
            texts.push_back(fmt::format("{} = {}", key, to_toml(list[i])));
        }
        if (!seen.insert(std::move(values)).second)
            fail("{}: {} is named twice", axis.keys[0].second[i].where, fmt::join(texts, ", "));
    }
}

}  // namespace

std::string plain_text(const Setting& s) {
    const auto* text = std::get_if<std::string>(&s.value);
    return text ? *text : to_toml(s);
}

std::vector<Setting> expand_range(const Setting& setting) {
    const auto* text = std::get_if<std::string>(&setting.value);
    if (!text) return {};
    std::array<double, 3> parts{0, 0, 1};
    std::size_t count = 0;
    const char *at = text->data(), *const end = at + text->size();
    for (;; at += 2) {
        // from_chars would take "1." of "1..4" for a number
        const char* stop = at;
        while (stop < end && !(stop + 1 < end && stop[0] == '.' && stop[1] == '.')) ++stop;
        if (count == 3) return {};
        const auto [read, error] = std::from_chars(at, stop, parts[count++]);
        if (error != std::errc{} || read != stop) return {};
        if ((at = stop) == end) break;
    }
    if (count < 2) return {};
    const bool whole = std::all_of(parts.begin(), parts.end(), [](double v) { return v == std::floor(v); }) &&
                       text->find("..") == text->find('.');
    const double steps = (parts[1] - parts[0]) / parts[2];
    if (!(parts[2] > 0) || !(steps >= 0) || steps > 1e6)
        fail("{}: {} = \"{}\": expected first..last or first..last..step, at most a million values", setting.where,
             setting.key, *text);
    std::vector<Setting> out;
    for (int i = 0; i <= std::floor(steps + 1e-9); ++i) {
        Setting s = setting;
        if (whole)
            s.value = static_cast<std::int64_t>(parts[0] + i * parts[2]);
        else  // a decimal fraction, without accumulated rounding errors
            s.value = std::stod(fmt::format("{:.12g}", parts[0] + i * parts[2]));
        out.push_back(std::move(s));
    }
    return out;
}

void flatten(const ConfigTable& table, const std::string& prefix, std::vector<std::pair<std::string, Values>>& out) {
    for (const Setting& s : table.settings) {
        Values values = expand_range(s);
        out.emplace_back(prefix + s.key, values.empty() ? Values{s} : std::move(values));
    }
    for (const auto& [name, list] : table.lists) {
        Values values;
        for (const Setting& s : list) {
            Values range = expand_range(s);
            if (range.empty()) range = {s};
            values.insert(values.end(), range.begin(), range.end());
        }
        out.emplace_back(prefix + name, std::move(values));
    }
    for (const auto& [name, inner] : table.tables) flatten(inner, prefix + name + ".", out);
    for (const auto& [name, items] : table.arrays)
        fail("{}: '{}{}': expected values, not tables", items[0].where, prefix, name);
}

std::string full_key(const std::string& key, const std::string& where) {
    if (key == "strategy") return "team.strategy";
    if (key == "run.seed")  // it would be overwritten, and its values be the same runs
        fail(
            "{}: run.seed: every run has a seed of its own, drawn from seed, its map, start and repetition; say seed, "
            "seeds or repetitions at the top of the file",
            where);
    if (key != overlay_key && key.find('.') == std::string::npos)
        fail("{}: '{}': expected section.key such as comm.range_m, or strategy, or overlay", where, key);
    return key;
}

std::vector<Axis> axes_of(ConfigTable& config) {
    std::vector<Axis> axes;
    const auto read = [&](const ConfigTable& table, bool zip) {
        std::vector<std::pair<std::string, Values>> keys;
        flatten(table, "", keys);
        std::stable_sort(keys.begin(), keys.end(), [](const auto& a, const auto& b) {
            return position(a.second[0].where) < position(b.second[0].where);
        });
        Axis together;
        for (auto& [key, values] : keys) {
            const std::string where = values[0].where;
            key = full_key(key, where);
            if (zip)
                together.keys.emplace_back(key, std::move(values));
            else
                axes.push_back({{{key, std::move(values)}}});
        }
        if (together.keys.empty()) return;
        for (const auto& [key, values] : together.keys)
            if (values.size() != together.size())
                fail("{}: {} has {} values and {} has {}; a zip takes them together, one of each", values[0].where, key,
                     values.size(), together.keys[0].first, together.size());
        axes.push_back(std::move(together));
    };
    if (const ConfigTable* table = config.table("axes")) read(*table, false);
    if (const auto* zips = config.array("zip"))
        for (const ConfigTable& zip : *zips) read(zip, true);
    std::set<std::string> seen;
    for (const Axis& axis : axes)
        for (const auto& [key, values] : axis.keys)
            if (!seen.insert(key).second) fail("{}: {} is an axis twice", values[0].where, key);
    for (const Axis& axis : axes) expect_distinct_values(axis);
    // Strategies first: they are what most sweeps are about.
    std::stable_partition(axes.begin(), axes.end(), [](const Axis& a) { return a.keys[0].first == "team.strategy"; });
    return axes;
}

std::vector<Setting> choice(const std::vector<Axis>& axes, std::size_t cell) {
    std::vector<Setting> chosen;
    std::size_t block = 1;
    for (const Axis& axis : axes) block *= axis.size();
    for (const Axis& axis : axes) {
        block /= axis.size();
        for (const auto& [key, values] : axis.keys) {
            chosen.push_back(values[cell / block]);
            chosen.back().key = key;
        }
        cell %= block;
    }
    return chosen;
}

SweepCell cell_of(const std::vector<Setting>& chosen, const std::string& folder) {
    SweepCell cell;
    for (const Setting& s : chosen) {
        cell.values.push_back(to_toml(s));
        const std::string text = plain_text(s);
        cell.label += (cell.label.empty() ? "" : ", ") +
                      (s.key == "team.strategy" || s.key == overlay_key ? text : s.key + " = " + text);
        if (s.key != overlay_key) continue;
        try {
            cell.config.overlay(load_config((fs::path(folder) / text).string()));
        } catch (const Error& error) {
            fail_at(s.where, fmt::format("{} = {}", s.key, to_toml(s)), error.what());
        }
    }
    for (const Setting& s : chosen)
        if (s.key != overlay_key) cell.config.set(s);
    if (cell.label.empty()) cell.label = "as is";
    return cell;
}

std::vector<SweepCell> cells_of(const std::vector<Axis>& axes, const std::string& folder) {
    std::size_t count = 1;
    for (const Axis& axis : axes) {
        count *= axis.size();
        if (count > 100'000) fail("{}: the axes make more than 100000 cells", axis.keys[0].second[0].where);
    }
    std::vector<SweepCell> cells;
    for (std::size_t i = 0; i < count; ++i) cells.push_back(cell_of(choice(axes, i), folder));
    return cells;
}

}  // namespace outrider
