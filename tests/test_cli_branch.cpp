// Going on from a step of a log.
#include <doctest/doctest.h>

#include <filesystem>

#include "program.hpp"

using namespace outrider;

namespace test_cli_branch {
namespace {

const TemporaryFolder& recorded() {
    static const TemporaryFolder* made = [] {
        static const TemporaryFolder folder;
        REQUIRE(outrider_in(folder, "run small_office --quiet --strategy mresim_greedy --log poses --log-file a.sqlite")
                    .code == 0);
        return &folder;
    }();
    return *made;
}

}  // namespace

TEST_CASE("a branch is the log up to the step, and another run from there") {
    const TemporaryFolder& folder = recorded();
    const ProgramResult made =
        outrider_in(folder, "branch a.sqlite --step 40 --strategy 'nearest(hysteresis_share=0)' -o b.sqlite");
    CAPTURE(made.err);
    REQUIRE(made.code == 0);
    const std::size_t at = made.out.find("the same up to step ");
    REQUIRE(at != std::string::npos);
    CHECK(std::stoi(made.out.substr(at + 20)) >= 39);  // the new strategy may agree for a while
    CHECK(outrider_in(folder, "rerun b.sqlite").out.find("the same in all") != std::string::npos);
    CHECK(outrider_in(folder, "log info b.sqlite").out.find("strategy nearest") != std::string::npos);
    CHECK(outrider_in(folder, "replay a.sqlite b.sqlite --html both.html").code == 0);
    const ProgramResult one =
        outrider_in(folder, "branch a.sqlite --step 40 --strategy nearest --robot r2 -o c.sqlite");
    CHECK(one.code == 0);
    CHECK(outrider_in(folder, "branch a.sqlite --step 30 --set robot.r2.dies_at_step=35 -o d.sqlite")
              .out.find("the same up to step 34") != std::string::npos);
    CHECK(outrider_in(folder, "log events d.sqlite").out.find("died") != std::string::npos);
}

TEST_CASE("a branch without a name gets one beside the log, and takes none that is taken") {
    const TemporaryFolder& folder = recorded();
    for (const char* name : {"a_step50.sqlite", "a_step50_2.sqlite"}) {
        CHECK(outrider_in(folder, "branch a.sqlite --step 50 --strategy nearest").code == 0);
        CHECK(std::filesystem::exists(folder / name));
    }
}

TEST_CASE("what is no branch is refused, and leaves nothing behind") {
    const TemporaryFolder& folder = recorded();
    const auto refused = [&](const std::string& arguments, const std::string& says) {
        CAPTURE(arguments);
        const ProgramResult f = outrider_in(folder, "branch " + arguments);
        CAPTURE(f.err);
        CHECK(f.code == 2);
        CHECK(f.err.find(says) != std::string::npos);
        CHECK(!std::filesystem::exists(folder / "x.sqlite"));
    };
    refused("", "expected outrider branch LOG");
    refused("a.sqlite -o x.sqlite --strategy nearest", "--step N");
    refused("a.sqlite -o x.sqlite --step 3", "expected --strategy or --set");
    refused("a.sqlite --step 99999 --strategy nearest -o x.sqlite", "step");
    refused("a.sqlite --step 30 --strategy neerest -o x.sqlite", "did you mean 'nearest'");
    refused("a.sqlite --step 30 --strategy nearest --robot r9 -o x.sqlite", "nobody is called so");
    refused("a.sqlite --step 30 --set run.steps=500 --robot r1 -o x.sqlite", "--robot says for whom");
    refused("a.sqlite --step 30 --set comm.range_m=2 -o x.sqlite",
            "before step 30: --set takes options that take effect");
    refused("a.sqlite --step 30 --set no.such=2 -o x.sqlite", "no");
    refused("a.sqlite --step 30 --strategy nearest -o a.sqlite --force", "a.sqlite");
    refused("a.sqlite --step 30 --strategy \"switch(first='nearest', then='remote', at=3)\" -o x.sqlite",
            "cannot be one of its two");
    REQUIRE(outrider_in(folder, "branch a.sqlite --step 20 --strategy nearest -o of.sqlite").code == 0);
    refused("of.sqlite --step 30 --strategy minpos -o x.sqlite", "is a branch itself");
}

TEST_CASE("a run stops where it is asked to, and its log can be asked why") {
    const TemporaryFolder folder;
    const ProgramResult f =
        outrider_in(folder,
                    "run small_office --quiet --strategy \"switch(first='nearest', then='random_walk', at=10)\" "
                    "--stop-when goal-changes=1/1 --log full --log-file l.sqlite");
    CHECK(f.code == 0);
    CHECK(f.out.find("stopped              at step ") != std::string::npos);
    CHECK(f.out.find("outrider why l.sqlite --robot r") != std::string::npos);
    CHECK(outrider_in(folder, "rerun l.sqlite").code == 0);
    CHECK(outrider_in(folder, "run small_office --quiet --stop-when lazy=1 --log none").code == 2);
    CHECK(outrider_in(folder,
                      "run small_office --quiet --strategy \"switch(first='external(cmd=\\'touch x\\')')\" --log none")
              .code == 2);
    CHECK(!std::filesystem::exists(folder / "x"));
}

}  // namespace test_cli_branch
