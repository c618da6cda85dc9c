// Signals in the commands that take their time: what they say and leave behind.
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "log/log_reader.hpp"
#include "outrider/detail/hash.hpp"
#include "program.hpp"
#include "sweep_helpers.hpp"

using namespace outrider;
namespace fs = std::filesystem;

namespace test_cli_interrupts {
namespace {

/// What the program says when it gets SIGINT after so long.
ProgramResult interrupted_in(const TemporaryFolder& folder, const std::string& arguments, double after_s = 0.5) {
    return outrider_in(folder, arguments, fmt::format("timeout --preserve-status -s INT {}", after_s));
}

/// A run that takes long, as a child; its log goes to run.sqlite in the folder.
pid_t start_long_run(const TemporaryFolder& folder) {
    const pid_t child = fork();
    if (child != 0) return child;
    if (chdir(folder.path().c_str()) != 0) _exit(9);
    dup2(open("stdout.txt", O_WRONLY | O_CREAT, 0600), STDOUT_FILENO);
    dup2(open("stderr.txt", O_WRONLY | O_CREAT, 0600), STDERR_FILENO);
    execl(OUTRIDER_PROGRAM, "outrider", "run", "a.toml", "--strategy", "random_walk", "--steps", "10000000",
          "--log-file", "run.sqlite", "--csv", "steps.csv", nullptr);
    _exit(9);
}

void wait_for_steps(const TemporaryFolder& folder) {
    for (int i = 0; i < 1000; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        std::error_code error;
        if (fs::exists(folder / "run.sqlite", error)) try {
                if (LogReader(folder / "run.sqlite").steps().metrics.size() > 64) return;
            } catch (const std::exception&) {
            }
    }
}

}  // namespace

TEST_CASE("Ctrl-C ends a run cleanly, with a readable log and the summary so far") {
    const TemporaryFolder folder;
    write_sweep(folder, "");
    const pid_t child = start_long_run(folder);
    wait_for_steps(folder);
    kill(child, SIGINT);
    int status = 0;
    waitpid(child, &status, 0);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 130);
    const std::string out = read_text(folder / "stdout.txt");
    CHECK(out.find("steps: interrupted") != std::string::npos);
    CHECK(out.find("known at the end") != std::string::npos);
    LogReader log(folder / "run.sqlite");
    CHECK(log.meta().at("end_reason") == "interrupted");
    const std::string csv = read_text(folder / "steps.csv");
    CHECK(log.steps().metrics.size() == static_cast<std::size_t>(std::count(csv.begin(), csv.end(), '\n') - 1));
}

TEST_CASE("after kill -9 all committed steps are readable") {
    const TemporaryFolder folder;
    write_sweep(folder, "");
    const pid_t child = start_long_run(folder);
    wait_for_steps(folder);
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    LogReader log(folder / "run.sqlite");
    const LogSteps steps = log.steps();
    CHECK(steps.metrics.size() > 64);
    CHECK(steps.damaged.empty());
    const ProgramResult info = outrider_in(folder, "log info run.sqlite");
    CHECK(info.code == 0);
    CHECK(info.out.find("the run was cut off here") != std::string::npos);
}

