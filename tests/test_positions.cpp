// Agent logs of MRESim, followed by the simulator.
#include <filesystem>

#include "base/image.hpp"
#include "helpers.hpp"
#include "log/replay.hpp"
#include "scenario/imports/mresim.hpp"
#include "simulation/rerun.hpp"
#include "world/map_file.hpp"
#ifdef OUTRIDER_PROGRAM  // not in outrider-core-tests
#include "program.hpp"
#endif

using namespace outrider;
namespace fs = std::filesystem;

namespace test_positions {
namespace {

constexpr int width = 160, height = 120, left = (800 - width) / 2, top = (600 - height) / 2;

/// The cells of a run, by step after the start, then robot; the base is robot 0.
struct Walk {
    std::vector<Cell> starts;
    std::vector<std::vector<Cell>> cells;
};

Walk walk_of(const Scenario& s) {
    struct Watcher final : Observer {
        Watcher(const Simulation& m, std::vector<std::vector<Cell>>& o) : sim(m), out(o) {}
        void on_step(const StepView&) override {
            auto& row = out.emplace_back();
            const Lattice& lattice = sim.driver().world().lattice();
            for (const Body& body : sim.driver().world().bodies())
                row.push_back(lattice.cell_of(body.pose.position()) + sim.scenario().team_origin());
        }
        const Simulation& sim;
        std::vector<std::vector<Cell>>& out;
    };
    Walk walk;
    for (std::size_t i = 0; i < s.robots.size(); ++i) walk.starts.push_back(s.start_cell(i));
    Simulation sim(s, {});
    Watcher watcher(sim, walk.cells);
    sim.add_observer(watcher);
    sim.run();
    return walk;
}

std::string pixel(Cell c) { return fmt::format("{} {}", left + c.x, top + height - 1 - c.y); }

/// An agent log of one of the three kinds.
std::string agent_log(const Walk& walk, int fields) {
    std::string text;
    for (std::size_t k = 0; k < walk.cells.size(); ++k) {
        text += std::to_string(k + 1);
        for (std::size_t i = 0; i < walk.starts.size(); ++i) {
            text += " " + pixel(walk.cells[k][i]);
            if (fields > 2)
                text += fmt::format(" {}.0 {}.0 {}", left + 7, top + height - 1 - 9,
                                    i == 0   ? "BaseStation GetInfoFromChild"
                                    : i == 1 ? "Relay GoToChild"
                                             : "Explorer Explore");
            if (fields > 6) text += fmt::format(" {}", i * k);
        }
        text += " \n";
    }
    return text;
}

std::string team_file(const Walk& walk) {
    std::string text;
    for (std::size_t i = 0; i < walk.starts.size(); ++i)
        text += fmt::format("{} {} {} 0.0 {} 60 1000 {} 1 {}\n", i + 1, std::string(1, static_cast<char>('A' + i)),
                            pixel(walk.starts[i]), i == 0 ? 0 : 90,
                            i == 0   ? "BaseStation"
                            : i == 1 ? "Relay"
                                     : "Explorer",
                            i == 1 ? 3 : 1);
    return text;
}

/// A map, a run on it, and files that tell of it.
struct Imported {
    Imported() {
        const Grid<std::uint8_t> walls = rooms_map(width, height, 3);
        write_map(folder / "map.png", {walls, {}}, true);
        Notes notes;
        walk = walk_of(make_scenario(parse_config("[team]\nrobots=3\nstrategy='nearest'\n[run]\nsteps=70\n", "s"), "s",
                                     walls, notes));
        for (const int fields : {2, 6, 7}) write_text(folder / fmt::format("log{}", fields), agent_log(walk, fields));
        write_text(folder / "team", team_file(walk));
    }
    Scenario scenario(const std::string& log, bool team) const {
        Notes notes;
        const MresimPositions positions(folder / log, folder / "map.png", team ? folder / "team" : "");
        Scenario s = make_scenario(positions.scenario(notes), log, "", notes);
        positions.apply(s, notes);
        return s;
    }
    TemporaryFolder folder;
    Walk walk;
};

}  // namespace

TEST_CASE("robots follow an agent log of MRESim of any kind, cell by cell, with a team file or without") {
    const Imported files;
    const std::size_t cycles = files.walk.cells.size();
    REQUIRE(cycles > 40);
    for (const int fields : {2, 6, 7})
        for (const bool team : {false, true}) {
            CAPTURE(fields);
            CAPTURE(team);
            const Scenario s = files.scenario(fmt::format("log{}", fields), team);
            CHECK(s.run.steps == static_cast<int>(cycles + team));
            REQUIRE(s.robots.size() == 4);
            CHECK(s.robots[0].role == Role::base);
            CHECK(s.robots[1].role == (team || fields > 2 ? Role::relay : Role::explorer));
            CHECK(s.robots[2].sensor.range_m == doctest::Approx(team ? 9 : 20));
            const Walk again = walk_of(s);
            // Where the run ends nobody goes on.
            REQUIRE(again.cells.size() == cycles + team);
            for (std::size_t k = 0; k + 1 < again.cells.size(); ++k) {
                CAPTURE(k);
                CHECK(again.cells[k] == files.walk.cells[team ? k : k + 1]);
            }
            if (team) CHECK(again.starts == files.walk.starts);
        }
}

TEST_CASE("scripted robots sense and talk as others do, and are never done before the log ends") {
    const Imported files;
    Simulation sim(files.scenario("log7", true), {});
    CHECK(sim.run() == EndReason::log_ended);
    CHECK(sim.metrics().steps().back().team_share > 0.3);
    CHECK(sim.metrics().steps().back().messages > 0);
    // In the middle of the cells to the last bit, and the robots know it.
    const Body& body = sim.driver().world().body(2);
    const Lattice& lattice = sim.driver().world().lattice();
    CHECK(distance(body.pose.position(), lattice.centre(lattice.cell_of(body.pose.position()))) < 1e-9);
    double travelled = 0;
    for (std::size_t k = 0; k < files.walk.cells.size(); ++k)
        travelled += lattice.metres(std::sqrt(static_cast<double>(
            squared_distance(files.walk.cells[k][2], k == 0 ? files.walk.starts[2] : files.walk.cells[k - 1][2]))));
    CHECK(body.travelled_m == doctest::Approx(travelled));
}

#ifdef OUTRIDER_PROGRAM
TEST_CASE("a log of imported positions needs nothing else: it replays, is run again, explained, exported and scored") {
    const Imported files;
    const auto outrider = [&](const std::string& arguments) { return outrider_in(files.folder, arguments); };
    REQUIRE(
        outrider("run --import-positions log7 --map map.png --import-mresim team --quiet --log full --log-file full")
            .code == 0);
    REQUIRE(outrider("run --import-positions log7 --map map.png --import-mresim team --quiet --log-file poses").code ==
            0);
    for (const char* file : {"log7", "team", "map.png"}) fs::remove(files.folder / file);

    LogReader log(files.folder / "full");
    CHECK(log.meta().at("end_reason") == "log_ended");
    const Scenario s = log.scenario();
    REQUIRE(s.script);
    CHECK(s.script->steps.back()[3].cell == files.walk.cells.back()[3]);
    CHECK(s.script->steps[5][2].goal == Cell{7, 9});
    CHECK(outrider("log info poses").out.find("log7, an agent log of MRESim with 7 fields per agent") !=
          std::string::npos);
    for (const std::string file : {"full", "poses"}) {
        CHECK(outrider("rerun " + file).out.find("the same in all 71 steps") != std::string::npos);
        const ProgramResult why = outrider("why " + file + " --robot C --step 9");
        CHECK(why.out.find("(explorer, as imported)") != std::string::npos);
        CHECK(why.out.find("the imported log says: Explore, spare time 16") != std::string::npos);
        CHECK(why.out.find("(0.75, 0.95) m") != std::string::npos);
    }
    CHECK(outrider("rerun poses --log full -o again").code == 0);
    CHECK(outrider("log digest again").out == outrider("log digest full").out);
    CHECK(outrider("replay full --png frames --from 30 --to 30").code == 0);
    CHECK(outrider("log export full -o tables").code == 0);
    const Cell c = files.walk.cells[20][3];
    CHECK(read_text(files.folder / "tables/poses.csv")
              .find(fmt::format("20,3,D,{:.2f}", c.x * 0.1 + 0.05).substr(0, 9)) != std::string::npos);
    CHECK(outrider("run --replay full --strategy nearest").out.find("first difference") != std::string::npos);
    if (std::system("python3 -c 'import tomllib' >/dev/null 2>&1") == 0)
        CHECK(shell_in(files.folder, "python3 '" OUTRIDER_SOURCE_DIR "/tools/score.py' full").out.find("all equal") !=
              std::string::npos);
}

#endif

TEST_CASE("damaged lines of an agent log are named with file and line, and what does not fit with what it misses") {
    const Imported files;
    const auto expect = [&](const std::string& text, const std::string& message, const std::string& team = "") {
        CAPTURE(message);
        write_text(files.folder / "bad", text);
        Notes notes;
        const auto import = [&] {
            const MresimPositions positions(files.folder / "bad", files.folder / "map.png",
                                            team.empty() ? "" : files.folder / team);
            Scenario s = make_scenario(positions.scenario(notes), "bad", "", notes);
            positions.apply(s, notes);
        };
        CHECK_THROWS_WITH_AS(import(), doctest::Contains(message.c_str()), Error);
    };
    const auto line = [&](int cycle, Cell base, Cell robot, const std::string& state = "Explore") {
        return fmt::format("{} {} 0 0 BaseStation X 0 {} 0 0 Explorer {} 0\n", cycle, pixel(base), pixel(robot), state);
    };
    const Cell base = files.walk.starts[0], robot = files.walk.starts[1];
    expect("", "no positions in it");
    expect("\n1 2 3 4\n", "bad:2: expected the cycle, then for each agent");
    expect("hello world\n", "bad:1: expected the cycle");
    expect(line(1, base, robot) + "2 345\n", "bad:2: expected 15 words, the cycle and 7 for each of 2 agents");
    expect(line(1, base, robot) + line(3, base, robot), "bad:2: cycle 3 after cycle 1; expected the next one");
    expect(line(1, base, robot) + line(1, base, robot), "two runs in one file?");
    expect(line(1, base, robot) + line(2, base + Cell{1, 0}, robot), "bad:2: agent 1 moves from");
    expect(line(1, base, {-1, 5}), "bad:1: 'r1' starts at (-0.05, 0.55) m, outside of the map");
    expect(line(1, base, robot) + line(2, base, {width, 0}), "bad:2: agent 2 ('r1') at pixel (480, 359) is outside");
    const Grid<std::uint8_t> walls = rooms_map(width, height, 3);
    const auto wall = std::find(walls.cells().begin(), walls.cells().end(), 1) - walls.cells().begin();
    expect(line(1, base, robot) + line(2, base, walls.cell(static_cast<std::size_t>(wall))), "is in a wall of the map");
    expect("1 x 5 7 9\n", "bad:1: expected the cycle");
    expect("1 300 e 310 320\n", "bad:1: agent 1: y: expected a number, got 'e'");
    std::string word = line(1, base, robot) + line(2, base, robot);
    word.replace(word.rfind("Explorer"), 8, "Explored");
    expect(word, "bad:2: agent 2: role 'Explored': expected BaseStation, Explorer or Relay");
    expect(line(1, base, robot), "but 4 and 1 in the team file", "team");
    std::string far = agent_log(files.walk, 7);
    far.replace(far.find(pixel(files.walk.cells[0][1])), pixel(files.walk.cells[0][1]).size(),
                pixel(base + Cell{0, 30}));
    expect(far, "away from its start", "team");
    CHECK_THROWS_WITH_AS(MresimPositions("/nowhere", ""), doctest::Contains("cannot be read"), Error);
}

}  // namespace test_positions
