// A team of processes: a world that is served, and a program for each robot, over loopback.
#include <doctest/doctest.h>

#include <cmath>
#include <sstream>
#include <thread>

#include "base/json.hpp"
#include "program.hpp"

using namespace outrider;

namespace test_cli_live {
namespace {

const std::string scenario = OUTRIDER_SOURCE_DIR "/environments/live_office.toml";

/// tests/live_team.py with these arguments: how each program ended.
Json run_team(const TemporaryFolder& folder, const std::string& arguments) {
    const ProgramResult result =
        shell_in(folder, fmt::format("timeout 580 /usr/bin/env python3 '{}/tests/live_team.py' '{}' '{}' {}",
                                     OUTRIDER_SOURCE_DIR, OUTRIDER_PROGRAM, scenario, arguments));
    CAPTURE(result.err);
    REQUIRE(result.code == 0);
    Json team = parse_json(result.out);
    CHECK(*team.find("late")->flag() == false);
    return team;
}

int code_of(const Json& team, const std::string& program) {
    return static_cast<int>(*team.find(program)->find("code")->number());
}

std::string errors_of(const Json& team, const std::string& program) {
    std::string all;
    for (const Json& line : *team.find(program)->find("errors")->array()) all += *line.text() + "\n";
    return all;
}

double metric(const std::string& summary, const std::string& name) {
    const Json json = parse_json(summary);
    const Json* value = json.find("metrics")->find(name);
    REQUIRE(value);
    REQUIRE(value->number());
    return *value->number();
}

/// The step that stands before the first line of `errors` with this text.
int step_of(const std::string& errors, const std::string& text) {
    const std::size_t at = errors.find(text);
    REQUIRE(at != std::string::npos);
    const std::size_t line = errors.rfind('\n', at) + 1;  // npos + 1: the first line
    int step = -1;
    REQUIRE(std::sscanf(errors.c_str() + line, "step %d", &step) == 1);
    return step;
}

/// Where a robot of a log was, by step.
std::vector<Point> track(const TemporaryFolder& folder, const std::string& log, const std::string& robot) {
    REQUIRE(outrider_in(folder, "log export " + log + " -o exported --force").code == 0);
    std::istringstream rows(read_text(folder / "exported/poses.csv"));
    std::vector<Point> out;
    for (std::string row; std::getline(rows, row);) {
        int step = 0, number = 0;
        char name[16] = {};
        Point p;
        if (std::sscanf(row.c_str(), "%d,%d,%15[^,],%lf,%lf", &step, &number, name, &p.x, &p.y) == 5 && robot == name)
            out.push_back(p);
    }
    return out;
}

void explores_like_one_process(const std::string& protocol) {
    const TemporaryFolder folder;
    // Fewer steps than the file's, of the same way.
    const std::string longer = "--set run.step_s=0.3";
    const Json team = run_team(folder, "--lockstep --seconds 500 --protocol " + protocol + " -- " + longer);
    CAPTURE(errors_of(team, "serve"));
    for (const char* program : {"serve", "r1", "r2", "r3"}) CHECK(code_of(team, program) == 0);
    const std::string served = *team.find("serve")->find("out")->text();
    const ProgramResult alone = outrider_in(folder, "run '" + scenario + "' --quiet --log none --json " + longer);
    REQUIRE(alone.code == 0);
    CHECK(std::abs(metric(served, "final_team") - metric(alone.out, "final_team")) <= 0.02);
    CHECK(std::abs(metric(served, "final_base") - metric(alone.out, "final_base")) <= 0.02);
    CHECK(metric(served, "t90_team") < 3 * metric(alone.out, "t90_team"));  // they turn before they drive
    // The logs of the world and of each program replay, and another program scores them, which takes it a while.
    ProgramResult scored{};
    const TemporaryFolder elsewhere;
    std::thread scoring([&] {
        scored = shell_in(elsewhere, "/usr/bin/env python3 '" OUTRIDER_SOURCE_DIR "/tools/score.py' '" +
                                         (folder / "serve.sqlite") + "'");
    });
    for (const char* log : {"serve", "r1", "r2", "r3"}) {
        CAPTURE(log);
        const ProgramResult again = outrider_in(folder, fmt::format("rerun {}.sqlite", log));
        CHECK(again.code == 0);
        CHECK(again.out.starts_with("the same in all"));
    }
    // Their logs are one timeline, and say when the base station was met.
    const ProgramResult joined = outrider_in(folder, "log join r3.sqlite r1.sqlite r2.sqlite -o team.sqlite");
    CAPTURE(joined.err);
    CHECK(joined.code == 0);
    for (const char* robot : {"r1", "r2", "r3"})
        CHECK(joined.out.find(fmt::format("{0}.sqlite: {0}, ", robot)) != std::string::npos);
    CHECK(joined.out.find(" steps from step 0 on\n") != std::string::npos);  // in lock-step
    CHECK(outrider_in(folder, "rerun team.sqlite").out.starts_with("the same in all"));
    CHECK(outrider_in(folder, "log join r1.sqlite serve.sqlite -o other.sqlite")
              .err.find("serve.sqlite: the log of a "
                        "simulated world") != std::string::npos);
    // Each knew in the end what the others had seen, since it heard of it; and where they were.
    const ProgramResult why = outrider_in(folder, "why r2.sqlite --robot r2 --step 200");
    CHECK(why.out.find("r1") != std::string::npos);
    scoring.join();
    CHECK(scored.code == 0);
    CHECK(scored.out.find("all equal") != std::string::npos);
    for (const char* robot : {"r1", "r2", "r3"}) {
        double m2 = 0;
        const std::string out = *team.find(robot)->find("out")->text();
        REQUIRE(std::sscanf(out.c_str() + out.find("knows"), "knows %lf", &m2) == 1);
        CHECK(m2 > 0.98 * 371.9);
    }
}

}  // namespace

TEST_CASE("three programs explore an office through rosbridge as one process does") {
    explores_like_one_process("rosbridge");
}

TEST_CASE("three programs explore an office through USARSim's lines as one process does") {
    explores_like_one_process("usarsim");
}

TEST_CASE("in lock-step a team of programs decides the same again") {
    const TemporaryFolder folder;
    const auto hash = [&] {
        const Json team = run_team(folder, "--lockstep --seconds 250 -- --set run.steps=150 --force");
        const Json summary = parse_json(*team.find("serve")->find("out")->text());
        return *summary.find("hash_of_all_steps")->text();
    };
    CHECK(hash() == hash());
}

TEST_CASE("frames come late, a program is killed, a link is cut: the others go on, and the robots stop") {
    const TemporaryFolder folder;
    const Json team =
        run_team(folder, "--speed 8 --delay 0.2 --kill r2@12 --cut r3@16:20 --seconds 300 -- --set run.steps=320");
    const std::string said = errors_of(team, "serve"), r3 = errors_of(team, "r3");
    CAPTURE(said);
    CAPTURE(r3);
    CHECK(code_of(team, "serve") == 0);
    CHECK(code_of(team, "r2") == -9);
    // What was recorded can be read, also of the one that was killed.
    for (const char* log : {"serve", "r1", "r2", "r3"}) {
        CAPTURE(log);
        CHECK(outrider_in(folder, fmt::format("rerun {}.sqlite", log)).out.starts_with("the same in all"));
    }
    CHECK(r3.find("the link broke") != std::string::npos);
    const int killed = step_of(said, "r2 left");
    const ProgramResult events = outrider_in(folder, "log info serve.sqlite");
    CHECK(events.code == 0);
    // A second of validity is five steps; commands of the last step before may still have been on their way.
    const std::vector<Point> dead = track(folder, "serve.sqlite", "r2");
    REQUIRE(dead.size() == 320);
    for (std::size_t step = static_cast<std::size_t>(killed) + 8; step < dead.size(); ++step)
        CHECK(dead[step] == dead[static_cast<std::size_t>(killed) + 7]);
    // The one that was cut off stood, too, and drove on when it was back.
    const std::vector<Point> cut = track(folder, "serve.sqlite", "r3");
    int stood = 0, longest = 0;
    std::size_t until = 0;
    for (std::size_t step = 1; step < cut.size(); ++step) {
        stood = cut[step] == cut[step - 1] ? stood + 1 : 0;
        if (stood > longest) until = step;
        longest = std::max(longest, stood);
    }
    CHECK(longest > 50);  // twenty seconds of the world are a hundred steps, and a command is valid for five of them
    double length = 0;
    for (std::size_t step = until; step < cut.size(); ++step) length += distance(cut[step - 1], cut[step]);
    CHECK(length > 1);
    // r1 was disturbed by none of that.
    CHECK(errors_of(team, "r1").find("the link broke: End of file") == std::string::npos);
}

TEST_CASE("a program drives a robot that is none of ours, of a file without a map") {
    const TemporaryFolder folder;
    if (shell_in(folder, "/usr/bin/python3 -c 'import websockets'").code != 0) {
        MESSAGE("skipped: python3-websockets is not installed");
        return;
    }
    const ProgramResult result = shell_in(
        folder,
        // A robot that scans, decides and drives four times as fast as the file's.
        fmt::format(
            "/usr/bin/python3 '{0}/tools/fake_robot' --name tb1 --period 0.025 --seconds 200 > robot.txt & robot=$!; "
            "for k in $(seq 1200); do grep -q ws:// robot.txt && break; sleep 0.05; done; "
            "timeout 200 '{1}' robot '{0}/docs/examples/turtlebot.toml' --robots tb1 --steps 60 --set "
            "sensor.beams=181 --set sensor.fov_deg=180 --set sensor.range_m=6 --set run.step_s=0.05 --set "
            "body.speed_mps=0.6 --set live.turn_deg_s=240 --connect $(cat robot.txt) "
            "--log-file tb1.sqlite; code=$?; kill $robot; exit $code",
            OUTRIDER_SOURCE_DIR, OUTRIDER_PROGRAM));
    CAPTURE(result.err);
    CHECK(result.code == 0);
    double m2 = 0;
    REQUIRE(std::sscanf(result.out.c_str() + result.out.find("knows"), "knows %lf", &m2) == 1);
    CHECK(m2 > 40);  // half of the room around it, and more when it turns; all of it is 100
    CHECK(m2 < 101);
    CHECK(outrider_in(folder, "rerun tb1.sqlite").out.starts_with("the same in all 60 steps"));
    const std::vector<Point> path = track(folder, "tb1.sqlite", "tb1");
    REQUIRE(path.size() == 60);
    CHECK(path.front() != path.back());  // how far it gets in its three seconds depends on how busy the machine is
}

namespace {

/// A robot with a laser and echo sounders, whose battery does not take it far.
constexpr const char* seeing_team = R"(name = "seeing"
[map]
cell_m = 0.05
[run]
step_s = 0.05
[body]
radius_m = 0.14
speed_mps = 0.6
[battery]
wh = 0.01
[victims]
replies = "operator"
[live]
turn_deg_s = 240
sonar = "/{}/sonar{beam}"
battery = "/{}/battery"
victims = "/{}/victims"
mates = "/{}/mates"
[[base]]
name = "desk"
x_m = 30
y_m = 30
[[robot]]
name = "tb1"
x_m = 30
y_m = 32
[[robot.sensor]]
beams = 181
range_m = 6
[[robot.sensor]]
preset = "sonar"
beams = 5
fov_deg = 180
range_m = 3
)";

/// Cells that a map of `log export` shows as walls, within 0.3 m of a place; cells are 0.05 m.
int walls_near(const std::string& pgm, double x_m, double y_m) {
    int width = 0, height = 0, begin = 0, walls = 0;
    REQUIRE(std::sscanf(pgm.c_str(), "P5 %d %d 255%n", &width, &height, &begin) == 2);
    for (int row = 0; row < height; ++row)
        for (int column = 0; column < width; ++column) {
            const double x = 0.05 * (column + 0.5), y = 0.05 * (height - row - 0.5);
            if (std::hypot(x - x_m, y - y_m) > 0.3) continue;
            walls += pgm.at(static_cast<std::size_t>(begin + 1 + row * width + column)) == 0;
        }
    return walls;
}

}  // namespace

