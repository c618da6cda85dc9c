// Submissions under a frozen protocol, and the page that ranks them.
#include <doctest/doctest.h>

#include <filesystem>

#include "base/json.hpp"
#include "batch/leaderboard/leaderboard.hpp"
#include "program.hpp"

using namespace outrider;

namespace test_cli_leaderboard {
namespace {

/// A folder with a submission of `nearest` under the small protocol.
const TemporaryFolder& submitted() {
    static const TemporaryFolder* made = [] {
        static const TemporaryFolder folder;
        const ProgramResult f = outrider_in(folder, "submit nearest --protocol quick@1 --quiet -o nearest.json");
        CAPTURE(f.err);
        REQUIRE(f.code == 0);
        return &folder;
    }();
    return *made;
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
    const std::size_t at = text.find(what);
    REQUIRE(at != std::string::npos);
    return text.replace(at, what.size(), with);
}

/// The submission with all times of the ranking metric multiplied.
Submission slowed(const Submission& s, double factor, const std::string& title) {
    Submission out = s;
    out.title = title;
    for (SubmittedRun& run : out.runs) run.values[0] *= factor;
    return out;
}

}  // namespace

TEST_CASE("a submission is read as it was written, and holds each run of the protocol once") {
    const Submission s = read_submission(submitted() / "nearest.json");
    CHECK(s.protocol == "quick@1");
    CHECK(s.strategy == "nearest");
    CHECK_FALSE(s.own);
    const SweepPlan plan = protocol_plan(find_protocol("quick@1"), "nearest");
    CHECK(s.protocol_fingerprint == protocol_fingerprint(find_protocol("quick@1"), plan));
    CHECK(std::ssize(s.runs) == plan.runs());
    const TemporaryFolder folder;
    write_text(folder / "again.json", to_json(s));
    const Submission again = read_submission(folder / "again.json");
    CHECK(again.runs.size() == s.runs.size());
    for (std::size_t i = 0; i < s.runs.size(); ++i) CHECK(again.runs[i] == s.runs[i]);
    CHECK(verify(s, 3).kind == Verdict::Kind::confirmed);
}

TEST_CASE("scores are what they are said to be") {
    const Submission s = read_submission(submitted() / "nearest.json");
    const TemporaryFolder folder;
    write_text(folder / "a.json", to_json(slowed(s, 4, "four times")));
    write_text(folder / "b.json", to_json(s));
    write_text(folder / "c.json", to_json(slowed(s, 2, "twice")));
    Submission never = slowed(s, 1, "never");
    for (SubmittedRun& run : never.runs) run.values[0] = std::nan("");
    write_text(folder / "d.json", to_json(never));
    const Leaderboard board = make_leaderboard(folder.path(), "quick@1");
    REQUIRE(board.standings.size() == 4);
    const std::vector<std::pair<std::string, double>> expected{
        {"nearest", 1}, {"twice", 0.5}, {"four times", 0.25}, {"never", 0}};
    for (std::size_t k = 0; k < 4; ++k) {
        CHECK(board.standings[k].submission->title == expected[k].first);
        CHECK(board.standings[k].score.value == doctest::Approx(expected[k].second));
        for (const double suite : board.standings[k].by_suite) CHECK(suite == doctest::Approx(expected[k].second));
        CHECK_FALSE(board.standings[k].tied);  // twelve maps, all in the same direction
    }
    CHECK(board.standings[3].reached == 0);
    CHECK(std::isnan(board.standings[3].medians[0]));

    write_text(folder / "e.json", to_json(slowed(s, 1, "the same")));
    CHECK(make_leaderboard(folder.path(), "quick@1").standings[1].tied);
}

TEST_CASE("a submission stands beside plans of a team that knows the map") {
    const Submission s = read_submission(submitted() / "nearest.json");
    const TemporaryFolder folder;
    write_text(folder / "a.json", to_json(s));
    const auto metric = static_cast<std::size_t>(2);
    REQUIRE(find_protocol("quick@1").metrics[metric] == "t99_team");
    const SweepPlan plan = protocol_plan(find_protocol("quick@1"), "nearest");
    const SweepRuns runs(plan);
    ReferenceTimes plans;
    for (std::int64_t id = 0; id < plan.runs(); ++id) {  // as if each took a third of the steps
        const SweepRun run = runs.at(id);
        for (const SubmittedRun& own : s.runs)
            if (own.map == plan.maps[static_cast<std::size_t>(run.map)].name && own.start == run.start)
                plans[id] = {{own.values[metric], own.values[metric] / 3}, {1, 1}};
    }
    const Leaderboard board = make_leaderboard(folder.path(), "quick@1", {}, [&] { return plans; });
    CHECK(board.standings[0].over_plan == doctest::Approx(3));
    CHECK(to_html(board).find("<td>3.00 x</td>") != std::string::npos);
    CHECK(std::isnan(make_leaderboard(folder.path(), "quick@1").standings[0].over_plan));
}

TEST_CASE("what was changed afterwards is found, and what cannot be checked is said") {
    const Submission s = read_submission(submitted() / "nearest.json");
    Submission better = s;
    for (SubmittedRun& run : better.runs) run.values[0] -= 1;
    CHECK(verify(better, 2).kind == Verdict::Kind::disproved);
    CHECK(verify(better, 2).why.find("t99_base") == 0);
    Submission other = s;
    for (SubmittedRun& run : other.runs) run.steps_hash = "00";
    CHECK(verify(other, 1).why.find("another one here") != std::string::npos);
    Submission foreign = s;
    foreign.decided_by = "000000000000";
    CHECK(verify(foreign, 1).kind == Verdict::Kind::unverified);
    CHECK(verify(foreign, 1).why.find("cannot be checked here: decided by 000000000000") == 0);
    foreign.strategy = "somebody_elses";
    CHECK(verify(foreign, 1).why.find("cannot be checked here") == 0);
}

TEST_CASE("a submission that is disproved has no score, and those of the others are as without it") {
    const Submission s = read_submission(submitted() / "nearest.json");
    const TemporaryFolder folder;
    write_text(folder / "honest.json", to_json(s));
    write_text(folder / "slow.json", to_json(slowed(s, 2, "twice")));
    write_text(folder / "cheat.json", to_json(slowed(s, 0.01, "<b>cheat</b>")));
    write_text(folder / "copy.json", to_json(s));
    write_text(folder / "twin.json", to_json(slowed(s, 1.5, "twice")));
    const auto check = [](const Submission& x) {
        return x.title == "<b>cheat</b>" ? Verdict{Verdict::Kind::disproved, "its runs are others"} : Verdict{};
    };
    CHECK(make_leaderboard(folder.path(), "quick@1").standings[0].submission->title == "<b>cheat</b>");
    const Leaderboard board = make_leaderboard(folder.path(), "quick@1", check);
    REQUIRE(board.standings.size() == 3);
    CHECK(board.standings[0].submission->title == "nearest");
    CHECK(board.standings[0].score.value == doctest::Approx(1));
    CHECK(board.standings[2].score.value == doctest::Approx(0.5));
    REQUIRE(board.left_out.size() == 1);  // "copy" comes before "honest"
    CHECK(board.left_out[0].find("honest.json: a copy of ") != std::string::npos);
    const std::string page = to_html(board);
    CHECK(page.find("<s>&lt;b&gt;cheat&lt;/b&gt;</s>") != std::string::npos);
    CHECK(page.find("its runs are others") != std::string::npos);
    CHECK(page.find("not verified") != std::string::npos);
    CHECK(page.find("twin.json") != std::string::npos);  // a title that is there twice
    const Leaderboard none = make_leaderboard(folder.path(), "quick@1", [](const Submission&) {
        return Verdict{Verdict::Kind::disproved, "no"};
    });
    CHECK(none.standings.empty());
    CHECK(to_html(none).find("no score") != std::string::npos);
}

TEST_CASE("a value that no run can have is refused in a submission") {
    const Submission s = read_submission(submitted() / "nearest.json");
    const TemporaryFolder folder;
    for (const double value : {1e308, 1.1e7, -1.0}) {
        Submission odd = s;
        odd.runs[1].values[0] = value;
        write_text(folder / "odd.json", to_json(odd));
        CHECK_THROWS_WITH_AS(read_submission(folder / "odd.json"), doctest::Contains("which no run can have"), Error);
    }
}

TEST_CASE("files that are no submissions are named and left out; the page says so") {
    const TemporaryFolder& made = submitted();
    const std::string text = read_text(made / "nearest.json");
    const TemporaryFolder folder;
    write_text(folder / "good.json", replaced(text, "\"title\": \"nearest\"", "\"title\": \"<b>mine</b>\""));
    write_text(folder / "empty.json", "");
    write_text(folder / "torn.json", text.substr(0, text.size() / 2));
    write_text(folder / "list.json", "[1, 2]");
    write_text(folder / "newer.json", replaced(text, "\"outrider_submission\": 1", "\"outrider_submission\": 2"));
    write_text(folder / "protocol.json", replaced(text, "quick@1", "quick@9"));
    write_text(folder / "maps.json", replaced(text, "\"protocol_fingerprint\": \"", "\"protocol_fingerprint\": \"f"));
    write_text(folder / "twice.json",
               replaced(text, "\"runs\": [\n", "\"runs\": [\n[\"home-6@1/01\", 1, \"00\", 1, 1, 1, 1, 1],\n"));
    write_text(folder / "negative.json",
               replaced(text, "\"runs\": [\n", "\"runs\": [\n[\"home-6@1/01\", 1, \"00\", -1, 1, 1, 1, 1],\n"));
    write_text(folder / "short.json", replaced(text, "\"runs\": [\n", "\"runs\": [\n[\"home-6@1/01\", 1],\n"));
    const ProgramResult f = outrider_in(folder, "leaderboard . --protocol quick@1 -o b.html");
    CHECK(f.code == 0);
    for (const char* file : {"empty", "torn", "list", "newer", "protocol", "maps", "twice", "negative", "short"}) {
        CAPTURE(file);
        CHECK(f.err.find(fmt::format("{}.json", file)) != std::string::npos);
    }
    const std::string page = read_text(folder / "b.html");
    CHECK(page.find("&lt;b&gt;mine") != std::string::npos);
    CHECK(page.find("<b>mine</b>") == std::string::npos);
    CHECK(page.find("Left out") != std::string::npos);
}

TEST_CASE("mistakes at the command line are refused, and an interrupted submission goes on") {
    const TemporaryFolder& folder = submitted();
    const auto refused = [&](const std::string& arguments, const std::string& says) {
        CAPTURE(arguments);
        const ProgramResult f = outrider_in(folder, arguments);
        CAPTURE(f.err);
        CHECK(f.code == 2);
        CHECK(f.err.find(says) != std::string::npos);
    };
    refused("submit", "expected outrider submit");
    refused("leaderboard", "expected outrider leaderboard");
    refused("submit nearest --protocol quick@1", "nearest.json");  // the name that it would get is taken
    refused("submit nearest -o x.txt", "ends in .json");
    refused("submit neerest -o x.json", "did you mean 'nearest'");
    refused("submit nearest --protocol none@1 -o x.json", "this program knows explore@1, quick@1");
    refused("submit nearest --protocol quick@1 -o nearest.json", "nearest.json");
    refused("submit minpos --protocol quick@1 -o nearest.json --force", "holds the runs of another strategy");
    refused("leaderboard none -o b.html", "expected a folder");
    refused("leaderboard . --protocol explore@1 -o b.html", "no submission of explore@1");
    // All runs are there: the same command makes the same file at once.
    const std::string before = read_text(folder / "nearest.json");
    CHECK(outrider_in(folder, "submit nearest --protocol quick@1 --quiet -o nearest.json --force").code == 0);
    CHECK(read_text(folder / "nearest.json") == before);
}

}  // namespace test_cli_leaderboard
