// What the program answers to somebody who does not know its names yet.
#include <algorithm>
#include <sstream>

#include "outrider/detail/settings.hpp"
#include "program.hpp"

using namespace outrider;

namespace test_cli_answers {
namespace {

std::string answer(const std::string& arguments) {
    const TemporaryFolder folder;
    CAPTURE(arguments);
    const ProgramResult result = outrider_in(folder, arguments);
    CHECK(result.code == 0);
    CHECK(result.err == "");
    return result.out;
}

bool has(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

/// Rooms of an office in room.png.
void write_room(const TemporaryFolder& folder) {
    REQUIRE(outrider_in(folder, "generate office --size 120x90 -o room.png").code == 0);
    write_text(folder / "room.toml", "[map]\nfile = 'room.png'\n[team]\nrobots = 1\n[run]\nsteps = 200\n");
}

}  // namespace

TEST_CASE("a single option, metric or command is answered alone") {
    const std::string range = answer("options comm.range_m");
    CHECK(has(range, "comm.range_m"));
    CHECK(has(range, "[comm]"));
    CHECK(!has(range, "comm.capacity"));
    CHECK(!has(range, "[run]"));
    CHECK(has(answer("options gain_weight"), "gain_weight"));
    CHECK(has(answer("options comm"), "comm.range_m"));
    CHECK(has(answer("options comm.range_m --json"), "\"section\": \"comm\""));
    const std::string t90 = answer("metrics t90_base");
    CHECK(has(t90, "t90_base@1"));
    CHECK(!has(t90, "t90_team"));
    CHECK(std::count(t90.begin(), t90.end(), '\n') == 2);
    CHECK(answer("help run") == answer("run --help"));
    CHECK(answer("help sweep plan") == answer("sweep plan --help"));
    CHECK(has(answer("help"), "outrider COMMAND"));
}

TEST_CASE("all strategies fit on a screen, one of them is told with its options") {
    std::istringstream lines(answer("strategies"));
    int count = 0;
    for (std::string line; std::getline(lines, line); ++count) CHECK(line.size() <= 100);
    CHECK(count <= 40);
    CHECK(has(lines.str(), "\nnearest                drives to the frontier with the shortest path (Yamauchi 1997)\n"));
    CHECK(has(lines.str(), " ... (de Hoog 2009-2011)\n"));
    CHECK(has(answer("strategies nearest"), "hysteresis_share"));
}

TEST_CASE("a part of a name is enough to be asked whether that was meant") {
    const std::vector<std::string> names{"minpos", "mresim_greedy", "comm.range_m", "change"};
    CHECK(nearest_name("greedy", names) == "mresim_greedy");
    CHECK(nearest_name("range", names) == "comm.range_m");
    CHECK(nearest_name("min", names) == "minpos");
    CHECK(nearest_name("chnge", names) == "change");
    CHECK(nearest_name("reedy", names) == "");  // no word begins so
    CHECK(nearest_name("zzzzzz", names) == "");
}

TEST_CASE("what is wrong names what was typed, or the file that is wrong, and what to type next") {
    const TemporaryFolder folder;
    write_room(folder);
    write_text(folder / "inner.toml", "[comm]\nrang_m = 3\n");
    write_text(folder / "outer.toml", "include = 'inner.toml'\n[map]\nfile = 'room.png'\n");
    write_text(folder / "bare.toml", "[team]\nrobots = 1\n");
    write_text(folder / "on_bare.toml", "include = 'bare.toml'\n");
    const std::pair<const char*, const char*> cases[] = {
        {"run room.toml --strategy greedy", "--strategy: unknown strategy 'greedy'; did you mean 'mresim_greedy'?"},
        {"run room.toml --strategy qqqqqqqqqqqq", "OUTRIDER_STRATEGIES=FOLDER outrider"},
        {"run outer.toml", "inner.toml:2:1: unknown option 'comm.rang_m'; did you mean 'comm.range_m'?"},
        {"run on_bare.toml", "on_bare.toml:1:1: no map"},
        {"options range", "did you mean"},
        {"metrics t90", "did you mean 't90_"},
        {"help rn", "unknown command 'rn'; did you mean 'run'?"},
        {"check", "outrider check office, or --map MAP; see outrider check --help"},
        {"compare nearest minpos", "--map office"},
        {"branch x.sqlite", "expected outrider branch LOG --step N"},
        {"rerun", "expected outrider rerun LOG, the file that outrider run wrote"},
        {"figure", "--kind KIND: expected coverage"},
    };
    for (const auto& [arguments, message] : cases) {
        CAPTURE(arguments);
        const ProgramResult result = outrider_in(folder, arguments);
        CHECK(result.code == 2);
        CHECK(result.out == "");
        CAPTURE(result.err);
        CHECK(has(result.err, message));
    }
}

TEST_CASE("a comparison opens with who is better, by how much, and whether that may be claimed") {
    const TemporaryFolder folder;
    write_room(folder);
    const std::string few = outrider_in(folder, "compare nearest stay --map room.toml --seeds 3 --metric t90_team").out;
    CAPTURE(few);
    const std::size_t first = few.find("  1. nearest "), second = few.find("  2. stay ");
    CHECK(first < second);
    CHECK(second < few.find("median [quartiles]"));
    CHECK(has(few, "t90_team, steps (less is better)\n"));
    CHECK(has(few,
              " more in the mean, worse in 3 of 3 pairs; no claim: a difference cannot be shown with so few starts"));
    const std::string enough =
        outrider_in(folder, "compare stay nearest --map room.toml --seeds 8 --metric t90_team").out;
    CAPTURE(enough);
    CHECK(enough.find("  1. nearest ") < enough.find("  2. stay "));
    CHECK(has(enough, ", worse in 8 of 8 pairs; may be claimed of this map only (p 0.0078)\n"));
    const std::string same =
        outrider_in(folder, "compare nearest 'nearest(period_steps=15)' --map room.toml --seeds 6 --metric t90_team")
            .out;
    CAPTURE(same);
    CHECK(has(same, "0 less in the mean"));
    CHECK(has(same, "no claim: this may be chance (p 1)"));
}

}  // namespace test_cli_answers
