// No file starts a program: what a stranger's scenario, log, plan or results file names is not run when it is looked
// at.
#include <algorithm>
#include <filesystem>

#include "base/programs.hpp"
#include "outrider/error.hpp"
#include "program.hpp"
#include "robot/registry.hpp"

using namespace outrider;

namespace test_programs {
namespace {

/// A scenario whose robot is decided for by a program that leaves a file behind.
void write_trap(const TemporaryFolder& folder) {
    write_text(folder / "trap.toml",
               "[map]\nfile = '" OUTRIDER_SOURCE_DIR
               "/environments/small_office.png'\n[team]\nrobots = 1\nstrategy = 'external(cmd="
               "\"touch SPRUNG; python3 " OUTRIDER_SOURCE_DIR "/tools/external_nearest.py\")'\n[run]\nsteps = 8\n");
}

bool sprung(const TemporaryFolder& folder) { return std::filesystem::remove(folder / "SPRUNG"); }

}  // namespace

TEST_CASE("a scenario, a log of any level, a plan and its results start nothing when they are looked at") {
    const TemporaryFolder folder;
    write_trap(folder);
    for (const char* level : {"full", "poses", "metrics"}) {
        REQUIRE(outrider_in(folder, fmt::format("run trap.toml --allow-external --log {0} --log-file {0}.log", level))
                    .code == 0);
        CHECK(sprung(folder));
    }
    write_text(folder / "s.toml", "name = 's'\nmaps = ['trap.toml']\nseeds = '1..2'\n");
    REQUIRE(outrider_in(folder, "sweep plan s.toml -o plan").code == 0);
    CHECK_FALSE(sprung(folder));
    for (const std::string command :
         {"run trap.toml --log none", "run trap.toml --log-file full.log --force", "rerun full.log -o new.log",
          "rerun poses.log", "rerun poses.log --log full -o full.log --force", "why poses.log --robot r1 --step 3",
          "replay poses.log --png frames", "sweep run plan --quiet",
          "sweep rerun plan --run 0 --log-file full.log --force"}) {
        CAPTURE(command);
        const ProgramResult r = outrider_in(folder, command);
        INFO(r.err);
        CHECK(r.code == 2);
        CHECK(r.err.find("would start the program 'touch SPRUNG; python3 ") != std::string::npos);
        CHECK(r.err.find("nothing was started. --allow-external lets it, a line in ") != std::string::npos);
        CHECK_FALSE(sprung(folder));
    }
    CHECK(outrider_in(folder, "log info full.log").code == 0);  // nothing of it was lost
    // What was recorded is shown as before.
    CHECK(outrider_in(folder, "why full.log --robot r1 --step 3").code == 0);
    CHECK(outrider_in(folder, "replay full.log --png frames").code == 0);
    const ProgramResult replayed = outrider_in(folder, "rerun full.log");
    CHECK(replayed.code == 0);
    CHECK(replayed.err.find("would start the program 'touch SPRUNG; python3 ") != std::string::npos);
    CHECK(replayed.err.find("; the decisions that the log holds are replayed instead") != std::string::npos);
    CHECK(replayed.out == "the same in all 8 steps that the log holds\n");
    CHECK_FALSE(sprung(folder));

    REQUIRE(outrider_in(folder, "sweep run plan --quiet --allow-external").code == 0);
    CHECK(sprung(folder));
    REQUIRE(outrider_in(folder, "sweep merge plan -o results.sqlite").code == 0);
    outrider_in(folder, "sweep report results.sqlite -o r.html");
    outrider_in(folder, "figure results.sqlite --kind tracks -o f.svg");
    CHECK_FALSE(sprung(folder));
    CHECK(outrider_in(folder, "rerun poses.log --allow-external").code == 0);
    CHECK(sprung(folder));
}

TEST_CASE("who types a command, or lists it, is not asked again; another command is") {
    const TemporaryFolder folder;
    write_trap(folder);
    const std::string program = "python3 " OUTRIDER_SOURCE_DIR "/tools/external_nearest.py";
    const std::string typed = "'external(cmd=\"touch SPRUNG; " + program + "\")'";
    const std::string run =
        "run --map " OUTRIDER_SOURCE_DIR "/environments/small_office.png --robots 1 --steps 3 --log none ";
    CHECK(outrider_in(folder, run + "--strategy " + typed).code == 0);
    CHECK(sprung(folder));
    CHECK(outrider_in(folder, run + "--set team.strategy=" + typed).code == 0);
    CHECK(sprung(folder));
    std::filesystem::create_directories(folder / "config/outrider");
    write_text(folder / "config/outrider/programs", "# mine\ntouch SPRUNG; " + program + "\n");
    const std::string configured = "XDG_CONFIG_HOME='" + (folder / "config") + "'";
    CHECK(outrider_in(folder, "run trap.toml --log none", configured).code == 0);
    CHECK(sprung(folder));
    write_text(folder / "config/outrider/programs", program + "\n");
    CHECK(outrider_in(folder, "run trap.toml --log none", configured).code == 2);
    CHECK_FALSE(sprung(folder));
}

TEST_CASE("the program of a strategy is found in its text") {
    CHECK(program_of("external(cmd=\"a b\", timeout_s=3)", "t") == "a b");
    CHECK(program_of("external", "t").empty());
    CHECK(program_of("nearest", "t").empty());
    CHECK_THROWS_WITH_AS(expect_allowed("no such thing", "x"), doctest::Contains("x would start the program"), Error);
}

}  // namespace test_programs