TEST_CASE("an interrupted comparison prints what it has") {
    const TemporaryFolder folder;
    write_sweep(folder, "");
    const ProgramResult r =
        interrupted_in(folder, "compare nearest random_walk --map a.toml --seeds 50000 --csv runs.csv");
    CHECK(r.code == 130);
    CHECK(r.out.starts_with("interrupted: "));
    CHECK(r.out.find(" of 100000 runs are done; what follows is about the ") != std::string::npos);
    CHECK(r.out.find("random_walk - nearest on one map, ") != std::string::npos);
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

TEST_CASE("an interrupted why and an interrupted open loop say where, and the new log is readable") {
    const TemporaryFolder folder;
    write_sweep(folder, "");
    for (const char* log : {"--log full --log-file full.sqlite --steps 40000", "--log-file run.sqlite --steps 100000"})
        REQUIRE(outrider_in(folder, fmt::format("run a.toml --strategy random_walk --quiet {}", log)).code == 0);
    ProgramResult r = interrupted_in(folder, "why run.sqlite --robot r1 --step 99999");
    CHECK(r.code == 130);
    CHECK(r.out.starts_with("interrupted after "));
    CHECK(r.out.ends_with(" steps of the run, before step 99999\n"));
    r = interrupted_in(folder, "run --replay full.sqlite --strategy mmpf --log-file new.sqlite --csv new.csv", 2);
    CHECK(r.code == 130);
    CHECK(r.out.starts_with("interrupted after "));
    CHECK(r.out.find(" of 40000 steps; the new log ends after ") != std::string::npos);
    CHECK(read_text(folder / "new.csv").find("\n0,1,r1,1,") != std::string::npos);
    LogReader log(folder / "new.sqlite");
    const LogSteps steps = log.steps();
    CHECK(log.meta().at("end_reason") == "interrupted");
    Hash128 all{};
    for (const Hash128& h : steps.hashes) all = Hasher()(all)(h).result();
    CHECK(log.meta().at("steps_hash") == all.hex());
    for (const LogReader::Event& e : log.events()) CHECK(e.step <= steps.steps.back());
    CHECK(outrider_in(folder, "replay new.sqlite").code == 0);
}

TEST_CASE("a run of a sweep that is done once more leaves a whole log when interrupted") {
    const TemporaryFolder folder;
    write_sweep(folder, "[set]\nrun.steps = 1000000\n[axes]\nstrategy = ['random_walk']\n");
    REQUIRE(outrider_in(folder, "sweep plan sweep.toml -o d").code == 0);
    const ProgramResult r = interrupted_in(folder, "sweep rerun d --run 0 --log-file run.sqlite");
    CHECK(r.code == 130);
    CHECK(r.out.find(" steps: interrupted\nlog run.sqlite\n") != std::string::npos);
    CHECK(outrider_in(folder, "log info run.sqlite").out.find("interrupted") != std::string::npos);
}

TEST_CASE("a command that has nothing to say when interrupted says so much") {
    const TemporaryFolder folder;
    write_sweep(folder, "");
    write_text(folder / "sweep.toml", "maps = ['a']\nseeds = '1..1000000'\n[axes]\nteam.robots = '1..9'\n");
    const ProgramResult r = outrider_in(folder, "sweep plan sweep.toml -o d", "timeout --preserve-status -s TERM 1");
    CHECK(r.code == 130);
    CHECK(r.err == "outrider: interrupted\n");
}

TEST_CASE("interrupted planning and checking say so") {
    const TemporaryFolder folder;
    write_sweep(folder, "");
    ProgramResult r = interrupted_in(folder, "plan --map a.png --random 1000000000");
    CHECK(r.code == 130);
    CHECK(r.out.starts_with("interrupted after "));
    CHECK(r.out.find("random queries, jps, 0 wrong") != std::string::npos);
    write_map(folder / "large.png", {Grid<std::uint8_t>(8000, 8000, 0, Lattice{0.1}), {}}, true);
    r = interrupted_in(folder, "check --map large.png --png large_check.png");
    CHECK(r.code == 130);
    CHECK(r.err == "outrider: interrupted; nothing else was checked, and nothing written\n");
    r = interrupted_in(folder, "plan --map large.png --from 1,1 --to 799,799 --png way.png");
    CHECK(r.code == 130);
    CHECK(r.err == "outrider: interrupted; nothing was written\n");
    for (const char* file : {"large_check.png", "way.png", "large_check.png.partial", "way.png.partial"})
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
    CHECK(outrider_in(folder, "rerun run.sqlite --allow-external").code == 0);
}

}  // namespace test_cli_interrupts
