// The commands of the README and of the tutorials, run as they stand there.
#include <doctest/doctest.h>

#include <filesystem>
#include <sstream>

#include "program.hpp"

using namespace outrider;

namespace test_cli_tutorials {
namespace {

namespace fs = std::filesystem;

/// What a reader would do with a page: files to save ("Save this as `NAME`", then a block), commands (indented lines).
struct Page {
    std::vector<std::pair<std::string, std::string>> files;
    std::vector<std::string> commands;
};

Page read_page(const std::string& path) {
    Page page;
    std::istringstream lines(read_text(path));
    std::string saved_as, block;
    bool in_block = false;
    for (std::string line; std::getline(lines, line);) {
        if (const std::size_t at = line.find("Save this as `"); at != std::string::npos)
            saved_as = line.substr(at + 14, line.find('`', at + 14) - at - 14);
        if (line.starts_with("```")) {
            if (in_block && !saved_as.empty())
                page.files.emplace_back(std::exchange(saved_as, ""), std::exchange(block, ""));
            in_block = !in_block;
        } else if (in_block) {
            block += line + "\n";
        } else if (line.starts_with("    ")) {
            page.commands.push_back(line.substr(4));
        }
    }
    return page;
}

/// Runs the commands of a page in one shell, in a folder of their own; `outrider` and `tools/run` are the program.
/// Returns what they print, and the tests of all reports.
std::string follow(const std::string& path) {
    const Page page = read_page(OUTRIDER_SOURCE_DIR "/" + path);
    const TemporaryFolder folder;
    fs::create_directories(folder / "logs");
    fs::create_symlink(OUTRIDER_SOURCE_DIR "/environments", folder / "environments");
    fs::create_symlink(OUTRIDER_SOURCE_DIR "/logs/sample", folder / "logs/sample");
    fs::create_directories(folder / "tools");
    fs::create_symlink(OUTRIDER_PROGRAM, folder / "tools/run");
    for (const auto& [name, text] : page.files) write_text(folder / name, text);
    std::string script = fmt::format("outrider() {{ '{}' \"$@\"; }}\n", OUTRIDER_PROGRAM);
    int commands = 0;
    for (const std::string& command : page.commands) {
        const bool is_one = command.starts_with("outrider ") || command.starts_with("tools/run ") ||
                            command.starts_with("export ") || command.starts_with("ls ");
        // Building, and what needs a display, are tested elsewhere.
        if (!is_one || command.starts_with("tools/run  ") || command.starts_with("tools/run view") ||
            command.starts_with("tools/run serve"))  // which waits for other programs
            continue;
        script += fmt::format("{} || {{ echo \"failed: line {}\" >&2; exit 1; }}\n",
                              command.substr(0, command.find("  #")), ++commands);
    }
    CAPTURE(path);
    CHECK(commands >= 8);
    script += "cat *_tests.csv logs/*_tests.csv 2>/dev/null || true\n";
    write_text(folder / "commands.sh", script);
    const ProgramResult f = shell_in(folder, "bash commands.sh");
    CAPTURE(script);
    CAPTURE(f.err);
    CHECK(f.code == 0);
    return f.out;
}

/// Where a page promises a verdict, its maps are enough for one.
void expect_verdict(const std::string& out) {
    CHECK(out.find(" is better") != std::string::npos);
    CHECK(out.find("cannot be shown") == std::string::npos);
    CHECK(out.find("on this map only") == std::string::npos);
}

}  // namespace

TEST_CASE("the README's commands work as written") { expect_verdict(follow("README.md")); }
TEST_CASE("the tutorial of a comparison works as written") { expect_verdict(follow("docs/tutorials/paper.md")); }
TEST_CASE("the tutorial of an own strategy works as written") {
    expect_verdict(follow("docs/tutorials/own_strategy.md"));
}
TEST_CASE("the tutorial of a world works as written") {
    const std::string out = follow("docs/tutorials/world.md");
    CHECK(out.find("4 of 4 found") != std::string::npos);
    CHECK(out.find("sign_flip_starts") != std::string::npos);  // of a single map
}
TEST_CASE("the tutorial of a cluster works as written") { expect_verdict(follow("docs/tutorials/cluster.md")); }

}  // namespace test_cli_tutorials
