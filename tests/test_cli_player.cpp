// The page of a run at the command line. What it looks like is tested in a browser: tools/test_page.
#include <doctest/doctest.h>

#include <filesystem>

#include "program.hpp"

using namespace outrider;

namespace test_cli_player {

/// A folder with the full logs a and b of short runs.
struct Logs {
    TemporaryFolder folder;
    ProgramResult call(const std::string& arguments) const { return outrider_in(folder, arguments); }
    std::string page(const std::string& name) const { return read_text(folder / name); }
    Logs() {
        for (const std::string arguments :
             {"full --strategy nearest --log-file a.sqlite", "full --strategy random_walk --log-file b.sqlite",
              "metrics --strategy nearest --log-file low.sqlite"})
            REQUIRE(call("run '" OUTRIDER_SOURCE_DIR "/environments/small_office.toml' --steps 20 --quiet --log " +
                         arguments)
                        .code == 0);
    }
};

TEST_CASE("a page is written from a log of any level, and the same from each") {
    const Logs logs;
    REQUIRE(logs.call("replay a.sqlite --html 1.html").code == 0);
    const ProgramResult again = logs.call("replay low.sqlite --html 2.html");
    CHECK(again.code == 0);
    CHECK(again.out.find("the same in all 20 steps") != std::string::npos);
    CHECK(logs.page("1.html").size() > 10'000);
    // They differ in the name of the log, which is packed with the rest.
    CHECK(std::abs(std::ssize(logs.page("1.html")) - std::ssize(logs.page("2.html"))) < 40);
}

TEST_CASE("a page with bad input is refused and nothing is lost") {
    const Logs logs;
    const auto refused = [&](const std::string& arguments, const std::string& says) {
        CAPTURE(arguments);
        const ProgramResult f = logs.call("replay " + arguments);
        CAPTURE(f.err);
        CHECK(f.code == 2);
        CHECK(f.err.find(says) != std::string::npos);
    };
    refused("--html x.html", "expected outrider replay LOG --html FILE");
    refused("a.sqlite b.sqlite", "two are shown side by side with --html FILE");
    refused("a.sqlite b.sqlite a.sqlite --html x.html", "or two logs; there are 3");
    refused("a.sqlite --html x.html --from 3", "the page holds the whole run");
    refused("a.sqlite --html a.sqlite --force", "a.sqlite");
    refused("a.sqlite none.sqlite --html x.html", "none.sqlite");
    CHECK(!std::filesystem::exists(logs.folder / "x.html"));
    REQUIRE(logs.call("replay a.sqlite --html x.html").code == 0);
    const std::string before = logs.page("x.html");
    refused("b.sqlite --html x.html", "x.html");
    CHECK(logs.page("x.html") == before);
    CHECK(logs.call("replay b.sqlite --force --html x.html").code == 0);
    CHECK(logs.page("x.html") != before);
}

TEST_CASE("a report links to the pages of its runs, and never overwrites one unasked") {
    const TemporaryFolder folder;
    const auto call = [&](const std::string& arguments) {
        return outrider_in(folder,
                           "compare nearest random_walk --map small_office --seeds 1 --set run.steps=30 " + arguments);
    };
    const ProgramResult alone = call("--pages");
    CHECK(alone.code == 2);
    CHECK(alone.err.find("expected --report") != std::string::npos);
    REQUIRE(call("--report r.html --pages").code == 0);
    const std::string report = read_text(folder / "r.html");
    for (const char* run : {"r-runs/run_0.html", "r-runs/run_1.html"}) {
        CHECK(report.find(fmt::format("href='{}'", run)) != std::string::npos);
        CHECK(read_text(folder / run).find("class='run'") != std::string::npos);
    }
    std::filesystem::remove(folder / "r.html");
    write_text(folder / "r-runs/run_0.html", "mine");
    const ProgramResult refused = call("--report r.html --pages");
    CHECK(refused.code == 2);
    CHECK(refused.err.find("run_0.html") != std::string::npos);
    CHECK(read_text(folder / "r-runs/run_0.html") == "mine");
}

}  // namespace test_cli_player
