// Flags are listed once: what parses them, the help and the table for scripts say the same.
#include <doctest/doctest.h>
#include <fmt/ranges.h>

#include <map>
#include <set>

#include "program.hpp"

using namespace outrider;

namespace test_cli_flags {
namespace {

std::vector<std::string> split(const std::string& text, char at) {
    std::vector<std::string> parts(1);
    for (const char c : text)
        if (c == at)
            parts.emplace_back();
        else
            parts.back() += c;
    return parts;
}

enum Column { command, flag, letter, value, default_value, choices, positional, repeated, meaning, columns };

std::vector<std::vector<std::string>> all_flags(const TemporaryFolder& folder) {
    std::vector<std::vector<std::string>> rows;
    for (const std::string& line : split(outrider_in(folder, "help --all").out, '\n'))
        if (!line.empty()) rows.push_back(split(line, '\t'));
    return rows;
}

/// The text without spaces and line breaks: help pages break lines.
std::string dense(std::string text) {
    std::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });
    return text;
}

}  // namespace

TEST_CASE("help --all lists every flag of every command, as its help page does") {
    const TemporaryFolder folder;
    const auto rows = all_flags(folder);
    REQUIRE(rows.size() > 150);
    std::map<std::string, std::string> pages;
    std::map<std::string, std::set<std::string>> flags;
    for (std::size_t i = 1; i < rows.size(); ++i) {
        const auto& row = rows[i];
        INFO(fmt::format("{}", fmt::join(row, " | ")));
        REQUIRE(row.size() == columns);
        if (row[command] == "generate" || row[command] == "view") continue;  // those of a family; another program
        if (!pages.contains(row[command])) pages[row[command]] = outrider_in(folder, row[command] + " --help").out;
        const std::string page = dense(pages[row[command]]);
        if (row[positional] == "true") continue;
        flags[row[command]].insert(row[flag]);
        CHECK(page.find((row[letter].empty() ? "--" : "-" + row[letter] + ",--") + row[flag] + dense(row[value])) !=
              std::string::npos);
        CHECK(page.find(dense(row[meaning])) != std::string::npos);
        if (!row[default_value].empty())
            CHECK(page.find(dense("(default: " + row[default_value] + ")")) != std::string::npos);
    }
    for (const auto& [name, page] : pages) {  // and nothing else is on a page
        std::size_t shown = 0;
        for (const std::string& line : split(page, '\n'))
            shown += line.starts_with("  -") || line.starts_with("      --");
        CHECK_MESSAGE(shown == flags[name].size() + 1, name);  // --help, too
    }
}

TEST_CASE("help --all knows each command that the help names") {
    const TemporaryFolder folder;
    std::set<std::string> listed{"formats", "metrics", "sweep", "victims"};  // have no flags of their own
    for (const auto& row : all_flags(folder)) listed.insert(row[command]);
    for (const char* part : {"plan", "run", "status", "merge", "report", "emit", "rerun"})
        CHECK(listed.contains(std::string("sweep ") + part));
    int commands = 0;
    for (const std::string& line : split(outrider_in(folder, "--help").out, '\n')) {
        const std::string name = line.substr(0, line.find_last_not_of(' ') + 1);
        if (!line.starts_with("  ") || line.starts_with("  outrider")) continue;
        CHECK_MESSAGE(listed.contains(line.substr(2, line.find(' ', 2) - 2)), name);
        ++commands;
    }
    CHECK(commands == 31);
}

TEST_CASE("a flag says what it expected") {
    const TemporaryFolder folder;
    const auto mistake = [&](const std::string& arguments) {
        const ProgramResult r = outrider_in(folder, arguments);
        CHECK_MESSAGE(r.code == 2, arguments);
        return r.err;
    };
    CHECK(mistake("run --steps abc").find("--steps abc: expected a whole number, 1 to 10000000") != std::string::npos);
    CHECK(mistake("run --steps 0").find("--steps 0: expected a whole number") != std::string::npos);
    CHECK(mistake("run --seed 9223372036854775808").find("--seed 9223372036854775808: exp") != std::string::npos);
    CHECK(mistake("plan --cell 1000").find("--cell 1000: expected a number, 0.001 to 100 m") != std::string::npos);
    CHECK(mistake("plan --cell 0.1m").find("--cell 0.1m: expected a number") != std::string::npos);
    CHECK(mistake("plan --show all").find("--show all: expected one of none, skeleton, segments, graph, transform") !=
          std::string::npos);
    CHECK(mistake("run --log most").find("--log most: expected one of none, metrics, poses, full") !=
          std::string::npos);
    CHECK(mistake("run --nosuch").find("see outrider run --help") != std::string::npos);
    CHECK(mistake("run --png").find("see outrider run --help") != std::string::npos);
    CHECK(mistake("run a.toml b.toml").find("unexpected argument 'b.toml'; see outrider run --help") !=
          std::string::npos);
    CHECK(mistake("compare a b --map c --seeds 1 --seeds 2").find("--seeds: given twice; expected one") !=
          std::string::npos);
}

TEST_CASE("--base says where the team begins, whatever the file says") {
    const TemporaryFolder folder;
    std::ofstream(folder / "two.toml") << "[map]\nfile = 'two.png'\n[[base]]\nx_m = 1\ny_m = 1\n";
    REQUIRE(outrider_in(folder, "generate rooms --size 200x150 -o two.png").code == 0);
    for (const std::string scenario : {"two.toml", "--map two.png"}) {
        CAPTURE(scenario);
        const ProgramResult r = outrider_in(folder, "check " + scenario + " --base 12.55,7.55");
        CHECK(r.code == 0);
        CHECK_MESSAGE(r.out.find("base        base      (  12.55,    7.55) m") != std::string::npos, r.out);
    }
    for (const char* wrong : {"12.5", "12.5,", "12.5,7,1", "a,b", "nan,1", "1,1e999"}) {
        const ProgramResult r = outrider_in(folder, fmt::format("run two.toml --base {}", wrong));
        CHECK(r.code == 2);
        CHECK(r.err.find(fmt::format("--base {}: expected a place in metres", wrong)) != std::string::npos);
    }
    CHECK(outrider_in(folder, "run two.toml --base 900,1").err.find("--base") != std::string::npos);
}

}  // namespace test_cli_flags
