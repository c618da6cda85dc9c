#include "cli/logged.hpp"

#include <fmt/ranges.h>

#include <algorithm>

#include "base/output.hpp"
#include "base/version.hpp"
#include "outrider/error.hpp"

namespace outrider {

Logged::Logged(const std::string& file)
    : log(file), steps(log.steps()), scenario(log.scenario()), orders(log.orders()), decided_by(log.provenance()) {
    for (const std::string& damaged : steps.damaged) print_aside("note: damaged: {}\n", damaged);
    if (log.meta().contains("open_loop")) print_aside("note: open loop: {}\n", log.meta().at("open_loop"));
    if (!finished())
        print_aside("note: the run was cut off; the log ends with step {}\n",
                    steps.steps.empty() ? -1 : steps.steps.back());
}

void Logged::expect_closed_loop() const {
    if (log.meta().contains("recording"))
        fail("{}: the log of a real robot's recording; it can be replayed and explained, not run again", log.path());
    if (log.meta().contains("open_loop"))
        fail("{}: the log of an open loop ({}); it can be replayed and explained, not run again", log.path(),
             log.meta().at("open_loop"));
}

Point Logged::on_map(Point team) const { return team + scenario.team_origin_m(); }

RobotId Logged::robot(const std::string& name) const {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < scenario.robots.size(); ++i) {
        if (scenario.robots[i].name == name || std::to_string(i) == name) return static_cast<RobotId>(i);
        names.push_back(scenario.robots[i].name);
    }
    fail("--robot {}: nobody is called so; the team: {}", name, fmt::join(names, ", "));
}

Grid<std::uint8_t> Logged::walls() const {
    Grid<std::uint8_t> walls = scenario.walls;
    walls.set_origin(Cell{} - scenario.team_origin());
    return walls;
}

const std::string& expect_log(const std::optional<std::string>& file, const char* command) {
    if (!file)
        fail("expected outrider {} LOG, the file that outrider run wrote, such as logs/office_minpos_s1.sqlite",
             command);
    return *file;
}

LogLevel log_level(std::string_view name) {
    const auto level = std::find(log_level_names.begin(), log_level_names.end(), name) - log_level_names.begin();
    OUTRIDER_CHECK(level, <, std::ssize(log_level_names));
    return static_cast<LogLevel>(level);
}

namespace {

/// Why a run again may differ from the log: what changed since, as far as the log says what decided then.
std::string reason_of(const Logged& logged) {
    const Provenance& then = logged.decided_by;
    if (then.parts.empty())
        return fmt::format("this program ({}) decides otherwise than the one that wrote the log ({})", source_id(),
                           logged.log.meta().at("source"));
    const std::string changes = changes_since(then, provenance_of(logged.scenario, &then));
    if (changes.empty())
        return "the library and the strategies are those that wrote the log; something else differs, such as the "
               "compiler, a program's input or what a program imports";
    return changes;
}

}  // namespace

int report(const HashCheck& check, const Logged& logged) {
    if (!check.divergence()) {
        if (check.compared() == static_cast<int>(logged.steps.steps.size()))
            print_plain("the same in all {} steps that the log holds\n", check.compared());
        else
            print_plain("the same in the {} steps that were compared\n", check.compared());
        return 0;
    }
    const Divergence& d = *check.divergence();
    print_plain(
        "DIVERGED at step {}, {}: {}\n", d.step,
        d.robot < 0 ? "some robot" : "robot '" + logged.scenario.robots[static_cast<std::size_t>(d.robot)].name + "'",
        reason_of(logged));
    return 1;
}

}  // namespace outrider
