// Every strategy for five steps, with random options of its own and of the scenario.
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

#include "fuzz/fuzz.hpp"
#include "outrider/detail/settings.hpp"
#include "outrider/error.hpp"
#include "robot/registry.hpp"
#include "simulation/simulation.hpp"

namespace outrider::fuzz {
namespace {

constexpr int steps_of_each = 5;
constexpr std::size_t most_options = 8;
constexpr double most_things = 1000;  // more people, beams, particles only take long

/// A world of two rooms, 2.4 x 1.6 m.
Grid<std::uint8_t> world_of_two() {
    Grid<std::uint8_t> walls(24, 16, 0, Lattice{0.1});
    for (int y = 0; y < 16; ++y) walls[{12, y}] = y < 5 || y > 9;
    return walls;
}

/// Those that start no program.
const std::vector<StrategyInfo>& own_strategies() {
    static const std::vector<StrategyInfo> list = [] {
        std::vector<StrategyInfo> all = strategies();
        std::erase_if(all, [](const StrategyInfo& s) { return s.name == "external" || s.name == "python"; });
        return all;
    }();
    return list;
}

/// Options of scenarios as section.key.
const std::vector<FieldInfo>& settings() {
    static const std::vector<FieldInfo> list = [] {
        std::vector<FieldInfo> all;
        Scenario defaults;
        Scenario::for_each_section(defaults, [&](const std::string& section, auto& options) {
            for (FieldInfo field : list_fields(options)) {
                field.name = section + "." + field.name;
                if (field.type != "text") all.push_back(std::move(field));
            }
        });
        return all;
    }();
    return list;
}

/// A number between the ends of "A to B" or "A or more", or beyond them.
std::string drawn_number(const FieldInfo& field, std::uint8_t kind, std::uint8_t where) {
    const std::string& range = field.range;
    const std::size_t to = range.find(" to ");
    const double least = std::strtod(range.c_str(), nullptr);
    const double most = to == std::string::npos ? 1e9 : std::strtod(range.c_str() + to + 4, nullptr);
    const double share = where / 255.0;
    const double low = std::max(least, 1e-9), high = std::max(std::min(most, 1e6), low);
    const std::array<double, 8> values{least,
                                       most,
                                       0,
                                       1e-9,
                                       -1,
                                       least + (most - least) * share,
                                       low * std::pow(high / low, share),
                                       static_cast<double>(where)};
    const double value = values[kind % values.size()];
    return field.type == "integer" ? fmt::format("{:.0f}", std::min(value, most_things)) : fmt::format("{}", value);
}

std::string drawn_value(const FieldInfo& field, std::uint8_t kind, std::uint8_t where) {
    if (field.type == "flag") return where % 2 ? "true" : "false";
    if (field.type == "number" || field.type == "integer") return drawn_number(field, kind, where);
    std::vector<std::string> choices;
    for (std::size_t from = 0; from < field.range.size();) {
        const std::size_t end = std::min(field.range.find(" | ", from), field.range.size());
        choices.push_back(field.range.substr(from, end - from));
        from = end + 3;
    }
    return choices.empty() ? "x" : choices[where % choices.size()];
}

/// The first byte is the strategy; then four for each option: from 128 on of the scenario, which one, and its value.
std::string random_scenario(std::string_view bytes) {
    const auto byte = [&](std::size_t k) -> std::size_t {
        return k < bytes.size() ? static_cast<std::uint8_t>(bytes[k]) : 0;
    };
    const StrategyInfo& strategy = own_strategies()[byte(0) % own_strategies().size()];
    std::map<std::string, std::string> own, all{{"team.robots", "2"}, {"comm.range_m", "3"}};
    for (std::size_t k = 1; k + 3 < bytes.size() && k < 4 * most_options; k += 4) {
        const std::vector<FieldInfo>& fields = byte(k) < 128 ? strategy.options : settings();
        if (fields.empty()) continue;
        const std::size_t which = std::size_t{256} * (byte(k) % 128) + byte(k + 1);
        const FieldInfo& field = fields[which % fields.size()];
        const std::string value =
            drawn_value(field, static_cast<std::uint8_t>(byte(k + 2)), static_cast<std::uint8_t>(byte(k + 3)));
        if (&fields == &strategy.options)
            own[field.name] = field.name + "=" + value;
        else
            all[field.name] = field.type == "choice" ? "'" + value + "'" : value;
    }
    std::vector<std::string> list;
    for (const auto& [name, text] : own) list.push_back(text);
    all["team.strategy"] = fmt::format("'{}({})'", strategy.name, fmt::join(list, ", "));
    std::string toml;
    for (const auto& [key, value] : all) toml += key + " = " + value + "\n";
    return toml + "[[base]]\nx_m = 0.35\ny_m = 0.35\n";
}

void explore(std::string_view bytes) {
    Notes notes;
    SimulationOptions options;
    options.threads = 1;
    options.stop_after = steps_of_each;
    options.overlays = true;
    Simulation sim(make_scenario(parse_config(random_scenario(bytes), "random"), "random", world_of_two(), notes),
                   options);
    sim.run();
}

}  // namespace

std::vector<Target> strategy_targets() {
    return {{"strategies", "five steps of each strategy under random options (Simulation)", explore, 33}};
}

}  // namespace outrider::fuzz
