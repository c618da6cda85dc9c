// Programs that begin at the same moment in one folder and write the same files, while somebody reads these.
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <filesystem>

#include "log/log_reader.hpp"
#include "program.hpp"

using namespace outrider;
namespace fs = std::filesystem;

namespace test_cli_at_once {
namespace {

/// Copies of one command that wait for each other and begin together. What each says is in N.txt.
class Together {
  public:
    Together(const TemporaryFolder& folder, int count, const std::string& arguments) {
        std::array<int, 2> gate{};
        REQUIRE(pipe2(gate.data(), O_CLOEXEC) == 0);
        const std::string command = fmt::format("exec '{}' {}", OUTRIDER_PROGRAM, arguments);
        for (int k = 0; k < count; ++k) {
            const std::string said = folder / fmt::format("{}.txt", k);
            const pid_t pid = fork();
            REQUIRE(pid >= 0);
            if (pid == 0) wait_and_begin(gate, folder.path(), said, command);
            running_.push_back(pid);
        }
        close(gate[0]);
        close(gate[1]);  // the gate opens
    }
    ~Together() {
        for (const pid_t pid : running_) waitpid(pid, nullptr, 0);
    }
    Together(const Together&) = delete;
    Together& operator=(const Together&) = delete;
    /// Whether one is still at work.
    bool at_work() {
        std::erase_if(running_, [&](pid_t pid) {
            int status = 0;
            if (waitpid(pid, &status, WNOHANG) == 0) return false;
            failed_ += !WIFEXITED(status) || WEXITSTATUS(status) != 0;
            return true;
        });
        return !running_.empty();
    }
    int failed() const { return failed_; }

  private:
    [[noreturn]] static void wait_and_begin(const std::array<int, 2>& gate, const std::string& folder,
                                            const std::string& said, const std::string& command) {
        close(gate[1]);
        char nothing = 0;
        while (read(gate[0], &nothing, 1) < 0) continue;
        const int file = open(said.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
        if (chdir(folder.c_str()) != 0 || dup2(file, STDOUT_FILENO) < 0 || dup2(file, STDERR_FILENO) < 0) _exit(9);
        execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
        _exit(9);
    }
    std::vector<pid_t> running_;
    int failed_ = 0;
};

/// A file that several write, and how it ends when it is whole.
struct Output {
    const char* name;
    std::string_view end;
};

/// Reads the files again and again until all programs have ended; how often, and how often one was not whole.
std::pair<int, int> read_while(Together& programs, const TemporaryFolder& folder, std::initializer_list<Output> files) {
    int reads = 0, halves = 0;
    for (bool last = false; !last;) {
        last = !programs.at_work();
        for (const Output& file : files) {
            if (!fs::exists(folder / file.name)) continue;
            ++reads;
            halves += !read_text(folder / file.name).ends_with(file.end);
        }
    }
    return {reads, halves};
}

/// What they said, where one failed.
std::string said_in(const TemporaryFolder& folder, int count) {
    std::string all;
    for (int k = 0; k < count; ++k) all += read_text(folder / fmt::format("{}.txt", k));
    return all;
}

constexpr std::string_view png_end{"IEND\xae\x42\x60\x82"};

}  // namespace

TEST_CASE("4 and 16 runs at once in one folder end well, each with its log, and nobody sees half of a file") {
    for (const int count : {4, 16}) {
        CAPTURE(count);
        const TemporaryFolder folder;
        REQUIRE(outrider_in(folder, "generate office -o map.png --size 80x60 --scenario map.toml").code == 0);
        Together runs(folder, count,
                      "run map.toml --steps 20 --log full --csv one.csv --png one.png --html one.html --force --quiet");
        const auto [reads, halves] = read_while(
            runs, folder, {{"one.csv", "\n"}, {"one.png", png_end}, {"one.html", "</html>\n"}, {"map.toml", "\n"}});
        CAPTURE(said_in(folder, count));
        CHECK(runs.failed() == 0);
        CHECK(reads >= 4);
        CHECK(halves == 0);
        int logs = 0;
        for (const auto& entry : fs::directory_iterator(folder / "logs")) {
            CAPTURE(entry.path().string());
            REQUIRE(entry.path().extension() == ".sqlite");
            CHECK(LogReader(entry.path().string()).meta().contains("end_reason"));
            ++logs;
        }
        CHECK(logs == count);
        for (const auto& entry : fs::directory_iterator(folder.path())) CHECK(entry.path().extension() != ".partial");
    }
}

TEST_CASE("exports of one log at once into one folder end well, and nobody sees half of a file") {
    const TemporaryFolder folder;
    REQUIRE(outrider_in(folder, "generate office -o map.png --size 80x60 --scenario map.toml").code == 0);
    REQUIRE(outrider_in(folder, "run map.toml --steps 20 --log full --log-file run.sqlite --quiet").code == 0);
    constexpr int count = 4;
    Together exports(folder, count, "log export run.sqlite -o out --mcap out.mcap --force");
    const auto [reads, halves] =
        read_while(exports, folder, {{"out/steps.csv", "\n"}, {"out/poses.csv", "\n"}, {"out.mcap", "\x89MCAP0\r\n"}});
    CAPTURE(said_in(folder, count));
    CHECK(exports.failed() == 0);
    CHECK(reads >= 3);
    CHECK(halves == 0);
}

}  // namespace test_cli_at_once
