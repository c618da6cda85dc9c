// No file starts a program: what an untrusted scenario, log, plan or results file names is not run when it is looked
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
        CHECK(r.err.find("nothing was started. --allow-external lets it, outrider allow 'touch SPRUNG; ") !=
              std::string::npos);
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
    const std::string configured = "XDG_CONFIG_HOME='" + (folder / "config") + "'";
    CHECK(outrider_in(folder, "allow 'touch SPRUNG; " + program + "'", configured).code == 0);
    CHECK(outrider_in(folder, "run trap.toml --log none", configured).code == 0);
    CHECK(sprung(folder));
    // What is not all of it does not count, nor does a command without its fingerprint.
    std::filesystem::remove_all(folder / "config");
    CHECK(outrider_in(folder, "allow '" + program + "'", configured).code == 0);
    CHECK(outrider_in(folder, "run trap.toml --log none", configured).code == 2);
    write_text(folder / "config/outrider/programs", "# mine\ntouch SPRUNG; " + program + "\n");
    const ProgramResult old = outrider_in(folder, "run trap.toml --log none", configured);
    CHECK(old.code == 2);
    CHECK(old.err.find("is a command alone does not count any more") != std::string::npos);
    CHECK_FALSE(sprung(folder));
}

TEST_CASE("what was allowed is a file in a folder as it was: no other one of its name starts") {
    const TemporaryFolder folder;
    const std::string client = read_text(OUTRIDER_SOURCE_DIR "/tools/external_nearest.py");
    const std::string configured =
        fmt::format("XDG_CONFIG_HOME='{}' PYTHONPATH='{}'", folder / "config", OUTRIDER_SOURCE_DIR "/tools");
    const auto run_in = [&](const std::string& place) {
        return outrider_in(folder, "run trap.toml --log none", "cd " + place + "; " + configured).code;
    };
    for (const std::string place : {"mine", "theirs"}) {
        std::filesystem::create_directories(folder / (place + "/tools"));
        write_text(folder / (place + "/tools/decide.py"), client);
        write_text(folder / (place + "/trap.toml"),
                   "[map]\nfile = '" OUTRIDER_SOURCE_DIR
                   "/environments/small_office.png'\n[team]\nrobots = 1\n"
                   "strategy = 'external(cmd=\"python3 tools/decide.py\")'\n[run]\nsteps = 2\n");
    }
    CHECK(run_in("mine") == 2);
    CHECK(outrider_in(folder, "allow 'python3 tools/decide.py'", "cd mine; " + configured).code == 0);
    CHECK(run_in("mine") == 0);
    CHECK(run_in("theirs") == 2);  // the same content, elsewhere
    write_text(folder / "mine/tools/decide.py", client + "\n# changed\n");
    CHECK(run_in("mine") == 2);
    write_text(folder / "mine/tools/decide.py", client);
    CHECK(run_in("mine") == 0);
}

TEST_CASE("the fingerprint of a program covers modules of Python and the models that it names") {
    CHECK(program_of("python(mine:Mine, model=\"a.pt\")", "t") == "python mine:Mine a.pt");
    CHECK(program_of("python(mine:Mine)", "t") == "python mine:Mine");
    const TemporaryFolder folder;
    write_text(folder / "a.pt", "weights");
    const std::string command = "python mine:Mine " + (folder / "a.pt");
    const std::string before = program_fingerprint(command);
    CHECK(before.size() == 32);
    CHECK(program_fingerprint(command) == before);
    write_text(folder / "a.pt", "others");
    CHECK(program_fingerprint(command) != before);
    CHECK(program_fingerprint(command + " ") != program_fingerprint(command));
}

TEST_CASE("the program of a strategy is found in its text") {
    CHECK(program_of("external(cmd=\"a b\", timeout_s=3)", "t") == "a b");
    CHECK(program_of("external", "t").empty());
    CHECK(program_of("nearest", "t").empty());
    CHECK_THROWS_WITH_AS(expect_allowed("no such thing", "x"), doctest::Contains("x would start the program"), Error);
}

}  // namespace test_programs