TEST_CASE("a robot reports whom its topics name, drives home on a low battery, and takes no team-mate for a wall") {
    const TemporaryFolder folder;
    if (shell_in(folder, "/usr/bin/python3 -c 'import websockets'").code != 0) {
        MESSAGE("skipped: python3-websockets is not installed");
        return;
    }
    write_text(folder / "team.toml", seeing_team);
    const ProgramResult result = shell_in(
        folder,
        fmt::format(
            "/usr/bin/python3 '{0}/tools/fake_robot' --name tb1 --period 0.025 --seconds 200 --battery 0.3 --sonars 5 "
            "--victim 2,1 --mate=1.5,-1.5 > robot.txt & robot=$!; '{1}' radio --port 0 > radio.txt & radio=$!; "
            "for k in $(seq 1200); do grep -q ws:// robot.txt && grep -q ws:// radio.txt && break; sleep 0.05; done; "
            "timeout 200 '{1}' robot team.toml --robots tb1,desk --steps 90 --connect $(cat robot.txt) "
            "--relay $(grep -o 'ws://[0-9.:]*' radio.txt) --log-file tb1.sqlite; code=$?; kill $robot $radio; "
            "exit $code",
            OUTRIDER_SOURCE_DIR, OUTRIDER_PROGRAM));
    CAPTURE(result.err);
    CHECK(result.code == 0);
    CHECK(outrider_in(folder, "rerun tb1.sqlite").out.find("the same in all 90 steps") != std::string::npos);
    CHECK(outrider_in(folder, "why tb1.sqlite --robot tb1 --step 30").out.find("battery: goes home to charge") !=
          std::string::npos);
    const std::vector<Point> path = track(folder, "tb1.sqlite", "tb1");
    REQUIRE(path.size() == 90);
    const Point desk{30, 30};
    CHECK(distance(path.back(), desk) < distance(path.front(), desk));
    // Two metres ahead of where it stood and looked along x, and one to the left.
    const std::string victims = read_text(folder / "exported/victims.csv");
    CAPTURE(victims);
    double x = 0, y = 0;
    REQUIRE(std::sscanf(victims.c_str() + victims.find('\n'), "\n0,%lf,%lf,,,reported", &x, &y) == 2);
    CHECK(distance({x, y}, {32, 33}) < 0.3);
    const std::string map = read_text(folder / "exported/belief_1.pgm");
    CHECK(walls_near(map, 33 - 0.35, 35 - 0.35) > 0);  // the pillar's side towards it
    CHECK(walls_near(map, 31.5, 30.5) == 0);
}

