// outrider radio: two robots talk through it, others are sent away, and a signal ends it.
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "live/relay.hpp"
#include "program.hpp"

using namespace outrider;
using namespace std::chrono_literals;

namespace test_cli_radio {
namespace {

template <class Condition>
bool happens(Condition&& condition) {
    const auto end = std::chrono::steady_clock::now() + 30s;
    while (!condition()) {
        if (std::chrono::steady_clock::now() > end) return false;
        std::this_thread::sleep_for(5ms);
    }
    return true;
}

/// The program as a child; what it says goes to files.
class Radio {
  public:
    explicit Radio(const TemporaryFolder& folder) : folder_(folder), child_(fork()) {
        if (child_ != 0) return;
        if (chdir(folder.path().c_str()) != 0) _exit(9);
        dup2(open("stdout.txt", O_WRONLY | O_CREAT, 0600), STDOUT_FILENO);
        dup2(open("stderr.txt", O_WRONLY | O_CREAT, 0600), STDERR_FILENO);
        execl(OUTRIDER_PROGRAM, "outrider", "radio", "--port", "0", "--robots", "r1,r2", nullptr);
        _exit(9);
    }
    ~Radio() {
        if (child_ <= 0) return;
        kill(child_, SIGKILL);
        waitpid(child_, nullptr, 0);
    }
    Radio(const Radio&) = delete;
    Radio& operator=(const Radio&) = delete;

    std::string url() const {
        std::string said;
        happens([&] {
            if (access((folder_ / "stdout.txt").c_str(), R_OK) == 0) said = read_text(folder_ / "stdout.txt");
            return said.find(';') != std::string::npos;
        });
        const std::size_t begin = said.find("ws://"), end = said.find(';');
        return begin < end ? said.substr(begin, end - begin) : said;
    }
    std::string complaints() const { return read_text(folder_ / "stderr.txt"); }
    /// Its exit code after a signal; -1: a signal ended it, -2: it did not end.
    int end(int signal) {
        kill(child_, signal);
        int status = 0;
        if (!happens([&] { return waitpid(child_, &status, WNOHANG) == child_; })) return -2;
        child_ = 0;
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }

  private:
    const TemporaryFolder& folder_;
    pid_t child_;
};

}  // namespace

TEST_CASE("two robots talk through outrider radio, an unknown client is sent away, and Ctrl-C ends it") {
    const TemporaryFolder folder;
    Radio radio(folder);
    const std::string url = radio.url();
    REQUIRE(url.starts_with("ws://127.0.0.1:"));
    RelayClient first(url, "r1"), second(url, "r2"), unknown(url, "r3");
    std::vector<RelayClient::Arrived> to_first, to_second;
    CHECK(happens([&] {
        first.send("r2", "hello");
        second.send("r1", "and hello");
        unknown.send("r1", "me, too");
        for (auto& a : first.take(0ms)) to_first.push_back(a);
        for (auto& a : second.take(0ms)) to_second.push_back(a);
        return !to_first.empty() && !to_second.empty() &&
               radio.complaints().find("there is no robot r3 here") != std::string::npos;
    }));
    REQUIRE(!to_first.empty());
    for (const auto& a : to_first) CHECK(a.from + a.bytes == "r2and hello");
    for (const auto& a : to_second) CHECK(a.from + a.bytes == "r1hello");
    CHECK(radio.complaints().find("radio: r1 connected\n") != std::string::npos);
    CHECK(radio.end(SIGINT) == 0);
}

TEST_CASE("outrider radio says what it expected") {
    const TemporaryFolder folder;
    const auto mistake = [&](const std::string& flags) {
        const ProgramResult r = outrider_in(folder, "radio " + flags);
        CHECK_MESSAGE(r.code == 2, flags);
        return r.err;
    };
    CHECK(mistake("--robots r1,r1").find("r1 is there twice") != std::string::npos);
    CHECK(mistake("--robots r1,,r2").find("expected names between commas") != std::string::npos);
    CHECK(mistake("--robots ''").find("expected names between commas") != std::string::npos);
    CHECK(mistake("--loss 1.5").find("expected a number, 0 to 1") != std::string::npos);
    CHECK(mistake("--listen here").find("expected an address") != std::string::npos);
}

}  // namespace test_cli_radio
