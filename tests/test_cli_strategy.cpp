// Strategies outside of the tree: written, built, checked, run and compared as a user does it, and those that cannot
// be.
#include <doctest/doctest.h>

#include <filesystem>

#include "base/output.hpp"
#include "program.hpp"

using namespace outrider;

namespace test_cli_strategy {
namespace {

/// A folder with the library my_idea.so, made once.
const TemporaryFolder& built() {
    static const TemporaryFolder* made = [] {
        static const TemporaryFolder folder;
        REQUIRE(outrider_in(folder, "new-strategy my_idea").code == 0);
        const ProgramResult build = outrider_in(folder, "build-strategy my_idea.cpp");
        CAPTURE(build.err);
        REQUIRE(build.code == 0);
        CHECK(build.err == "");  // no warnings either
        return &folder;
    }();
    return *made;
}

void refused(const ProgramResult& result, int code, const std::string& says) {
    CAPTURE(result.err);
    CHECK(result.code == code);
    CHECK(result.err.find(says) != std::string::npos);
}

}  // namespace

TEST_CASE("a strategy of one's own goes all the way: check, run, why, log, comparison, sweep") {
    const TemporaryFolder& folder = built();
    const ProgramResult check = outrider_in(folder, "check-strategy ./my_idea.so");
    CAPTURE(check.out);
    CHECK(check.code == 0);
    CHECK(check.out.find("FAILED") == std::string::npos);

    REQUIRE(
        outrider_in(
            folder,
            "run small_office --quiet --strategy './my_idea.so(gain_weight=2)' --log full --force --log-file l.sqlite")
            .code == 0);
    refused(outrider_in(folder, "rerun l.sqlite"), 2, "unknown strategy 'my_idea'");
    const std::string with = "OUTRIDER_STRATEGIES=.";
    CHECK(outrider_in(folder, "rerun l.sqlite", with).out.find("the same in all") != std::string::npos);
    const ProgramResult why = outrider_in(folder, "why l.sqlite --robot r1 --step 10", with);
    CHECK(why.out.find("candidates") != std::string::npos);
    CHECK(why.out.find("rule: ") != std::string::npos);
    CHECK(outrider_in(folder, "log info l.sqlite").out.find("own strategy my_idea") != std::string::npos);

    const ProgramResult compared = outrider_in(folder, "compare ./my_idea.so nearest --map small_office --seeds 2");
    CHECK(compared.code == 0);
    CHECK(compared.out.find("my_idea") != std::string::npos);

    write_text(folder / "s.toml",
               "maps = ['small_office']\nseeds = '1..2'\n[axes]\nstrategy = ['my_idea', 'nearest']\n");
    REQUIRE(outrider_in(folder, "sweep plan s.toml -o s", with).code == 0);
    CHECK(outrider_in(folder, "sweep run s", with).code == 0);
    CHECK(outrider_in(folder, "strategies my_idea", with).out.find("gain_weight") != std::string::npos);
}

TEST_CASE("a strategy that does not compile, or is none, blocks nothing but itself") {
    const TemporaryFolder& folder = built();
    const TemporaryFolder other;
    std::filesystem::copy(folder / "my_idea.so", other / "my_idea.so");
    const std::string before = read_text(other / "my_idea.so");

    write_text(other / "my_idea.cpp", "#include \"outrider/strategy.hpp\"\nint x = \"no\";\n");
    refused(outrider_in(other, "build-strategy my_idea.cpp"), 1, "the library of before stays");
    CHECK(read_text(other / "my_idea.so") == before);
    CHECK(partial_bytes(other.path(), "my_idea.so") == 0);

    write_text(other / "empty.cpp", "#include \"outrider/strategy.hpp\"\n");
    refused(outrider_in(other, "build-strategy empty.cpp"), 2, "registers no strategy");
    CHECK(!std::filesystem::exists(other / "empty.so"));

    std::string text = read_text(folder / "my_idea.cpp");
    const std::string name = "OUTRIDER_STRATEGY(\"my_idea\"";
    text.replace(text.find(name), name.size(), "OUTRIDER_STRATEGY(\"nearest\"");
    write_text(other / "taken.cpp", text);
    refused(outrider_in(other, "build-strategy taken.cpp"), 2, "there is a strategy 'nearest' already");

    refused(outrider_in(other, "build-strategy none.cpp"), 2, "none.cpp: there is no such file");
    refused(outrider_in(other, "build-strategy my_idea.cpp -o x.exe"), 2, "ends in .so");
    refused(outrider_in(other, "build-strategy my_idea.cpp", "CXX=no-such-compiler"), 1, "no-such-compiler");
    refused(outrider_in(other, "new-strategy My-Idea"), 2, "expected lower case letters");
    refused(outrider_in(other, "new-strategy nearest"), 2, "there is a strategy 'nearest' already");
    refused(outrider_in(other, "new-strategy my_idea"), 2, "my_idea.cpp");

    std::string old = before;
    const std::size_t mark = old.find("outrider-api ");
    REQUIRE(mark != std::string::npos);
    old.replace(mark + 13, 4, "ffff");
    write_text(other / "old.so", old);
    write_text(other / "text.so", "no library");
    write_text(other / "torn.so", before.substr(0, before.size() / 2));
    refused(outrider_in(other, "run small_office --strategy ./old.so"), 2, "another version of Outrider");
    refused(outrider_in(other, "run small_office --strategy ./text.so"), 2, "no strategies of Outrider are in it");
    refused(outrider_in(other, "run small_office --strategy ./torn.so"), 2, "torn.so");
    refused(outrider_in(other, "run small_office --strategy ./none.so"), 2, "there is no such file");
    refused(outrider_in(other, "run small_office --strategy './my_idea.so(no=1)'"), 2, "no");

    // A folder with all of them: the good one works, the others are named.
    const ProgramResult listed = outrider_in(other, "strategies", "OUTRIDER_STRATEGIES=.:/no/such/folder");
    CHECK(listed.code == 0);
    CHECK(listed.out.find("my_idea") != std::string::npos);
    for (const char* broken : {"old.so", "text.so", "torn.so", "/no/such/folder"})
        CHECK(listed.err.find(broken) != std::string::npos);
}

TEST_CASE("a file never loads a library: only what is typed, or stands in a folder of OUTRIDER_STRATEGIES") {
    const TemporaryFolder& folder = built();
    write_text(folder / "foreign.toml", "[map]\nfile = '" OUTRIDER_SOURCE_DIR
                                        "/environments/small_office.png'\n[team]\nstrategy = './my_idea.so'\n");
    refused(outrider_in(folder, "run foreign.toml --log none"), 2, "unknown strategy './my_idea.so'");
    refused(outrider_in(folder, "run small_office --log none --set \"team.strategy='./my_idea.so'\""), 2,
            "unknown strategy");
}

TEST_CASE("the installed package builds a strategy with CMake") {
    const TemporaryFolder& folder = built();
    const TemporaryFolder project;
    const std::string build = std::filesystem::path(OUTRIDER_PROGRAM).parent_path().string();
    REQUIRE(shell_in(project, fmt::format("'{}' --install '{}' --prefix installed", OUTRIDER_CMAKE, build)).code == 0);
    std::filesystem::copy(folder / "my_idea.cpp", project / "my_idea.cpp");
    write_text(project / "CMakeLists.txt",
               "cmake_minimum_required(VERSION 3.25)\nproject(mine CXX)\nfind_package(Outrider REQUIRED)\n"
               "outrider_add_strategy(my_idea my_idea.cpp)\n");
    const ProgramResult made = shell_in(
        project,
        fmt::format("'{0}' -S . -B b -DCMAKE_PREFIX_PATH=\"$PWD/installed\" && '{0}' --build b", OUTRIDER_CMAKE));
    CAPTURE(made.err);
    REQUIRE(made.code == 0);
    CHECK(shell_in(project,
                   "installed/bin/outrider run small_office --steps 20 --quiet --log none --strategy b/my_idea.so")
              .code == 0);
    CHECK(shell_in(project, "installed/bin/outrider build-strategy my_idea.cpp").code == 0);
}

TEST_CASE("a source is a file for the compiler, whatever its name; commands that are shown are words for a shell") {
    const TemporaryFolder folder;
    for (const std::string name : {"@x", "$(touch PWNED)", "a;b"}) {
        CAPTURE(name);
        write_text(folder / (name + ".cpp"), "not compiled");
        const ProgramResult failed = outrider_in(folder, "build-strategy '" + name + ".cpp'", "CXX=false");
        CHECK(failed.code == 1);
        CAPTURE(failed.err);
        CHECK(failed.err.find(shell_word("./" + name + ".cpp") + " -o ") != std::string::npos);
    }
    CHECK(outrider_in(folder, "new-strategy mine -o 'a b.cpp'").out.find("build-strategy 'a b.cpp'\n") !=
          std::string::npos);
}

}  // namespace test_cli_strategy
