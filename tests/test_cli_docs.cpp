// The commands that the pages of docs/ show: their flags exist, and those that need nothing from elsewhere are run.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>

#include "beside.hpp"
#include "program.hpp"

using namespace outrider;

namespace test_cli_docs {
namespace {

namespace fs = std::filesystem;

struct ShownCommand {
    std::string page, text;
};

/// Indented lines that start the program, or set a variable for the next ones; a line that ends in '\' goes on.
std::vector<ShownCommand> commands_of(const std::string& page) {
    std::vector<ShownCommand> commands;
    std::istringstream lines(read_text(fmt::format("{}/docs/{}.md", OUTRIDER_SOURCE_DIR, page)));
    for (std::string line; std::getline(lines, line);) {
        const bool is_one = line.starts_with("    outrider ") || line.starts_with("    tools/run ") ||
                            (line.starts_with("    ") && line.substr(4, 2).ends_with('='));
        if (!is_one) continue;
        std::string text = line.substr(4);
        while (text.ends_with('\\') && std::getline(lines, line)) text = text.substr(0, text.size() - 1) + line;
        text = text.substr(0, text.find("  #"));
        if (text.starts_with("tools/run")) text.replace(0, 9, "outrider");
        if (text.find('[') != std::string::npos || text.find('|') != std::string::npos) continue;  // a synopsis
        commands.push_back({page, text});
    }
    return commands;
}

/// Why a command is not run here; empty: it is.
std::string reason_not_to_run(const std::string& text) {
    const std::vector<std::pair<std::string, std::vector<std::string>>> reasons{
        {"needs a display or a viewer", {"outrider view ", "--foxglove"}},
        {"waits for other programs", {"outrider serve ", "outrider robot ", "outrider radio "}},
        {"takes minutes; other tests run smaller ones",
         {"sweep ", "outrider submit", "outrider leaderboard", "--bench"}},
        {"needs the Python package", {"python("}},
        {"compiles; the tutorial of an own strategy does it", {"my_idea"}},
        {"needs a file from elsewhere",
         {"FOLDER", "ariadne-", "city10000", "relations", "photo.png", "images", "my_policy", "oN.toml", "loop.csv",
          "log.csv"}}};
    for (const auto& [reason, words] : reasons)
        for (const std::string& word : words)
            if (text.find(word) != std::string::npos) return reason;
    return {};
}

/// "run" or "sweep plan": the words before the first flag or value that --help can be asked about.
std::string subcommand_of(const std::string& text) {
    std::istringstream words(text);
    std::string program, first, second;
    words >> program >> first >> second;
    return first == "sweep" || first == "victims" ? first + " " + second : first;
}

}  // namespace

TEST_CASE("every flag of the commands in the docs exists") {
    const TemporaryFolder folder;
    std::map<std::string, std::string> help;
    std::size_t flags = 0;
    for (const fs::directory_entry& page : fs::directory_iterator(OUTRIDER_SOURCE_DIR "/docs")) {
        if (page.path().extension() != ".md") continue;
        for (const ShownCommand& command : commands_of(page.path().stem().string())) {
            if (!command.text.starts_with("outrider ")) continue;
            const std::string name = subcommand_of(command.text);
            if (!help.contains(name)) {
                const ProgramResult asked = outrider_in(folder, name + " --help");
                CAPTURE(command.page);
                CAPTURE(command.text);
                CHECK(asked.code == 0);
                help[name] = asked.out;
            }
            std::istringstream words(command.text);
            for (std::string word; words >> word;) {
                if (!word.starts_with("--") || name == "view") continue;  // its flags are those of another program
                CAPTURE(command.page);
                CAPTURE(command.text);
                CHECK(help[name].find(word.substr(0, word.find('='))) != std::string::npos);
                ++flags;
            }
        }
    }
    CHECK(flags > 100);
}

TEST_CASE("the commands of the docs that need nothing from elsewhere work as they stand there") {
    const TemporaryFolder folder;
    fs::create_symlink(OUTRIDER_SOURCE_DIR "/environments", folder / "environments");
    // Logs that the pages take as given: of runs, and of a robot.
    REQUIRE(outrider_in(folder, "run environments/small_office.toml --log full --log-file full.sqlite").code == 0);
    REQUIRE(outrider_in(folder, "log export full.sqlite -o exported").code == 0);
    for (const char* name : {"intel", "again", "robot", "later", "monday", "tuesday"})
        fs::copy_file(folder / "exported/carmen_1.log", folder / (std::string(name) + ".log"));
    for (const char* name : {"LOG", "LOG1", "LOG2", "branch.sqlite"})
        fs::copy_file(folder / "full.sqlite", folder / name);
    write_text(folder / "orders.jsonl",
               "{\"step\": 3, \"do\": \"all_stop\"}\n"
               "{\"step\": 9, \"robot\": \"r1\", \"do\": \"behaviour\", \"name\": \"autonomous\"}\n");
    std::map<std::string, int> left_out;
    int run = 0;
    // Each page begins anew, in a folder of its own, so that they can be followed beside each other.
    const std::vector<std::string> pages{"slam",   "field_maps", "learning", "log",    "operator", "own_strategies",
                                         "python", "realism",    "rescue",   "sweeps", "window"};
    std::vector<std::string> scripts;
    for (const std::string& page : pages) {
        std::string script = fmt::format("outrider() {{ '{}' \"$@\"; }}\n", OUTRIDER_PROGRAM);
        for (const ShownCommand& command : commands_of(page)) {
            if (const std::string reason = reason_not_to_run(command.text); !reason.empty()) {
                ++left_out[reason];
                continue;
            }
            const bool starts = command.text.starts_with("outrider ");
            run += starts;
            // Whole runs take minutes in all: a few steps show that the options are right.
            std::string text = command.text;
            if (text.starts_with("outrider run ") && text.find("--replay") == std::string::npos) text += " --steps 30";
            script += starts ? fmt::format("{} >out.txt 2>err.txt || {{ echo '{}.md: {}'; cat err.txt; }}\n", text,
                                           page, subcommand_of(text))
                             : text + "\n";
        }
        scripts.push_back(script);
    }
    CHECK(left_out.size() == 5);  // each reason is still needed
    CHECK(run >= 30);
    beside_each_other(pages.size(), [&](std::size_t k) {
        const TemporaryFolder own;
        fs::copy(folder.path(), own.path(), fs::copy_options::recursive | fs::copy_options::copy_symlinks);
        write_text(own / "commands.sh", scripts[k]);
        const ProgramResult done = shell_in(own, "bash commands.sh");
        CAPTURE(scripts[k]);
        CHECK(done.out == "");
    });
}

TEST_CASE("what docs/live.md shows first works: a served world, three programs that drive, its log scored") {
    std::vector<std::string> serves, robots;
    for (const ShownCommand& command : commands_of("live")) {
        if (command.text.find("office.sqlite") != std::string::npos) serves.push_back(command.text);
        if (command.text.find("environments/live_office.toml --robots") != std::string::npos)
            robots.push_back(command.text);
    }
    REQUIRE(serves.size() == 1);
    REQUIRE(robots.size() == 3);
    const TemporaryFolder folder;
    fs::create_symlink(OUTRIDER_SOURCE_DIR "/environments", folder / "environments");
    std::string script = fmt::format(
        "outrider() {{ '{}' \"$@\" --set run.steps=40; }}\n"
        "read A B < <(python3 -c 'import socket; s = [socket.create_server((\"127.0.0.1\", 0)) for _ in range(2)]; "
        "print(*[t.getsockname()[1] for t in s])')\n"
        "{} >serve.txt 2>&1 & server=$!\n"
        "for port in $A $B; do until (exec 3<>/dev/tcp/127.0.0.1/$port) 2>/dev/null; do kill -0 $server || exit 1; "
        "sleep 0.1; done; done\n",
        OUTRIDER_PROGRAM, serves[0]);
    int number = 0;
    for (const std::string& robot : robots) script += fmt::format("{} >r{}.txt 2>&1 &\n", robot, ++number);
    script += "wait $server || exit 1\nwait\n'" OUTRIDER_SOURCE_DIR "/tools/score.py' office.sqlite\n";
    for (const auto& [shown, free] : {std::pair{"9090", "$A"}, {"9091", "$B"}})
        for (std::size_t at = 0; (at = script.find(shown, at)) != std::string::npos;) script.replace(at, 4, free);
    write_text(folder / "commands.sh", script);
    const ProgramResult done = shell_in(folder, "bash commands.sh");
    CAPTURE(script);
    CAPTURE(done.err);
    CAPTURE(read_text(folder / "serve.txt"));
    CHECK(done.code == 0);
    CHECK(done.out.find("all equal") != std::string::npos);
}

}  // namespace test_cli_docs
