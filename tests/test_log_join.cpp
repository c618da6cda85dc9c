// The logs of the processes of a live team, put on one timeline.
#include <doctest/doctest.h>

#include "helpers.hpp"
#include "live/join/joined_log.hpp"
#include "live/join/step_alignment.hpp"
#include "live_team.hpp"
#include "log/replay.hpp"
#include "scenario/scenario.hpp"

using namespace outrider;

namespace test_log_join {
namespace {

const std::vector<std::string> rows = {"....................", ".....1.......2......", "....................",
                                       "B..................."};
const std::string options =
    "[run]\nstep_s = 0.02\n[sensor]\nbeams = 3\nfov_deg = 180\n[team]\nstrategy = \"nearest\"\n[live]\nvalid_s = 60\n";

/// Processes r1 and r2 of a team; the second one is started `later` steps after the first one.
struct SmallTeam : LiveTeam {
    explicit SmallTeam(const TemporaryFolder& folder, bool with_relay = true, int later = 5, int steps = 90,
                       const std::string& more = "", double pace = 1)
        : LiveTeam(text_scenario(rows, options + more), folder.path(), with_relay, later, steps, pace) {}
};

std::string refusal(const std::vector<std::string>& paths) {
    try {
        LogJoin join(paths);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

std::int64_t known_cells(const KnownMap& map) {
    std::int64_t out = 0;
    map.cells().for_each([&](TileCoord, const CellTile& tile) { out += tile.known.count(); });
    return out;
}

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("steps of processes that began at different times are put beside each other by their messages") {
    // Two processes of equal pace, the second 4 steps later; a message takes a step, or three.
    std::vector<Receipt> receipts;
    for (int step = 4; step < 50; ++step) {
        const int delay = step % 3 == 0 ? 1 : 3;
        receipts.push_back({0, 1, step - delay, step - 4});
        if (step > 4 + delay) receipts.push_back({1, 0, step - 4 - delay, step});
    }
    std::erase_if(receipts, [](const Receipt& r) { return r.sent < 0; });
    const auto at = align_steps({50, 46}, receipts, {"a", "b"});
    CHECK(at[0].front() == 0);
    CHECK(at[0].back() == 49);
    CHECK(at[1].front() == 4);
    CHECK(at[1].back() == 49);
}

TEST_CASE("nothing is received before it was sent, whatever the pace of processes and the delay of messages") {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        Rng rng(seed, 0, Purpose::placement, 0);
        constexpr std::size_t count = 3;
        std::vector<std::vector<double>> times(count);  // of each step
        for (auto& of_process : times) {
            double now = 30 * rng.uniform();
            for (int step = 0; step < 100; ++step, now += 1 + (rng.uniform() < 0.02 ? 5 * rng.uniform() : 0))
                of_process.push_back(now);
        }
        std::vector<Receipt> receipts;
        for (std::size_t a = 0; a < count; ++a)
            for (std::size_t b = 0; b < count; ++b)
                for (std::size_t step = 0; a != b && step < times[a].size(); ++step) {
                    const double arrives = times[a][step] + 2 * rng.uniform();
                    const auto next = std::lower_bound(times[b].begin(), times[b].end(), arrives);
                    if (next != times[b].end())
                        receipts.push_back({a, b, static_cast<int>(step), static_cast<int>(next - times[b].begin())});
                }
        std::stable_sort(receipts.begin(), receipts.end(),
                         [](const Receipt& x, const Receipt& y) { return x.received < y.received; });
        const auto at = align_steps({100, 100, 100}, receipts, {"a", "b", "c"});
        int first = INT_MAX;
        for (const auto& steps : at) {
            first = std::min(first, steps.front());
            CHECK(std::is_sorted(steps.begin(), steps.end(), std::less_equal<>()));
        }
        CHECK(first == 0);
        bool in_order = true;
        for (const Receipt& r : receipts)
            in_order &=
                at[r.sender][static_cast<std::size_t>(r.sent)] <= at[r.receiver][static_cast<std::size_t>(r.received)];
        CHECK(in_order);
        double worst = 0;  // of when they began, beside each other
        for (std::size_t a = 0; a < count; ++a)
            for (std::size_t b = 0; b < count; ++b)
                worst = std::max(worst, std::abs(at[b].front() - at[a].front() - (times[b][0] - times[a][0])));
        CHECK(worst <= 12);  // two of them may have stood still at once
    }
}

TEST_CASE("a process that falls behind stands still on the timeline until it goes on") {
    std::vector<Receipt> receipts;
    for (int step = 1; step < 80; ++step) receipts.push_back({0, 1, step - 1 + (step >= 40 ? 7 : 0), step});
    for (int step = 1; step < 87; ++step)
        if (step < 40 || step >= 47) receipts.push_back({1, 0, step - 1 - (step >= 47 ? 7 : 0), step});
    std::stable_sort(receipts.begin(), receipts.end(),
                     [](const Receipt& x, const Receipt& y) { return x.received < y.received; });
    const auto at = align_steps({87, 80}, receipts, {"a", "b"});
    CHECK(at[0].back() == 86);
    CHECK(at[1][39] == 39);
    CHECK(at[1][40] == 46);  // what it received there was sent then
}

TEST_CASE("logs that nothing connects, and messages that come from the future, are refused") {
    CHECK_THROWS_WITH_AS(align_steps({5, 5}, {}, {"a", "b"}),
                         "b holds no message of the robots of a, nor the other way round: nothing says which of their "
                         "steps were at the same time",
                         Error);
    CHECK_THROWS_WITH_AS(align_steps({5, 5, 5}, {{0, 1, 1, 2}}, {"a", "b", "c"}), doctest::Contains("c holds no"),
                         Error);
    CHECK_THROWS_WITH_AS(align_steps({5, 5}, {{1, 0, 3, 2}, {0, 1, 3, 2}}, {"a", "b"}),
                         "a: step 2 holds a message that was sent later: the logs are of different missions", Error);
}

TEST_CASE("the joined log of two robots holds what the log of each one holds") {
    const TemporaryFolder folder;
    const SmallTeam team(folder);
    LogJoin join({team.logs[1], team.logs[0]});  // in any order
    REQUIRE(join.parts().size() == 2);
    CHECK(join.parts()[0].robots == "r1");
    CHECK(join.parts()[1].robots == "r2");
    CHECK(join.parts()[0].at.front() == 0);
    CHECK(join.parts()[1].at.front() >= 4);
    CHECK(join.parts()[1].at.front() <= 6);
    const std::atomic<bool> interrupted{false};
    CHECK(join.write(folder / "team.sqlite", interrupted));

    LogReader log(folder / "team.sqlite");
    CHECK(log.meta().contains("joined"));
    CHECK(log.meta().at("end_reason") == "step_limit");
    CHECK(log.provenance().fingerprint() == LogReader(team.logs[0]).provenance().fingerprint());
    const LogSteps steps = log.steps();
    CHECK(std::ssize(steps.steps) == join.steps());
    for (RobotId robot = 1; robot <= 2; ++robot) {
        const auto i = static_cast<std::size_t>(robot);
        const LogJoin::Part& part = join.parts()[i - 1];
        LogReader alone(team.logs[i - 1]);
        Replay single(alone), joined(log);
        const LogSteps own = alone.steps();
        std::size_t next = 0;
        std::int64_t known = 0;
        while (joined.next()) {
            CAPTURE(joined.step());
            const bool there = next < part.at.size() && part.at[next] == joined.step();
            CHECK(joined.percepts()[i].alive == there);
            CHECK(joined.view().hash == steps.hashes[static_cast<std::size_t>(joined.step())]);
            if (!there) continue;
            REQUIRE(single.next());
            CHECK(steps.poses[static_cast<std::size_t>(joined.step())][i] == own.poses[next][i]);
            CHECK(joined.team()[i].belief().pose() == single.team()[i].belief().pose());
            CHECK(joined.team()[i].map_name() == single.team()[i].map_name());
            CHECK(joined.percepts()[i].scans == single.percepts()[i].scans);
            CHECK(joined.recorded()[i].frames == single.recorded()[i].frames);
            for (const Received& received : joined.percepts()[i].inbox)
                CHECK(received.message->self().step < joined.step());
            known = known_cells(joined.team()[i].map());
            ++next;
        }
        CHECK(next == part.at.size());
        CHECK(known > 50);
    }
}

TEST_CASE("logs that are not of one live team are refused by name") {
    const TemporaryFolder folder, elsewhere;
    const SmallTeam team(folder, true, 2, 30), other(elsewhere, true, 2, 30, "[comm]\nrange_m = 7\n");
    const std::string &r1 = team.logs[0], &r2 = team.logs[1];
    CHECK(refusal({r1, r2}).empty());
    CHECK(refusal({r1}) == "expected the logs of two processes or more");
    CHECK(refusal({r1, r2, r1}) == r1 + " and " + r1 + ": both are logs of r1");
    CHECK(says(refusal({r1, other.logs[1]}), "their scenarios differ: 'range_m = "));

    SimulationOptions simulated;
    simulated.log_path = folder / "simulated.sqlite";
    simulated.log_level = LogLevel::full;
    simulated.stop_after = 3;
    Simulation(text_scenario(rows, options), simulated).run();
    CHECK(says(refusal({r1, simulated.log_path}), "simulated.sqlite: the log of a simulated world"));

    const std::atomic<bool> interrupted{false};
    LogJoin({r1, r2}).write(folder / "team.sqlite", interrupted);
    CHECK(says(refusal({r1, folder / "team.sqlite"}), "team.sqlite: is joined already"));

    const auto changed = [&](const std::string& name, const std::string& sql) {
        write_text(folder / name, read_text(r2));
        Database(folder / name, Database::Mode::create).run(sql);
        return folder / name;
    };
    CHECK(says(refusal({r1, changed("map.sqlite", "UPDATE meta SET value = 'ff' WHERE key = 'map_hash'")}),
               "map.sqlite: are of different maps"));
    CHECK(says(refusal({r1, changed("names.sqlite", "UPDATE robot SET name = 'x9' WHERE id = 2")}),
               "names.sqlite: are of different teams: base, r1, r2; and base, r1, x9"));
    CHECK(says(refusal({r1, changed("level.sqlite", "UPDATE meta SET value = 'poses' WHERE key = 'level'")}),
               "level.sqlite: its level is 'poses'"));
    CHECK(says(refusal({r1, changed("torn.sqlite", "UPDATE waist SET crc = 1 WHERE first = 1")}),
               "torn.sqlite: damaged: steps 1-"));
}

TEST_CASE("logs of robots that never met, or of two missions, are refused") {
    const TemporaryFolder alone, monday, tuesday;
    const SmallTeam silent(alone, false, 0, 20);
    CHECK(says(refusal(silent.logs), "r2.sqlite holds no message of the robots of "));
    const SmallTeam one(monday, true, 2, 60), two(tuesday, true, 9, 60, "", 0.9);
    const std::string why = refusal({one.logs[0], two.logs[1]});
    CAPTURE(why);
    CHECK(says(why, "are of different missions"));
}

}  // namespace test_log_join
