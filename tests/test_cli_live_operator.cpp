// An operator of a live team: orders to programs that decide for a robot each, over the relay.
#include <doctest/doctest.h>

#include <filesystem>

#include "base/json.hpp"
#include "program.hpp"

using namespace outrider;

namespace test_cli_live_operator {
namespace {

const std::string office = "'" OUTRIDER_SOURCE_DIR "/environments/live_office.toml' ";

int position_of(const std::string& text, const std::string& part) {
    const std::size_t at = text.find(part);
    CAPTURE(part);
    REQUIRE(at != std::string::npos);
    return static_cast<int>(at);
}

}  // namespace

TEST_CASE("robots of two programs and one of the world obey an operator, out of contact and back") {
    const TemporaryFolder folder;
    write_text(folder / "orders.jsonl", R"({"step": 20, "robot": "r1", "do": "way_points", "points": [[14.25, 4.25]]}
{"step": 60, "robot": "r1", "do": "stop"}
{"step": 80, "robot": "r2", "do": "drive", "forward": 0.3, "steps": 5}
{"step": 100, "do": "all_stop"}
{"step": 300, "robot": "r1", "do": "behaviour", "name": "autonomous"}
)");
    const ProgramResult result = shell_in(
        folder, fmt::format("timeout 280 /usr/bin/env python3 '{0}/tests/live_team.py' '{1}' {2} --robots r1,r2 "
                            "--lockstep --seconds 250 --orders orders.jsonl -- --set run.steps=320 "
                            "--set operator.lost=retreat",
                            OUTRIDER_SOURCE_DIR, OUTRIDER_PROGRAM, office));
    REQUIRE_MESSAGE(result.code == 0, result.err);
    const Json team = parse_json(result.out);
    std::string said;
    for (const Json& line : *team.find("serve")->find("errors")->array()) said += *line.text() + "\n";
    CAPTURE(said);
    for (const char* program : {"serve", "r1", "r2"}) CHECK(*team.find(program)->find("code")->number() == 0);
    // Each was acknowledged, by programs (r1, r2) and by the core of the world (r3).
    for (const char* news : {"operator: r1 obeys order 1: way_points", "operator: r1 obeys order 2: stop",
                             "operator: r2 obeys order 7: drive", "operator: r1 obeys order 8: stop",
                             "operator: r3 obeys order 10: stop", "operator: r1 obeys order 11: autonomous"})
        CHECK(said.find(news) != std::string::npos);
    // r2 had left the radio's reach, came back as it was told to, and obeyed then.
    const int lost = position_of(said, "operator: no contact with r2"),
              found = position_of(said, "contact with r2 again");
    const int stopped = position_of(said, "operator: r2 obeys order 9: stop");
    CHECK(lost < found);
    CHECK(lost < stopped);
    // All of it is in the logs, of the world and of each program, and they replay.
    const std::string events = outrider_in(folder, "log events serve.sqlite").out;
    CHECK(events.find(R"(20,operator,0,"{""behaviour"": ""way_points"")") != std::string::npos);
    CHECK(events.find("operator: no contact with r2") != std::string::npos);
    for (const char* log : {"serve", "r1", "r2"})
        CHECK(outrider_in(folder, fmt::format("rerun {}.sqlite", log)).out.starts_with("the same in all"));
    const auto why = [&](const char* robot, int step) {
        return outrider_in(folder, fmt::format("why {0}.sqlite --robot {0} --step {1}", robot, step)).out;
    };
    CHECK(why("r1", 40).find("operator: drives it, 1 way-points left") != std::string::npos);
    CHECK(why("r1", 90).find("operator: drives it\n") != std::string::npos);
    CHECK(why("r1", 310).find("operator:") == std::string::npos);
    CHECK(why("r2", 10).find("operator:") == std::string::npos);
    const Json summary = parse_json(*team.find("serve")->find("out")->text());
    CHECK(*summary.find("metrics")->find("orders_given")->number() == 11);
    CHECK(*summary.find("metrics")->find("orders_obeyed")->number() == 11);
}

TEST_CASE("a base station that is a program of its own gives orders to a robot that is none of ours") {
    const TemporaryFolder folder;
    if (shell_in(folder, "/usr/bin/python3 -c 'import websockets'").code != 0) {
        MESSAGE("skipped: python3-websockets is not installed");
        return;
    }
    const std::string mission =
        "'" OUTRIDER_SOURCE_DIR
        "/docs/examples/turtlebot.toml' --set sensor.beams=181 --set sensor.fov_deg=180 --set "
        "sensor.range_m=6 --set run.step_s=0.05 --relay $(grep -o 'ws://[0-9.:]*' radio.txt | head -1) ";
    // The base station goes on until it has said that the robot obeyed.
    const ProgramResult result = shell_in(
        folder,
        fmt::format(
            "/usr/bin/python3 '{0}/tools/fake_robot' --name tb1 --period 0.025 --seconds 200 > robot.txt & robot=$!; "
            "'{1}' radio --port 0 > radio.txt 2>&1 & radio=$!; "
            "for k in $(seq 1200); do grep -q ws:// robot.txt && grep -q ws:// radio.txt && break; sleep 0.05; done; "
            "timeout 100 '{1}' robot {2} --robots tb1 --connect $(cat robot.txt) --log-file tb1.sqlite 2> tb1.txt & "
            "echo '{{\"robot\": \"tb1\", \"do\": \"stop\"}}' > keys; "
            "timeout 100 '{1}' robot {2} --robots desk --operator - --log-file desk.sqlite < keys 2> desk.txt & "
            "for k in $(seq 1200); do grep -q 'tb1 obeys' desk.txt && break; sleep 0.05; done; "
            "kill -INT %3 %4; wait %3 %4; kill $robot $radio; cat desk.txt",
            OUTRIDER_SOURCE_DIR, OUTRIDER_PROGRAM, mission));
    CAPTURE(result.err);
    CHECK(result.out.find("operator: tb1 obeys order 1: stop") != std::string::npos);
    CHECK(outrider_in(folder, "log events desk.sqlite").out.find("operator,0,") != std::string::npos);
    CHECK(outrider_in(folder, "rerun tb1.sqlite").out.starts_with("the same in all"));
    CHECK(outrider_in(folder, "rerun desk.sqlite").out.starts_with("the same in all"));
}

TEST_CASE("orders that nobody can carry out, and second operators, are named and lose nothing") {
    const TemporaryFolder folder;
    write_text(folder / "kept.sqlite", "an old log");
    write_text(folder / "r1.jsonl", R"({"step": 2, "robot": "r1", "do": "stop"})");
    write_text(folder / "r9.jsonl", R"({"step": 2, "robot": "r9", "do": "stop"})");
    const auto wrong = [&](const std::string& arguments, const std::string& message) {
        const ProgramResult f = outrider_in(folder, arguments + " --log-file kept.sqlite --force");
        CAPTURE(arguments);
        CAPTURE(f.err);
        CHECK(f.code == 2);
        CHECK(f.err.find(message) != std::string::npos);
        CHECK(read_text(folder / "kept.sqlite") == "an old log");
    };
    const std::string robot = "robot " + office + "--connect ws://127.0.0.1:1 ";
    wrong(robot + "--robots r1 --operator r1.jsonl",
          "--operator: orders are given at the base station base; this process decides for r1");
    wrong(robot + "--robots r2 --set operator.through=direct --operator r1.jsonl",
          "r1.jsonl: another process decides for r1, which gets no orders from here");
    wrong(robot + "--robots base,r1 --operator r9.jsonl", "r9.jsonl:1: robot \"r9\" is none of the mobile robots");
    wrong("serve " + office + "--rosbridge 0 --operator r9.jsonl", "robot \"r9\" is none of the mobile robots");
    wrong("serve " + office + "--rosbridge 0 --operator none", "none: cannot be read");
    // The world decides for the base station: nobody else does.
    const ProgramResult two = shell_in(
        folder,
        fmt::format("'{0}' serve {1} --rosbridge 0 --relay 0 --begin --speed 20 --set run.steps=10000 --log none "
                    "--operator r1.jsonl > out.txt 2> serve.txt & serve=$!; "
                    "for k in $(seq 1200); do grep -q 'base connected' serve.txt && break; sleep 0.05; done; "
                    "timeout 60 '{0}' robot {1} --robots base --operator r1.jsonl --log none --steps 20 --relay "
                    "$(grep -o 'ws://[0-9.:]* (relay)' serve.txt | cut -d' ' -f1); kill $serve; wait $serve",
                    OUTRIDER_PROGRAM, office));
    CAPTURE(two.err);
    CHECK(two.err.find("base is connected already") != std::string::npos);
    CHECK(read_text(folder / "serve.txt").find("a client is sent away: base is connected already") !=
          std::string::npos);
}

TEST_CASE("a window looks at a team of several programs by its relay, and is killed without harm") {
    const std::string window = std::filesystem::path(OUTRIDER_PROGRAM).parent_path() / "outrider-view";
    if (!std::filesystem::exists(window)) {
        MESSAGE("skipped: the window is not built");
        return;
    }
    const TemporaryFolder folder;
    const ProgramResult result = shell_in(
        folder,
        fmt::format(
            "'{0}' serve {1} --served r1,r2 --rosbridge 0 --relay 0 --speed 10 --set run.steps=1500 --log none "
            "> out.txt 2> serve.txt & "
            "for k in $(seq 1200); do grep -q '(relay)' serve.txt && break; sleep 0.05; done; "
            "ros=$(grep -o 'ws://[0-9.:]* (rosbridge)' serve.txt | cut -d' ' -f1); "
            "relay=$(grep -o 'ws://[0-9.:]* (relay)' serve.txt | cut -d' ' -f1); "
            "for r in r1 r2; do '{0}' robot {1} --robots $r --connect $ros --relay $relay --log none > $r.txt 2>&1 & "
            "done; "
            "timeout 100 '{2}' {1} --connect $relay --step 5 --screenshot a.png --map-only --size 800x600; "
            "'{2}' {1} --connect $relay --step 100000 --screenshot never.png > /dev/null 2>&1 & killed=$!; "
            "timeout 100 '{2}' {1} --connect $relay --step 80 --screenshot b.png --map-only --size 800x600; "
            "kill -KILL $killed; "
            "timeout 100 '{2}' {1} --connect $relay --step 160 --screenshot c.png --map-only --size 800x600; "
            "kill -INT %1; wait %1; kill %2 %3; wait; true",
            OUTRIDER_PROGRAM, office, window));
    CAPTURE(result.err);
    CAPTURE(read_text(folder / "serve.txt"));
    for (const char* picture : {"a.png", "b.png", "c.png"}) REQUIRE(std::filesystem::exists(folder / picture));
    CHECK(read_text(folder / "a.png") != read_text(folder / "b.png"));
    CHECK(read_text(folder / "b.png") != read_text(folder / "c.png"));
    CHECK(read_text(folder / "serve.txt").find("viewer 2 looks at what base knows") != std::string::npos);
    CHECK(read_text(folder / "serve.txt").find("viewer 2 left") != std::string::npos);
}

}  // namespace test_cli_live_operator
