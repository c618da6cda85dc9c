// Signals in the commands that take their time: what they say and leave behind.
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <sstream>
#include <thread>

#include "log/log_reader.hpp"
#include "outrider/detail/hash.hpp"
#include "program.hpp"
#include "sweep_helpers.hpp"
#include "terminal.hpp"

using namespace outrider;
namespace fs = std::filesystem;

namespace test_cli_interrupts {
namespace {

/// A command as a child that gets a signal when it is at work, however long it takes to get there. Its standard error
/// is a terminal, since commands tell of their progress only there.
class Started {
  public:
    Started(const TemporaryFolder& folder, const std::string& arguments) : folder_(folder) {
        terminal_ = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
        REQUIRE(terminal_ >= 0);
        REQUIRE(grantpt(terminal_) == 0);
        REQUIRE(unlockpt(terminal_) == 0);
        const std::string name = ptsname(terminal_);
        const std::string command = fmt::format("exec '{}' {}", OUTRIDER_PROGRAM, arguments);
        int begun[2];  // closed by the program's start: until then the child is a copy of the tests
        REQUIRE(pipe2(begun, O_CLOEXEC) == 0);
        pid_ = fork();
        REQUIRE(pid_ >= 0);
        if (pid_ > 0) {
            close(begun[1]);
            char nothing = 0;
            CHECK(read(begun[0], &nothing, 1) == 0);
            close(begun[0]);
            return;
        }
        if (chdir(folder.path().c_str()) != 0) _exit(9);
        dup2(open("stdout.txt", O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO);
        dup2(open(name.c_str(), O_RDWR | O_NOCTTY), STDERR_FILENO);
        execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
        _exit(9);
    }
    ~Started() {
        if (running()) end(SIGKILL);
        close(terminal_);
    }
    Started(const Started&) = delete;
    Started& operator=(const Started&) = delete;

    /// Waits until the condition holds. The time is only there so that a command that never gets there ends the test.
    template <class Condition>
    void wait_until(Condition&& holds) {
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(120);
        bool held = false;
        while (running() && !(held = holds()) && std::chrono::steady_clock::now() < end)
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        CAPTURE(said());
        REQUIRE(running());  // otherwise there is nothing left to interrupt
        REQUIRE(held);
    }

    ProgramResult end(int signal) {
        kill(pid_, signal);
        while (running()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
        std::string err = screen_of(said()).text();  // what stands there in the end: progress is gone
        err.pop_back();
        return {WIFEXITED(status_) ? WEXITSTATUS(status_) : -1, read_text(folder_ / "stdout.txt"), err};
    }

    /// Also takes what it says, so that it is never held up by a terminal that nobody reads.
    bool running() {
        said();
        ended_ = ended_ || waitpid(pid_, &status_, WNOHANG) == pid_;
        return !ended_;
    }
    /// What it has said so far on standard error.
    const std::string& said() {
        char text[4096];
        for (ssize_t n; (n = read(terminal_, text, sizeof text)) > 0;) said_.append(text, static_cast<std::size_t>(n));
        return said_;
    }
    /// Of the last line of progress: the number before " of `all`"; 0: there is none yet.
    int done_of(int all) {
        const std::string of = fmt::format(" of {} ", all);
        const std::size_t at = said().rfind(of);
        if (at == std::string::npos) return 0;
        const std::size_t begin = said_.find_last_not_of("0123456789", at - 1) + 1;
        return std::atoi(said_.c_str() + begin);
    }
    /// Whether it has this file of the folder open.
    bool has_open(const std::string& file) const {
        std::error_code none;
        for (const fs::directory_entry& fd : fs::directory_iterator(fmt::format("/proc/{}/fd", pid_), none))
            if (fs::read_symlink(fd.path(), none).string().ends_with("/" + file)) return true;
        return false;
    }
    /// What it holds in memory, in megabytes.
    int memory_mb() const {
        std::istringstream pages(read_text(fmt::format("/proc/{}/statm", pid_)));
        long size = 0, resident = 0;
        pages >> size >> resident;
        return static_cast<int>(resident * sysconf(_SC_PAGESIZE) >> 20);
    }
    /// CPU time that it has used, in seconds.
    double cpu_s() const {
        const std::string stat = read_text(fmt::format("/proc/{}/stat", pid_));
        std::istringstream fields(stat.substr(std::min(stat.size(), stat.rfind(')') + 1)));
        std::string skipped;
        for (int k = 0; k < 11; ++k) fields >> skipped;
        double user = 0, system = 0;
        fields >> user >> system;
        return (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
    }

  private:
    const TemporaryFolder& folder_;
    pid_t pid_ = -1;
    int terminal_ = -1, status_ = 0;
    bool ended_ = false;
    std::string said_;
};

/// What the program says when it gets SIGINT as soon as the condition holds.
template <class Condition>
ProgramResult interrupted_when(const TemporaryFolder& folder, const std::string& arguments, Condition&& at_work) {
    Started program(folder, arguments);
    program.wait_until([&] { return at_work(program); });
    return program.end(SIGINT);
}

/// The same for work that shows nothing before its end: after some CPU time, and after more of it if the program says
/// that it had not come to the work by then.
template <class Condition>
ProgramResult interrupted_in_silence(const TemporaryFolder& folder, const std::string& arguments,
                                     Condition&& had_begun) {
    ProgramResult r{};
    for (double cpu_s = 0.1; cpu_s < 60; cpu_s *= 2) {
        r = interrupted_when(folder, arguments, [&](Started& p) { return p.cpu_s() >= cpu_s; });
        if (r.code != 130 || had_begun(r)) break;
    }
    return r;
}

/// Steps of a log that can be read by now.
std::size_t steps_in(const TemporaryFolder& folder, const std::string& log) {
    std::error_code error;
    if (fs::exists(folder / log, error)) try {
            return LogReader(folder / log).steps().metrics.size();
        } catch (const std::exception&) {
        }
    return 0;
}

constexpr auto long_run = "run a.toml --strategy random_walk --steps 10000000 --log-file run.sqlite --csv steps.csv";

}  // namespace

TEST_CASE("Ctrl-C ends a run cleanly, with a readable log and the summary so far") {
    const TemporaryFolder folder;
    write_sweep(folder, "");
    const ProgramResult r =
        interrupted_when(folder, long_run, [&](Started&) { return steps_in(folder, "run.sqlite") > 64; });
    CHECK(r.code == 130);
    CHECK(r.out.find("steps: interrupted") != std::string::npos);
    CHECK(r.out.find("known at the end") != std::string::npos);
    LogReader log(folder / "run.sqlite");
    CHECK(log.meta().at("end_reason") == "interrupted");
    const std::string csv = read_text(folder / "steps.csv");
    CHECK(log.steps().metrics.size() == static_cast<std::size_t>(std::count(csv.begin(), csv.end(), '\n') - 1));
}

TEST_CASE("after kill -9 all committed steps are readable") {
    const TemporaryFolder folder;
    write_sweep(folder, "");
    {
        Started run(folder, long_run);
        run.wait_until([&] { return steps_in(folder, "run.sqlite") > 64; });
        CHECK(run.end(SIGKILL).code == -1);
    }
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
    // Two runs at a time: with ten of them done, the first of each strategy is among them.
    const ProgramResult r =
        interrupted_when(folder, "compare nearest random_walk --map a.toml --seeds 50000 --csv runs.csv --threads 2",
                         [](Started& p) { return p.done_of(100'000) >= 10; });
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
    const ProgramResult r = interrupted_when(folder, "compare nearest stay --map a.toml --seeds 50000 --report r.html",
                                             [](Started& p) { return p.done_of(100'000) >= 1; });
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
    ProgramResult r = interrupted_when(folder, "rerun run.sqlite -o new.sqlite",
                                       [&](Started&) { return steps_in(folder, "new.sqlite") > 0; });
    CHECK(r.code == 130);
    CHECK(r.out.find("of 100000 steps; the new log ends there: new.sqlite") != std::string::npos);
    CHECK(outrider_in(folder, "log info new.sqlite").out.find("interrupted") != std::string::npos);
    r = interrupted_in_silence(folder, "replay run.sqlite", [](const ProgramResult& said) {
        return said.out.find("before step") != std::string::npos &&
               said.out.find("before step 0\n") == std::string::npos;
    });
    CHECK(r.code == 130);
    CHECK(r.out.find("interrupted before step ") != std::string::npos);
    CHECK(r.out.find("no events are printed") != std::string::npos);
}

TEST_CASE("an interrupted generation leaves nothing") {
    const TemporaryFolder folder;
    // A byte for each cell: with a fifth of them in memory it is in the middle of it.
    const ProgramResult r = interrupted_when(folder, "generate campus --size 16000x16000 -o m.png --scenario m.toml",
                                             [](Started& p) { return p.memory_mb() > 50; });
    CHECK(r.code == 130);
    CHECK(r.err == "outrider: interrupted; nothing was written\n");
    for (const char* file : {"m.png", "m.toml"}) {
        CHECK_FALSE(fs::exists(folder / file));
        CHECK(partial_bytes(folder.path(), file) == 0);
    }
}

TEST_CASE("an interrupted why and an interrupted open loop say where, and the new log is readable") {
    const TemporaryFolder folder;
    write_sweep(folder, "");
    for (const char* log : {"--log full --log-file full.sqlite --steps 20000", "--log-file run.sqlite --steps 100000"})
        REQUIRE(outrider_in(folder, fmt::format("run a.toml --strategy random_walk --quiet {}", log)).code == 0);
    ProgramResult r =
        interrupted_in_silence(folder, "why run.sqlite --robot r1 --step 99999", [](const ProgramResult& said) {
            return said.out.starts_with("interrupted") && !said.out.starts_with("interrupted after 0 ");
        });
    CHECK(r.code == 130);
    CHECK(r.out.starts_with("interrupted after "));
    CHECK(r.out.ends_with(" steps of the run, before step 99999\n"));
    r = interrupted_when(folder, "run --replay full.sqlite --strategy mmpf --log-file new.sqlite --csv new.csv",
                         [&](Started&) {  // the new log holds the steps of the old one before they are decided again
                             return partial_bytes(folder.path(), "new.csv") > 1000;
                         });
    CHECK(r.code == 130);
    CHECK(r.out.starts_with("interrupted after "));
    CHECK(r.out.find(" of 20000 steps; the new log ends after ") != std::string::npos);
    const std::string csv = read_text(folder / "new.csv");
    CAPTURE(csv.substr(0, 300));
    CHECK(csv.find("\n0,1,r1,1,") != std::string::npos);
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
    const ProgramResult r = interrupted_when(folder, "sweep rerun d --run 0 --log-file run.sqlite",
                                             [&](Started&) { return steps_in(folder, "run.sqlite") > 0; });
    CHECK(r.code == 130);
    CHECK(r.out.find(" steps: interrupted\nlog run.sqlite\n") != std::string::npos);
    CHECK(outrider_in(folder, "log info run.sqlite").out.find("interrupted") != std::string::npos);
}

TEST_CASE("a command that has nothing to say when interrupted says so much") {
    const TemporaryFolder folder;
    write_sweep(folder, "");
    write_text(folder / "sweep.toml", "maps = ['a']\nseeds = '1..1000000'\n[axes]\nteam.robots = '1..9'\n");
    Started plan(folder, "sweep plan sweep.toml -o d");
    plan.wait_until([&] { return partial_bytes(folder / "d", "plan.sqlite") > 0; });
    const ProgramResult r = plan.end(SIGTERM);
    CHECK(r.code == 130);
    CHECK(r.err == "outrider: interrupted\n");
    CHECK(partial_bytes(folder / "d", "plan.sqlite") == 0);  // nothing of it stays
}

TEST_CASE("interrupted planning and checking say so") {
    const TemporaryFolder folder;
    write_sweep(folder, "");
    ProgramResult r = interrupted_in_silence(
        folder, "plan --map a.png --random 1000000000",
        [](const ProgramResult& said) { return said.out.find("random queries") != std::string::npos; });
    CHECK(r.code == 130);
    CHECK(r.out.starts_with("interrupted after "));
    CHECK(r.out.find("random queries, jps, 0 wrong") != std::string::npos);
    write_map(folder / "large.png", {Grid<std::uint8_t>(8000, 8000, 0, Lattice{0.1}), {}}, true);
    // A byte for each of its 64 million cells.
    const auto holds_the_map = [](Started& p) { return p.memory_mb() > 64; };
    r = interrupted_when(folder, "check --map large.png --png large_check.png", holds_the_map);
    CHECK(r.code == 130);
    CHECK(r.err == "outrider: interrupted; nothing else was checked, and nothing written\n");
    r = interrupted_when(folder, "plan --map large.png --from 1,1 --to 799,799 --png way.png", holds_the_map);
    CHECK(r.code == 130);
    CHECK(r.err == "outrider: interrupted; nothing was written\n");
    for (const char* file : {"large_check.png", "way.png"}) {
        CHECK_FALSE(fs::exists(folder / file));
        CHECK(partial_bytes(folder.path(), file) == 0);
    }
}

TEST_CASE("a program that hangs does not hold up the end of an interrupted run, and what there is stays") {
    const TemporaryFolder folder;
    write_sweep(folder, "");
    write_text(folder / "hangs.sh", "read briefing; read belief; echo asked >> asked.txt; exec sleep 60\n");
    ProgramResult r = interrupted_when(
        folder,
        "run a.toml --strategy 'external(cmd=\"sh hangs.sh\", timeout_s=50)' --robots 2 --log full --log-file "
        "run.sqlite --csv steps.csv",
        [&](Started&) { return fs::exists(folder / "asked.txt"); });
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
    write_text(folder / "slow.sh",
               "read briefing; while read belief; do echo asked >> asked.txt; sleep 0.3; echo '{\"random\": true}'; "
               "done\n");
    const ProgramResult r = interrupted_when(
        folder, "run a.toml --strategy 'external(cmd=\"sh slow.sh\")' --robots 1 --steps 900 --log-file run.sqlite",
        [&](Started&) { return fs::exists(folder / "asked.txt"); });
    CHECK(r.code == 130);
    CHECK(outrider_in(folder, "rerun run.sqlite --allow-external").code == 0);
}

}  // namespace test_cli_interrupts
