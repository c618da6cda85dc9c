// Orders and people to be found, from the command line.
#include "program.hpp"

using namespace outrider;

namespace test_cli_operator {
namespace {

const std::string small =
    std::string("run '") + OUTRIDER_SOURCE_DIR + "/environments/small_office.toml' --quiet --force ";

}  // namespace

TEST_CASE("orders come from a file or from the standard input, and are in the log") {
    const TemporaryFolder folder;
    const std::string text = R"({"step": 3, "robot": "r1", "do": "stop"})"
                             "\n"
                             R"({"step": 9, "do": "all_stop"})"
                             "\n";
    write_text(folder / "o.jsonl", text);
    const ProgramResult file = outrider_in(folder, small + "--steps 20 --operator o.jsonl --log-file a");
    REQUIRE(file.code == 0);
    CHECK(file.out.find("operator             3 orders, 3 obeyed after 1 steps") != std::string::npos);
    const ProgramResult piped = outrider_in(folder, small + "--steps 20 --operator - --log-file b < o.jsonl");
    REQUIRE(piped.code == 0);
    CHECK(outrider_in(folder, "log digest a").out == outrider_in(folder, "log digest b").out);
    CHECK(outrider_in(folder, "rerun a").code == 0);
    const std::string events = outrider_in(folder, "log events a").out;
    CHECK(events.find("3,operator,0") != std::string::npos);
    CHECK(events.find(R"(""to"": 1)") != std::string::npos);
}

TEST_CASE("orders that cannot be are refused before an old log is overwritten") {
    const TemporaryFolder folder;
    write_text(folder / "log", "old");
    write_text(folder / "bad.jsonl", "{\"step\": 1, \"do\": \"fly\"}\n");
    for (const auto& entry : std::initializer_list<std::pair<const char*, const char*>>{
             {"--operator bad.jsonl", "bad.jsonl:1: \"do\": \"fly\" is unknown"},
             {"--operator none.jsonl", "none.jsonl: cannot be read; expected the orders of an operator"},
             {"--operator .", "it is a folder"}}) {
        CAPTURE(entry.first);
        const ProgramResult result = outrider_in(folder, small + "--log-file log " + entry.first);
        CHECK(result.code == 2);
        CHECK(result.err.find(entry.second) != std::string::npos);
        CHECK(read_text(folder / "log") == "old");
    }
}

TEST_CASE("people who were found are exported as a table, and those confirmed as way-points with routes") {
    const TemporaryFolder folder;
    REQUIRE(
        outrider_in(folder, small + "--set victims.count=5 --set victims.accuracy=1 --log full --log-file full").code ==
        0);
    REQUIRE(outrider_in(folder, "log export full -o out --geo 51.75,-1.25").code == 0);
    const std::string table = read_text(folder / "out/victims.csv"), gpx = read_text(folder / "out/victims.gpx");
    CHECK(table.starts_with("victim,x_m,y_m,id,status,state,reported_step,decided_step\n"));
    const auto count = [](const std::string& text, const std::string& what) {
        std::size_t n = 0;
        for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
        return n;
    };
    CHECK(count(table, ",confirmed,") > 0);
    CHECK(count(gpx, "<wpt ") == count(table, ",confirmed,"));
    CHECK(count(gpx, "<rte>") == count(gpx, "<wpt "));
    CHECK(count(gpx, "<rtept ") >= 2 * count(gpx, "<rte>"));
}

TEST_CASE("an operator switches modes in a file; why prints the active motions and the rule that led to them") {
    const TemporaryFolder folder;
    write_text(folder / "orders.jsonl",
               "{\"step\": 5, \"robot\": \"r1\", \"do\": \"behaviour\", \"name\": \"follow_corridor\"}\n"
               "{\"step\": 9, \"robot\": \"r2\", \"do\": \"drive\", \"forward\": 0.2}\n");
    const ProgramResult run =
        outrider_in(folder, "run " OUTRIDER_SOURCE_DIR
                            "/environments/small_office.toml --set team.strategy=behaviours --steps 30 "
                            "--operator orders.jsonl --log full --log-file log --quiet");
    CHECK_MESSAGE(run.code == 0, run.err);
    const auto why = [&](int robot, int step) {
        return outrider_in(folder, fmt::format("why log --robot {} --step {}", robot, step)).out;
    };
    CHECK(why(1, 3).find("state: autonomous: ") != std::string::npos);
    CHECK(why(1, 12).find("state: follow_corridor: ") != std::string::npos);
    CHECK(why(1, 12).find("rule: ") != std::string::npos);
    CHECK(why(2, 20).find("state: tele_operation: no motion") != std::string::npos);
    CHECK(why(2, 20).find("rule: waits for the operator") != std::string::npos);
    CHECK(outrider_in(folder, "rerun log").code == 0);
    // A robot with another strategy is autonomous, or driven.
    const ProgramResult refused = outrider_in(
        folder, "run " OUTRIDER_SOURCE_DIR "/environments/small_office.toml --steps 30 --operator orders.jsonl");
    CHECK(refused.code == 2);
    CHECK(refused.err.find("orders.jsonl:1: \"name\": \"follow_corridor\": the strategy of r1") != std::string::npos);
}

}  // namespace test_cli_operator
