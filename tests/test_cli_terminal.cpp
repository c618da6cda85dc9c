// What stands on a terminal while the program works, and after that.
#include <algorithm>

#include "program.hpp"
#include "terminal.hpp"

using namespace outrider;

namespace test_cli_terminal {
namespace {

/// Nothing that a person would take for dirt: unknown controls, or the remains of known ones.
void expect_clean(const TerminalResult& result) {
    CAPTURE(result.screen.text());
    CHECK(result.screen.strange == "");
    CHECK(!result.screen.ever("[K"));
    CHECK(!result.screen.ever("?["));
}

/// A scenario and a sweep in the map room.png, and a log of odometry and scans of a robot that drives along a wall.
void write_world(const TemporaryFolder& folder) {
    write_text(folder / "room.toml",
               "[map]\nfile = 'room.png'\n[team]\nrobots = 2\nstrategy = 'nearest'\n[run]\nsteps = 200\n");
    write_text(folder / "sweep.toml",
               "maps = ['room.toml']\nseeds = '1..6'\n[axes]\nstrategy = ['nearest', 'minpos']\n");
    std::string log;
    for (int k = 0; k < 60; ++k) {
        const double x = 0.1 * k;
        log += fmt::format("FLASER 180");
        for (int beam = 0; beam < 180; ++beam) log += beam < 90 ? " 2.0" : " 3.0";
        log += fmt::format(" {0:.2f} 0 0 {0:.2f} 0 0 {1:.2f} host {1:.2f}\n", x, 0.5 * k);
    }
    write_text(folder / "robot.log", log);
}

}  // namespace

TEST_CASE("on a terminal no command leaves controls in view, and in the end stands what is printed elsewhere") {
    const TemporaryFolder folder;
    write_world(folder);
    const auto check = [&](const std::string& arguments, int code = 0) {
        CAPTURE(arguments);
        const TerminalResult result = outrider_on_terminal(folder, arguments);
        expect_clean(result);
        CHECK(result.code == code);
        return result.screen.text();
    };
    CHECK(check("generate office --size 200x150 -o room.png").find("room.png: ") != std::string::npos);
    const std::string run = check("run room.toml --log none --seed 2");
    CHECK(run.find("room: 2 robots, 1 base, strategy nearest") != std::string::npos);
    CHECK(run.find("ended after ") != std::string::npos);
    CHECK(check("compare nearest minpos --map room.toml --seeds 2").find("minpos - nearest") != std::string::npos);
    check("sweep plan sweep.toml -o d");
    CHECK(check("sweep run d").find("12 of 12 runs done") != std::string::npos);
    CHECK(check("sweep report d -o r.html --pages").find("report r.html") != std::string::npos);
    CHECK(check("slam robot.log --png robot.png").find("60 scans") != std::string::npos);
    CHECK(check("run nowhere.toml", 2).find("outrider: nowhere.toml: ") != std::string::npos);
    for (const char* same : {"strategies", "options comm", "check --map room.png"}) {
        const std::string there = check(same, outrider_in(folder, same).code);
        const ProgramResult elsewhere = outrider_in(folder, same);
        std::string text = elsewhere.err + elsewhere.out;
        std::erase(text, '\r');
        CHECK(there == text + "\n");
    }
}

TEST_CASE("names of strangers cannot steer a terminal, and the program's own line still goes") {
    const TemporaryFolder folder;
    write_world(folder);
    REQUIRE(outrider_in(folder, "generate office --size 200x150 -o room.png").code == 0);
    const std::string name = "room\\u001b[2J\\u001b[K";
    write_text(folder / "evil.toml", "name = \"" + name + "\"\ninclude = 'room.toml'\n");
    const TerminalResult result = outrider_on_terminal(folder, "run evil.toml --log none");
    CAPTURE(result.screen.text());
    CHECK(result.code == 0);
    CHECK(result.screen.strange == "");
    CHECK(result.screen.ever("room?[2J?[K: 2 robots"));
}

TEST_CASE("long work says how far it is and how long it takes, in a line that is gone in the end") {
    const TemporaryFolder folder;
    REQUIRE(outrider_in(folder, "generate office --size 1200x900 -o big.png").code == 0);
    const std::string run = "run --map big.png --robots 24 --steps 4000 --log none";
    const TerminalResult wide = outrider_on_terminal(folder, run);
    expect_clean(wide);
    CHECK(wide.screen.ever(" of 4000  team knows "));
    CHECK(wide.screen.ever("big  0:00:0"));
    CHECK(wide.screen.text().find(" of 4000") == std::string::npos);
    const TerminalResult narrow = outrider_on_terminal(folder, run, 40);
    CHECK(narrow.screen.ever("big  0:00:0"));
    const auto& passing = narrow.screen.passing;
    CHECK(std::all_of(passing.begin(), passing.end(), [](const std::string& line) { return line.size() < 40; }));
    const TerminalResult quiet = outrider_on_terminal(folder, run + " --quiet");
    CHECK(quiet.screen.passing.empty());
}

}  // namespace test_cli_terminal
