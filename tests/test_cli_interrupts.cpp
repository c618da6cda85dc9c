// Ctrl-C in the commands that take their time: what they say and leave behind.
#include <filesystem>

#include "program.hpp"
#include "sweep_helpers.hpp"

using namespace outrider;
namespace fs = std::filesystem;

namespace {

/// What the program says when it gets SIGINT after a second.
ProgramResult interrupted_in(const TemporaryFolder& folder, const std::string& arguments) {
    return outrider_in(folder, arguments, "timeout --preserve-status -s INT 1");
}

}  // namespace

TEST_CASE("an interrupted comparison prints what it has") {
    const TemporaryFolder folder;
    write_sweep(folder, "");
    const ProgramResult r =
        interrupted_in(folder, "compare nearest random_walk --map a.toml --seeds 50000 --csv runs.csv");
    CHECK(r.code == 130);
    CHECK(r.out.starts_with("interrupted: "));
    CHECK(r.out.find(" of 100000 runs are done; what follows is about the ") != std::string::npos);
    CHECK(r.out.find("random_walk - nearest: median ") != std::string::npos);
    const std::string csv = read_text(folder / "runs.csv");
    CHECK(csv.find("\nnearest,a,1,") != std::string::npos);
    CHECK(csv.find("\nrandom_walk,a,1,") != std::string::npos);
}

TEST_CASE("an interrupted comparison with a report goes on with the same command") {
    const TemporaryFolder folder;
    write_sweep(folder, "");
    const ProgramResult r = interrupted_in(folder, "compare nearest stay --map a.toml --seeds 50000 --report r.html");
    CHECK(r.code == 130);
    CHECK(r.out.find("no report yet; so does the same command, which then writes r.html") != std::string::npos);
    CHECK_FALSE(fs::exists(folder / "r.html"));
}

TEST_CASE("an interrupted rerun and replay say where, and the new log is readable") {
    const TemporaryFolder folder;
    write_sweep(folder, "");
    REQUIRE(
        outrider_in(folder, "run a.toml --strategy random_walk --steps 100000 --log-file run.sqlite --quiet").code ==
        0);
    ProgramResult r = interrupted_in(folder, "rerun run.sqlite -o new.sqlite");
    CHECK(r.code == 130);
    CHECK(r.out.find("of 100000 steps; the new log ends there: new.sqlite") != std::string::npos);
    CHECK(outrider_in(folder, "log info new.sqlite").out.find("interrupted") != std::string::npos);
    r = interrupted_in(folder, "replay run.sqlite");
    CHECK(r.code == 130);
    CHECK(r.out.find("interrupted before step ") != std::string::npos);
    CHECK(r.out.find("no events are printed") != std::string::npos);
}

TEST_CASE("an interrupted generation leaves nothing") {
    const TemporaryFolder folder;
    const ProgramResult r = interrupted_in(folder, "generate campus --size 16000x16000 -o m.png --scenario m.toml");
    CHECK(r.code == 130);
    CHECK(r.err == "outrider: interrupted; nothing was written\n");
    for (const char* file : {"m.png", "m.toml", "m.png.partial", "m.toml.partial"})
        CHECK_FALSE(fs::exists(folder / file));
}

TEST_CASE("a program that hangs does not hold up the end of an interrupted run, and what there is stays") {
    const TemporaryFolder folder;
    write_sweep(folder, "");
    const std::string run =
        "run a.toml --strategy 'external(cmd=\"sleep 60\", timeout_s=20)' --robots 2 --log full --log-file run.sqlite";
    ProgramResult r = interrupted_in(folder, run + " --csv steps.csv");
    CHECK(r.code == 130);
    CHECK(r.out.find("ended after 1 steps: interrupted") != std::string::npos);
    CHECK(outrider_in(folder, "log info run.sqlite").out.find("interrupted") != std::string::npos);
    CHECK(read_text(folder / "steps.csv").find("\n0,") != std::string::npos);
    r = outrider_in(folder, "why run.sqlite --robot r1 --step 0");
    CHECK(r.out.find("rule: stays: the run was interrupted before the program had answered") != std::string::npos);
}

TEST_CASE("a program that answers, if slowly, is waited for to the end of the step: the log can be run again") {
    const TemporaryFolder folder;
    write_sweep(folder, "");
    write_text(folder / "slow.sh", "read briefing; while read belief; do sleep 0.3; echo '{\"random\": true}'; done\n");
    const ProgramResult r = interrupted_in(
        folder, "run a.toml --strategy 'external(cmd=\"sh slow.sh\")' --robots 1 --steps 9 --log-file run.sqlite");
    CHECK(r.code == 130);
    CHECK(outrider_in(folder, "rerun run.sqlite").code == 0);
}