TEST_CASE("mistakes of live commands are named, and lose nothing") {
    const TemporaryFolder folder;
    write_text(folder / "kept.sqlite", "an old log");
    const auto wrong = [&](const std::string& arguments, const std::string& message) {
        const ProgramResult f = outrider_in(folder, arguments + " --log-file kept.sqlite --force");
        CAPTURE(arguments);
        CAPTURE(f.err);
        CHECK(f.code == 2);
        CHECK(f.err.find(message) != std::string::npos);
        CHECK(read_text(folder / "kept.sqlite") == "an old log");
    };
    const std::string serve = "serve '" + scenario + "' ", robot = "robot '" + scenario + "' ";
    wrong(serve, "expected --rosbridge PORT or --usarsim PORT");
    wrong(serve + "--rosbridge 0 --usar-radio 0", "--usar-radio: expected --usarsim PORT, too");
    wrong(serve + "--rosbridge 0 --lockstep --speed 2", "--lockstep");
    wrong(serve + "--rosbridge 0 --begin --patience 2", "--patience: with --begin, expected --lockstep, too");
    wrong(serve + "--rosbridge 0 --served r1,r9", "robot 'r9': expected names of r1, r2, r3");
    wrong(serve + "--rosbridge 0 --served base", "robot 'base': expected names of r1, r2, r3");
    wrong(serve + "--rosbridge 0 --served r1,r1", "robot 'r1' is named twice");
    wrong(serve + "--rosbridge 0 --listen nowhere.invalid", "nowhere.invalid");
    wrong(robot, "has several robots; expected --robots");
    wrong(robot + "--robots r1", "expected --connect URL");
    wrong(robot + "--robots r1 --connect http://here", "expected ws://HOST:PORT or usarsim://HOST:PORT");
    wrong(robot + "--robots r1 --connect usarsim://here", "expected ws://HOST:PORT or usarsim://HOST:PORT");
    wrong(robot + "--robots r1 --connect ws://127.0.0.1:1 --relay here", "--relay here: expected ws://HOST:PORT");
    wrong(robot + "--robots r1 --connect ws://127.0.0.1:1 --set live.clock=never", "live.clock");
    wrong("robot nothing.toml --connect ws://127.0.0.1:1", "nothing.toml");
    wrong("robot --connect ws://127.0.0.1:1", "expected a file");
    const ProgramResult alone =
        outrider_in(folder, robot + "--robots r1 --connect ws://127.0.0.1:1 --give-up 0.5 --log-file none.sqlite");
    CHECK(alone.code == 1);
    CHECK(outrider_in(folder, "log info none.sqlite").code == 0);
    CHECK(alone.err.find("gave up: no robot was reached for 0.5 s") != std::string::npos);
}

}  // namespace test_cli_live
