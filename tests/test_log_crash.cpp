// What is left of a log when the run does not end well.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "helpers.hpp"
#include "log/replay.hpp"

using namespace outrider;
namespace fs = std::filesystem;

namespace test_log_crash {
namespace {

const char* const office = OUTRIDER_SOURCE_DIR "/environments/office.toml";

std::string command(const std::string& log) {
    return fmt::format("exec '{}' run '{}' --quiet --robots 3 --steps 500 --log full --log-file '{}' --force",
                       OUTRIDER_PROGRAM, office, log);
}

/// On disk, with what is not yet in the file itself. 0: there is none.
std::uintmax_t size_of_log(const std::string& path) {
    std::uintmax_t size = 0;
    for (const char* part : {"", "-wal", "-journal"}) {
        std::error_code none;
        const std::uintmax_t bytes = fs::file_size(path + part, none);
        if (!none) size += bytes;
    }
    return size;
}

/// Steps of a log that was cut off: all readable, without a gap, as they were in the whole run.
int check_remains(const std::string& path, const std::vector<Hash128>& hashes) {
    LogReader log(path);
    const LogSteps steps = log.steps();
    CHECK(steps.damaged.empty());
    CHECK((steps.steps.empty() || steps.steps.size() == hashes.size() || steps.steps.size() % 64 == 1));
    Replay replay(log);
    std::size_t n = 0;
    for (; replay.next(); ++n) {
        REQUIRE(n < hashes.size());
        CHECK(replay.view().hash == hashes[n]);
    }
    CHECK(n == steps.steps.size());
    CHECK(replay.damaged().empty());
    return static_cast<int>(n);
}

}  // namespace

TEST_CASE("killed at any moment, a full log opens and holds every step that was committed") {
    // OUTRIDER_KILLS=40 (tools/test --all): at more moments.
    const char* wanted = std::getenv("OUTRIDER_KILLS");
    const int kills = wanted ? std::atoi(wanted) : 8;
    const TemporaryFolder folder;
    REQUIRE(std::system((command(folder / "whole") + " >/dev/null").c_str()) == 0);
    const std::uintmax_t whole = size_of_log(folder / "whole");
    const std::vector<Hash128> hashes = LogReader(folder / "whole").steps().hashes;
    REQUIRE(hashes.size() > 300);

    Rng rng(1, 0, Purpose::placement, 0);
    int some = 0, ended = 0;
    for (int k = 0; k < kills; ++k) {
        CAPTURE(k);
        const std::string path = folder / fmt::format("cut{}", k);
        const pid_t child = fork();
        REQUIRE(child >= 0);
        if (child == 0) {
            execl("/bin/sh", "sh", "-c", (command(path) + " >/dev/null 2>&1").c_str(), nullptr);
            _exit(127);
        }
        // By how much is written rather than by the clock: a busy machine is slower than the run before.
        const double moment = static_cast<double>(whole) * (k + rng.uniform()) / kills;
        int status = 0;
        bool running = true;
        while (running && static_cast<double>(size_of_log(path)) < moment) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            running = waitpid(child, &status, WNOHANG) == 0;
        }
        if (running) {
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
        }
        if (!fs::exists(path)) continue;  // it had not come so far
        try {
            LogReader log(path);
            CHECK(log.meta().contains("end_reason") == (log.meta().contains("steps_hash")));
            ended += log.meta().contains("end_reason");
        } catch (const Error& error) {
            CHECK(std::string(error.what()).find("not a log of outrider") != std::string::npos);  // no header yet
            continue;
        }
        some += check_remains(path, hashes) > 1;
    }
    CHECK(some > kills / 4);
    CHECK(ended < kills);
}

TEST_CASE("a full disk ends the run with a message and a log that can be read up to there") {
    const TemporaryFolder folder;
    REQUIRE(std::system((command(folder / "whole") + " >/dev/null").c_str()) == 0);
    const std::vector<Hash128> hashes = LogReader(folder / "whole").steps().hashes;
    // Files may not grow beyond this: writing fails as on a full disk.
    const std::string limited = fmt::format("trap '' XFSZ; ulimit -f 500; cd '{}'; {} >out.txt 2>err.txt",
                                            folder.path(), command(folder / "cut"));
    const int status = std::system(("/bin/sh -c \"" + limited + "\"").c_str());
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 1);
    const std::string message = read_text(folder / "err.txt");
    CHECK(message.find("/cut: ") != std::string::npos);
    const int steps = check_remains(folder / "cut", hashes);
    CHECK(steps > 64);
    CHECK(steps < static_cast<int>(hashes.size()));
    CHECK_FALSE(LogReader(folder / "cut").meta().contains("end_reason"));
}

}  // namespace test_log_crash
