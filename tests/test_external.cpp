// Strategies in other programs: the lines, what goes wrong, and the conformance of the example in Python.
#include <cstdlib>
#include <filesystem>

#include "base/child_process.hpp"
#include "base/json.hpp"
#include "base/programs.hpp"
#include "external/external_protocol.hpp"
#include "helpers.hpp"
#include "log/replay.hpp"
#include "outrider/error.hpp"
#include "robot/knowledge.hpp"
#include "robot/registry.hpp"
#include "simulation/rerun.hpp"

using namespace outrider;

namespace test_external {
namespace {

bool no_python() {
    const bool missing = std::system("python3 -c 'import json' >/dev/null 2>&1") != 0;
    if (missing) fmt::print("skipped: no python3 to run tools/external_nearest.py\n");
    return missing;
}

const std::vector<std::string> rooms{"######################",  //
                                     "#......#.............#",  //
                                     "#......#.............#",  //
                                     "#..B1..#....####.....#",  //
                                     "#...........#........#",  //
                                     "####.#######.........#",  //
                                     "#......#......#......#",  //
                                     "######################"};

Scenario asking(const std::string& cmd, int robots, const std::string& more = "", double timeout_s = 60) {
    const std::string strategy = fmt::format("external(cmd=\"{}\", timeout_s={})", cmd, timeout_s);
    allow_program(program_of(strategy, "test"));
    return text_scenario(rooms, fmt::format("[team]\nstrategy='''{}'''\nrobots={}\n{}", strategy, robots, more));
}

std::string example() { return fmt::format("python3 '{}/tools/external_nearest.py'", OUTRIDER_SOURCE_DIR); }

std::string failure_of(const std::string& cmd, double timeout_s = 60) {
    try {
        run_scenario(asking(cmd, 1, "", timeout_s));
    } catch (const RunFailure& failure) {
        return failure.what();
    }
    return "none";
}

}  // namespace

TEST_CASE("a child process answers line by line, and says how it ended") {
    ChildProcess echo("while read line; do echo \"got $line\"; done");
    for (const char* line : {"one", "two"}) {
        echo.write_line(line, 60);
        CHECK(echo.read_line(60) == std::string("got ") + line);
    }
    CHECK_THROWS_WITH_AS(ChildProcess("sleep 60").read_line(0.05), doctest::Contains("not answered for 0.05 s"),
                         RunFailure);
    CHECK_THROWS_WITH_AS(ChildProcess("exit 3").read_line(60), doctest::Contains("exit code 3"), RunFailure);
    CHECK_THROWS_WITH_AS(ChildProcess("sleep 60").write_line(std::string(1 << 22, 'x'), 0.05),
                         doctest::Contains("not read its input"), RunFailure);
}

TEST_CASE("the CPU time of a program is known when it has ended, by itself or not") {
    const std::string work = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; echo done; ";
    for (const std::string then : {"read x", "exec sleep 60"}) {
        CAPTURE(then);
        const double before = ended_programs_cpu_s();
        {
            ChildProcess busy(work + then);
            CHECK(busy.read_line(60) == "done");
            CHECK(ended_programs_cpu_s() == before);
        }
        CHECK(ended_programs_cpu_s() > before + 0.005);
    }
}

TEST_CASE("a program that dies, hangs or writes nonsense ends the run with a message that says whose and when") {
    CHECK(failure_of("exit 7").find("robot 'r1' at step 0: 'exit 7' ended with exit code 7") != std::string::npos);
    CHECK(failure_of("sleep 60", 0.1).find("has not answered for 0.1 s") != std::string::npos);
    const auto answer = [](const std::string& line) {
        return failure_of("read a; read b; echo '" + line + "'; read c");
    };
    CHECK(answer("hello").find("wrote 'hello': line 1, column 1: syntax error") != std::string::npos);
    CHECK(answer("{}").find("expected one of") != std::string::npos);
    const char* twice = "while read line; do echo '{\\\"stay\\\":1}'; echo '{\\\"stay\\\":1}'; done";
    CHECK(failure_of(twice).find("wrote more than it was asked for") != std::string::npos);
    CHECK(answer("[1]").find("expected an object") != std::string::npos);
    CHECK_THROWS_WITH_AS(make_strategy("external", "here"), doctest::Contains("expected cmd"), Error);
}

TEST_CASE("answers: every kind of motive, words and overlays; a wrong one says what was expected") {
    Briefing briefing;
    auto members = std::make_shared<std::vector<TeamMember>>(1);
    briefing.members = members;
    const Knowledge knowledge(briefing, {}, {});
    const Belief belief(knowledge);
    std::vector<Frontier> frontiers(1);
    frontiers[0].goal = {3, 4};
    std::string version;
    const auto parse = [&](const char* line) { return parse_intent(line, belief, frontiers, version); };
    CHECK(std::get<Goto>(parse(R"({"frontier":0})").action).goal == belief.map().lattice().centre({3, 4}));
    const Intent go =
        parse(R"({"goto":[1.5,2],"face":[0,1],"tolerance_m":0.3,"done":true,"words":[{"topic":7,"values":[1,-2]}]})");
    CHECK(std::get<Goto>(go.action).goal == Point{1.5, 2});
    CHECK(std::get<Goto>(go.action).tolerance_m == 0.3);
    CHECK(*std::get<Goto>(go.action).face == Point{0, 1});
    CHECK(go.done);
    CHECK(go.words == std::vector<Word>{{7, to_all, {1, -2}}});
    CHECK(std::get<Follow>(parse(R"({"follow":[[1,2],[1,3]]})").action).path == std::vector<Cell>{{1, 2}, {1, 3}});
    CHECK(std::get<Drive>(parse(R"({"drive":[0.5,-1]})").action).turn == -1);
    CHECK(std::holds_alternative<Stay>(parse(R"({"stay":true})").action));
    CHECK(std::holds_alternative<RandomStep>(parse(R"({"random":true})").action));
    CHECK(parse(R"({"stay":true,"overlays":[{"kind":"line","layer":"x","points":[[0,1],[1,1]]}]})").overlays.size() ==
          1);
    const auto meaning = [&](const std::string& rest) {
        return parse((R"({"stay":true,"overlays":[{"kind":"points","points":[[0,1]],)" + rest + "}]}").c_str())
            .overlays.at(0)
            .meaning;
    };
    CHECK(meaning(R"("layer":"spots","meaning":"meeting_through_wall")") == Overlay::Meaning::meeting_through_wall);
    CHECK(meaning(R"("meaning":"other","layer":"candidates")") == Overlay::Meaning::other);
    CHECK(meaning(R"("layer":"candidates")") == Overlay::Meaning::candidate);  // who says none is read by the name
    CHECK(meaning(R"("layer":"spots")") == Overlay::Meaning::other);
    CHECK_THROWS_WITH_AS(meaning(R"("layer":"x","meaning":"gaol")"),
                         doctest::Contains("\"gaol\": expected one of other, goal, candidate"), Error);
    CHECK(version.empty());
    CHECK(std::holds_alternative<Stay>(parse(R"({"stay":true,"version":"mine 1.2"})").action));
    CHECK(version == "mine 1.2");
    for (const char* wrong :
         {R"({"stay":true,"version":1})", R"({"stay":true,"version":""})", R"({"stay":true,"version":"a\u001bb"})",
          R"({"frontier":1})", R"({"frontier":0.5})", R"({"goto":[1]})", R"({"goto":[1,"a"]})", R"({"goto":[1e9,0]})",
          R"({"stay":true,"random":true})", R"({"stay":true,"speed":1})", R"({"stay":true,"words":[{}]})",
          R"({"follow":[[0.5,1]]})", R"({"done":true})"}) {
        CAPTURE(wrong);
        CHECK_THROWS_WITH_AS(parse(wrong), doctest::Contains("expected"), Error);
    }
}

TEST_CASE("the lines to a program are JSON and hold the map's changed tiles once") {
    const Scenario s = text_scenario(rooms, "[team]\nstrategy='nearest'\nrobots=1\n");
    SimulationOptions options;
    options.stop_after = 3;
    Simulation sim(s, options);
    sim.run();
    const Belief& belief = sim.team()[1].belief();
    const KnownMap& map = sim.team()[1].map();
    const Json briefing = parse_json(briefing_line(belief));
    CHECK(*briefing.find("self")->number() == 1);
    CHECK(briefing.find("team")->array()->size() == 2);
    ChangeCursor sent;
    const MapChanges all = map.changes_since(sent);
    const Json first = parse_json(belief_line(belief, belief.frontiers(), all, true, 5));
    const Json::Array& tiles = *first.find("tiles")->array();
    REQUIRE(!tiles.empty());
    std::size_t free = 0, occupied = 0;
    for (const Json& t : tiles)
        for (const char c : *t.find("cells")->text()) {
            free += c == '.';
            occupied += c == '#';
        }
    CHECK(free == map.count(false));
    CHECK(occupied == map.count(true));
    const Json next = parse_json(belief_line(belief, {}, map.changes_since(sent), false, 5));
    CHECK(next.find("tiles")->array()->empty());
}

TEST_CASE("the Python example explores everything, in teams, with lost messages, the same at any thread count") {
    if (no_python()) return;
    for (const int robots : {1, 2}) {
        const Outcome o = run_scenario(asking(example(), robots));
        CHECK(o.reason == EndReason::all_home);
        CHECK(o.team_share == 1);
        CHECK(o.base_share == 1);
    }
    CHECK(run_scenario(asking(example(), 2)).digest == run_scenario(asking(example(), 2), 4).digest);
    for (const char* loss : {"0.2", "1"})
        CHECK(run_scenario(asking(example(), 2, fmt::format("[comm]\nloss_rate={}\n", loss))).team_share == 1);
}

TEST_CASE("a log of a run with a program replays without the program") {
    if (no_python()) return;
    const TemporaryFolder folder;
    for (const char* file : {"outrider_client.py", "external_nearest.py"})
        std::filesystem::copy_file(fmt::format("{}/tools/{}", OUTRIDER_SOURCE_DIR, file), folder / file);
    SimulationOptions options;
    options.log_path = folder / "run.sqlite";
    options.log_level = LogLevel::full;
    int steps = 0;
    {
        Simulation sim(asking("python3 '" + (folder / "external_nearest.py") + "'", 2), options);
        CHECK(sim.run() == EndReason::all_home);
        steps = sim.progress().steps;
    }
    std::filesystem::remove(folder / "external_nearest.py");
    LogReader log(folder / "run.sqlite");
    Replay replay(log);
    const LogSteps recorded = log.steps();
    HashCheck check(recorded);
    int replayed = 0;
    for (; replay.next(); ++replayed) check.on_step(replay.view());
    CHECK(replayed == steps);
    CHECK(check.compared() == steps);
    CHECK_FALSE(check.divergence());
}

}  // namespace test_external
