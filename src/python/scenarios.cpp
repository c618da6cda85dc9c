#include <map>

#include "arguments/arguments.hpp"
#include "outrider/error.hpp"
#include "python/bindings.hpp"
#include "scenario/suite.hpp"
#include "simulation/generated.hpp"

namespace outrider::python {
namespace {

/// A value as a setting; `where`: how messages name it. Throws Error.
Setting setting_of(std::string key, const py::handle& value, const std::string& where) {
    if (py::isinstance<py::bool_>(value)) return {std::move(key), value.cast<bool>(), where};
    if (py::isinstance<py::str>(value)) return {std::move(key), value.cast<std::string>(), where};
    if (PyIndex_Check(value.ptr()) != 0) return {std::move(key), value.cast<std::int64_t>(), where};
    if (py::isinstance<py::float_>(value) || py::hasattr(value, "__float__"))
        return {std::move(key), value.cast<double>(), where};
    fail("{}: expected a number, a bool or a str, got {}", key, std::string(py::repr(value)));
}

/// The content of a scenario file: tables are dicts, [[robot]] is a list of dicts.
ConfigTable table_of(const py::dict& dict, const std::string& name) {
    ConfigTable table;
    table.where = name;
    for (const auto& [py_key, value] : dict) {
        const auto key = py_key.cast<std::string>();
        const std::string path = name.empty() ? key : name + "." + key;
        if (py::isinstance<py::dict>(value)) {
            table.make_table(key).overlay(table_of(value.cast<py::dict>(), path));
        } else if (py::isinstance<py::list>(value)) {
            std::vector<ConfigTable> items;
            for (const auto& item : value.cast<py::list>()) {
                if (!py::isinstance<py::dict>(item)) fail("'{}': expected a list of dicts", path);
                items.push_back(table_of(item.cast<py::dict>(), fmt::format("{}[{}]", path, items.size())));
            }
            table.arrays.emplace_back(key, std::move(items));
        } else {
            table.set(setting_of(key, value, "'" + key + "'"));
        }
    }
    return table;
}

/// The settings among the arguments; a strategy among them may start the program that it names.
std::vector<Setting> settings_of(const Wanted& wanted) {
    static const std::map<std::string, std::string> arguments{
        {"robots", "team.robots"}, {"seed", "run.seed"}, {"steps", "run.steps"}};  // of the function that was called
    std::vector<Setting> over;
    for (const auto& [key, value] : wanted.settings) {
        const auto name = key.cast<std::string>();
        const auto argument = arguments.find(name);
        over.push_back(argument == arguments.end() ? setting_of(name, value, "settings")
                                                   : setting_of(argument->second, value, name));
        if (name == "team.strategy" && py::isinstance<py::str>(value))
            allow_typed(value.cast<std::string>(), "team.strategy");
    }
    return over;
}

/// A new map for each seed, or for the one that is given.
Scenarios generated(const Wanted& wanted) {
    const auto family = wanted.scenario.attr("family").cast<std::string>();
    std::vector<Setting> options;
    for (const auto& [key, value] : wanted.scenario.attr("options").cast<py::dict>())
        options.push_back(setting_of(key.cast<std::string>(), value, "generated"));
    ConfigTable config;
    if (wanted.strategy) {
        allow_typed(*wanted.strategy, "strategy");
        config.set({"team.strategy", *wanted.strategy, "strategy"});
    }
    std::uint64_t seed = 1;
    for (Setting& s : settings_of(wanted)) {
        if (s.key != "run.seed") {
            config.set(std::move(s));
            continue;
        }
        const auto* number = std::get_if<std::int64_t>(&s.value);
        if (!number || *number < 0) fail("seed: expected a whole number of 0 or more");
        seed = static_cast<std::uint64_t>(*number);
    }
    ScenarioMaker make = generated_scenarios(family, std::move(options), std::move(config));
    const py::object of_map = wanted.scenario.attr("seed");
    if (of_map.is_none()) return {std::move(make), seed};
    return {[make, map_seed = of_map.cast<std::uint64_t>()](std::uint64_t s) { return redrawn(make(map_seed), s); },
            seed};
}

Suite suite_of(const std::string& name) {
    const std::string path = file_of(name);
    ConfigTable config = load_config(path);
    if (!is_suite(config)) fail("{}: expected a suite", path);
    return make_suite(std::move(config), path);
}

/// A map of a suite; its content is checked.
Scenario on_suite(const std::string& name, std::size_t map, const std::vector<Setting>& over, Notes& notes) {
    Suite suite = suite_of(name);
    for (const Setting& s : over) suite.common.set(s);
    if (map >= suite.maps.size()) fail("{}: expected a map from 0 to {}, got {}", name, suite.maps.size() - 1, map);
    return suite.scenario(map, notes);
}

using MakeScenario = std::function<Scenario(Notes&)>;

/// What makes it; Python is asked only now.
MakeScenario scenario_of(const Wanted& wanted) {
    std::vector<Setting> over = settings_of(wanted);
    if (py::hasattr(wanted.scenario, "suite")) {
        if (wanted.strategy) {
            allow_typed(*wanted.strategy, "strategy");
            over.push_back({"team.strategy", *wanted.strategy, "strategy"});
        }
        return [name = wanted.scenario.attr("suite").cast<std::string>(),
                map = wanted.scenario.attr("index").cast<std::size_t>(),
                over = std::move(over)](Notes& notes) { return on_suite(name, map, over, notes); };
    }
    if (!py::isinstance<py::dict>(wanted.scenario)) {
        ScenarioFlags named;
        const bool imported = py::hasattr(wanted.scenario, "marmotlab");
        const auto file = py::str(imported ? wanted.scenario.attr("marmotlab") : wanted.scenario).cast<std::string>();
        if (imported)
            named.import_marmotlab = file;
        else if (file.ends_with(".png"))
            named.map = file;
        else
            named.scenario = file;
        named.strategy = wanted.strategy;
        named.dashes = "";
        named.settings = std::move(over);
        return [named](Notes& notes) { return scenario_from(named, notes); };
    }
    ConfigTable config = table_of(wanted.scenario.cast<py::dict>(), "");
    if (wanted.strategy) {
        allow_typed(*wanted.strategy, "strategy");
        config.set({"team.strategy", *wanted.strategy, "strategy"});
    }
    for (Setting& s : over) config.set(std::move(s));
    return [config, folder = wanted.folder.value_or("")](Notes& notes) {
        return make_scenario(config, "scenario", folder, notes);
    };
}

}  // namespace

Scenarios scenarios_of(const Wanted& wanted, Notes& notes) {
    if (py::hasattr(wanted.scenario, "family")) return generated(wanted);
    const auto scenario = std::make_shared<const Scenario>(scenario_of(wanted)(notes));
    return {
        [scenario](std::uint64_t seed) { return seed == scenario->run.seed ? *scenario : redrawn(*scenario, seed); },
        scenario->run.seed};
}

std::size_t suite_maps(const std::string& name) { return suite_of(name).maps.size(); }

ScenarioMaker later_scenarios_of(const Wanted& wanted) {
    if (py::hasattr(wanted.scenario, "family")) return generated(wanted).make;
    return [make = scenario_of(wanted)](std::uint64_t seed) {
        Notes notes;
        Scenario scenario = make(notes);
        return seed == scenario.run.seed ? scenario : redrawn(scenario, seed);
    };
}

}  // namespace outrider::python
