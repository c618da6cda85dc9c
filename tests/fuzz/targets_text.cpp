// What people and other programs write: JSON, options, scenarios, suites, files of MRESim, answers of a client.
#include <cmath>

#include "base/config.hpp"
#include "base/image.hpp"
#include "base/json.hpp"
#include "external/external_protocol.hpp"
#include "fuzz/fuzz.hpp"
#include "log/events.hpp"
#include "log/exports.hpp"
#include "outrider/error.hpp"
#include "outrider/features.hpp"
#include "robot/knowledge.hpp"
#include "robot/registry.hpp"
#include "scenario/imports/mresim.hpp"
#include "scenario/suite.hpp"

namespace outrider::fuzz {
namespace {

constexpr std::size_t most_robots = 40;  // a team of thousands only takes long

/// Two rooms with a door between them.
Grid<std::uint8_t> two_rooms() {
    Grid<std::uint8_t> walls(40, 30, 0, Lattice{0.1});
    for (int y = 0; y < 30; ++y) walls[{20, y}] = y < 8 || y > 14;
    return walls;
}

/// The file of a map of MRESim's world.
const std::string& map_picture() {
    static const ScratchFile file("rooms.png");
    static const bool written = [] {
        write_map(file.path(), {two_rooms(), {}}, true);
        return true;
    }();
    return written ? file.path() : file.path();
}

/// Whether the team is small enough to be worth a test.
bool small_team(ConfigTable& config) {
    const auto count = [](const ConfigTable& table, const char* key) {
        for (const Setting& s : table.settings)
            if (const auto* n = std::get_if<std::int64_t>(&s.value); n && s.key == key) return *n;
        return std::int64_t{0};
    };
    const ConfigTable* team = config.table("team");
    const auto most = static_cast<std::int64_t>(most_robots);
    if (team && (count(*team, "robots") > most || count(*team, "bases") > most)) return false;
    for (const auto& [name, items] : config.arrays)
        if (items.size() > most_robots) return false;
    return true;
}

void expect_same_text(const Json& json) {
    if (const std::string* text = json.text())
        expect(*parse_json(json_quoted(*text)).text() == *text, "a text in JSON that is quoted again is another one");
    if (const Json::Array* array = json.array())
        for (const Json& item : *array) expect_same_text(item);
    if (const Json::Object* object = json.object())
        for (const auto& [key, value] : *object) {
            expect(*parse_json(json_quoted(key)).text() == key, "a key in JSON that is quoted again is another one");
            expect_same_text(value);
        }
}

void read_json(std::string_view bytes) { expect_same_text(parse_json(bytes)); }

std::string as_options(const std::vector<Setting>& settings) {
    std::string out;
    for (const Setting& s : settings) out += (out.empty() ? "" : ", ") + s.key + "=" + to_toml(s);
    return out;
}

void read_options(std::string_view bytes) {
    const std::string text = as_options(parse_settings(bytes, "fuzz"));
    expect(as_options(parse_settings(text, "fuzz")) == text, "options that are written and read again differ");
}

void read_strategy(std::string_view bytes) {
    const std::string text(bytes);
    strategy_name(text);
    program_of(text, "fuzz");
    make_strategy(text, "fuzz", 0.1);
}

void read_toml(std::string_view bytes) {
    parse_config(bytes, "fuzz", Lists::allow);
    const std::string text = to_toml(parse_config(bytes, "fuzz"));
    expect(to_toml(parse_config(text, "fuzz")) == text, "a table that is written and read again differs");
}

void read_scenario(std::string_view bytes) {
    ConfigTable config = parse_config(bytes, "fuzz");
    if (!small_team(config)) return;
    Notes notes;
    const Scenario scenario = make_scenario(std::move(config), "fuzz", two_rooms(), notes);
    const std::string resolved = scenario.resolved();
    const Scenario again = make_scenario(parse_config(resolved, "resolved"), "fuzz", two_rooms(), notes);
    expect(again.resolved() == resolved, "a resolved scenario resolves to another one");
    make_briefings(scenario);
}

void read_suite(std::string_view bytes) {
    map_picture();
    ConfigTable config = parse_config(bytes, "suite.toml");
    if (!is_suite(config) || !small_team(config)) return;
    const Suite suite = make_suite(std::move(config), ScratchFile::folder() + "/suite.toml");
    for (std::size_t i = 0; i < suite.maps.size(); ++i) {
        suite.config(i);
        Notes notes;
        if (suite.maps[i].file == "rooms.png") suite.scenario(i, notes);
    }
}

void read_team(std::string_view bytes) {
    static const ScratchFile file("team.txt");
    file.write(bytes);
    Notes notes;
    ConfigTable config = import_mresim(file.path(), map_picture(), notes);
    if (small_team(config)) make_scenario(std::move(config), "fuzz", two_rooms(), notes);
}

void read_positions(std::string_view bytes) {
    static const ScratchFile file("positions.txt");
    file.write(bytes);
    const MresimPositions positions(file.path(), map_picture());
    Notes notes;
    ConfigTable config = positions.scenario(notes);
    if (!small_team(config)) return;
    Scenario scenario = make_scenario(std::move(config), "fuzz", two_rooms(), notes);
    positions.apply(scenario, notes);
    if (!scenario.script) return;
    expect(Script::read(scenario.script->bytes(), scenario.robots.size()) == *scenario.script,
           "positions that are written and read again differ");
}

void read_answer(std::string_view bytes) {
    static const Knowledge knowledge = [] {
        Briefing briefing;
        briefing.members = std::make_shared<const std::vector<TeamMember>>(2);
        return Knowledge(briefing, {}, {});
    }();
    const Belief belief(knowledge);
    std::vector<Frontier> frontiers(3);
    frontiers[1].goal = {3, 4};
    std::string version;
    parse_intent(bytes, belief, frontiers, version);
}

void read_order(std::string_view bytes) {
    const std::string text = command_json(read_command(std::string(bytes)));
    expect(command_json(read_command(text)) == text, "a command that is written and read again differs");
}

void read_network(std::string_view bytes) {
    const Network network = Network::parse(bytes, "fuzz");
    for (const float value : {0.0f, 1.0f, max_feature}) {
        FrontierFeatures features{};
        features.fill(value);
        expect(std::isfinite(network.score(features)), "a score is not a number");
    }
}

void read_placement(std::string_view bytes) { Placement::parse(std::string(bytes)); }

}  // namespace

std::vector<Target> text_targets() {
    return {{"json", "JSON (parse_json)", read_json, 1024},
            {"options", "options (parse_settings)", read_options, 512},
            {"strategy", "strategies with options (make_strategy)", read_strategy, 256},
            {"toml", "TOML (parse_config)", read_toml, 1024},
            {"scenario", "scenarios (make_scenario)", read_scenario, 4096},
            {"suite", "suites (make_suite)", read_suite, 1024},
            {"team", "team files of MRESim (import_mresim)", read_team, 1024},
            {"positions", "agent logs of MRESim (MresimPositions)", read_positions, 1024},
            {"external", "answers of a strategy in another program (parse_intent)", read_answer, 512},
            {"order", "an operator's orders in a log (read_command)", read_order, 512},
            {"network", "networks of learned strategies (Network::parse)", read_network, 1024},
            {"placement", "places on earth (Placement::parse)", read_placement, 64}};
}

}  // namespace outrider::fuzz
