// Sweeps: plans, workers, what survives a kill, merging.
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <thread>

#include "batch/sweep_axes.hpp"
#include "outrider/strategy.hpp"
#include "sweep_helpers.hpp"

using namespace outrider;
namespace fs = std::filesystem;

namespace {

constexpr const char* two_strategies = "seeds = '1..7'\n[axes]\nstrategy = ['nearest', 'random_walk']\n";

/// The results but for their timings, byte by byte.
std::string bytes_without_timing(const std::string& results, const std::string& copy) {
    fs::remove(copy);
    {
        Database db(results, Database::Mode::create);
        db.run("DROP TABLE timing; VACUUM INTO '" + copy + "'");
    }
    return read_text(copy);
}

/// Forks a worker; it ends with the exit code of `body`.
template <class Body>
pid_t child(Body&& body) {
    const pid_t pid = fork();
    if (pid != 0) return pid;
    int code = 99;
    try {
        code = body();
    } catch (const Error&) {
        code = 2;
    } catch (const std::exception&) {
        code = 1;
    }
    _exit(code);
}
int exit_code(pid_t pid) {
    int status = 0;
    waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

std::string error_of(const std::string& path) {
    try {
        read_sweep(path);
    } catch (const Error& e) {
        return e.what();
    }
    return "";
}

}  // namespace

TEST_CASE("ranges count from the first to the last value") {
    const auto values = [](const char* text) {
        std::vector<std::string> out;
        for (const Setting& s : expand_range({"x", std::string(text), "here"})) out.push_back(to_toml(s));
        return out;
    };
    using Texts = std::vector<std::string>;
    CHECK(values("1..4") == Texts{"1", "2", "3", "4"});
    CHECK(values("1..10..3") == Texts{"1", "4", "7", "10"});
    CHECK(values("0.2..0.8..0.3") == Texts{"0.2", "0.5", "0.8"});
    CHECK(values("-2..0") == Texts{"-2", "-1", "0"});
    CHECK(values("5..5") == Texts{"5"});
    CHECK(values("0..1..0.1").size() == 11);
    CHECK(values("0..1..0.1")[3] == "0.3");
    for (const char* text : {"nearest", "a..b", "office-12@1", "..", "1..", "1..2..3..4", ""})
        CHECK(values(text).empty());
    for (const char* text : {"4..1", "1..4..0", "1..9..-1", "0..10000000"}) CHECK_THROWS_AS(values(text), Error);
}

TEST_CASE("axes make every combination, a zip takes its values together, and cells lay files over the scenario") {
    const TemporaryFolder folder;
    write_sweep(folder,
                "[set]\nrun.steps = 9\n[axes]\nstrategy = ['nearest', 'stay']\ncomm.range_m = '5..15..5'\noverlay = "
                "['many.toml']\n[[zip]]\nsensor.beams = [181, 361]\nmapping.update = ['polygon', 'per_beam']\n");
    write_text(folder / "many.toml", "[team]\nrobots = 3\n[[robot]]\nstrategy = 'random_walk'\nname = 'scout'\n");
    const SweepPlan plan = read_sweep(folder / "sweep.toml");
    CHECK(plan.axes ==
          std::vector<std::string>{"team.strategy", "comm.range_m", "overlay", "sensor.beams", "mapping.update"});
    CHECK(plan.cells.size() == 12);
    CHECK(plan.runs() == 2 * 30 * 12);
    std::set<std::string> seen;
    for (int c = 0; c < 12; ++c) {
        const Scenario s = sweep_scenario(plan, 1, c).scenario;
        CHECK(s.name == "b");
        CHECK(s.run.steps == 9);
        CHECK(s.robots.size() == 4);
        CHECK(s.robots[1].name == "scout");
        for (const RobotEntry& robot : s.robots)  // of all robots, also of those that an overlay lists
            if (robot.role != Role::base) CHECK(robot.strategy == s.team.strategy);
        CHECK((s.sensor.beams == 361) == (s.mapping.update == MapUpdate::per_beam));
        seen.insert(fmt::format("{} {} {}", s.team.strategy, s.comm.range_m, s.sensor.beams));
    }
    CHECK(seen.size() == 12);
    CHECK(plan.cells[0].label == "nearest, comm.range_m = 5, many.toml, sensor.beams = 181, mapping.update = polygon");
}

TEST_CASE("a generated family gives maps that start where the family says") {
    const TemporaryFolder folder;
    write_text(folder / "f.toml",
               "seeds = '1..2'\n[[family]]\nname = 'cave'\nseeds = '7..9'\nwidth = 120\nheight = 90\n[set]\n"
               "team.robots = 1\n");
    const SweepPlan plan = read_sweep(folder / "f.toml");
    REQUIRE(plan.maps.size() == 3);
    CHECK(plan.maps[2].name == "cave-9");
    CHECK(plan.maps[0].hash != plan.maps[1].hash);
    const Scenario s = sweep_scenario(plan, 2, 0).scenario;
    CHECK(s.walls.width() == 120);
    CHECK(s.robots.size() == 2);
    CHECK_FALSE(s.walls[s.start_cell(0)]);
}

TEST_CASE("runs of one start share their seed whatever the cell; two seeds of one cell give different runs") {
    const TemporaryFolder folder;
    write_sweep(folder, "repetitions = 2\nseeds = '1..5'\n[axes]\nstrategy = ['nearest', 'random_walk']\n");
    const SweepPlan plan = read_sweep(folder / "sweep.toml");
    const SweepRuns runs(plan);
    std::map<std::tuple<int, std::int64_t, int>, std::uint64_t> seed_of;
    std::set<std::uint64_t> seeds;
    std::set<std::string> keys;
    for (std::int64_t id = 0; id < plan.runs(); ++id) {
        const SweepRun run = runs.at(id);
        const auto [at, fresh] = seed_of.emplace(run.pair(), run.seed);
        CHECK(at->second == run.seed);
        seeds.insert(run.seed);
        keys.insert(run.key);
    }
    CHECK(seeds.size() == 2 * 5 * 2);
    CHECK(keys.size() == static_cast<std::size_t>(plan.runs()));
    const SweepScenario base = sweep_scenario(plan, 0, 0);
    const auto first = run_one(plan, base, runs.at(0)), same = run_one(plan, base, runs.at(0)),
               second = run_one(plan, base, runs.at(4));
    CHECK(first->error == "");
    CHECK(first->digest == same->digest);
    CHECK(runs.at(4).cell == 0);
    CHECK(first->digest != second->digest);
    CHECK(first->scenario != second->scenario);
}

TEST_CASE("every sweep in environments/sweeps loads, and its report has something to compare") {
    int count = 0;
    for (const auto& entry : fs::directory_iterator(OUTRIDER_SOURCE_DIR "/environments/sweeps")) {
        CAPTURE(entry.path().string());
        const SweepPlan plan = read_sweep(entry.path().string());
        CHECK(plan.name == entry.path().stem().string());
        CHECK(plan.maps.size() >= 5);
        CHECK(plan.starts.size() * plan.maps.size() >= 30);
        CHECK(plan.report.compare == "team.strategy");
        CHECK(plan.cells.size() >= 2);
        CHECK(read_text(entry.path().string()).starts_with("# "));
        ++count;
    }
    CHECK(count >= 4);
}

TEST_CASE("a plan is the same to the byte when made twice, and reads back as it was") {
    const TemporaryFolder folder;
    write_sweep(folder, two_strategies);
    const SweepPlan plan = read_sweep(folder / "sweep.toml", 3);
    write_plan(plan, folder / "one");
    write_plan(read_sweep(folder / "sweep.toml", 3), folder / "two");
    CHECK(read_text(folder / "one/plan.sqlite") == read_text(folder / "two/plan.sqlite"));
    const SweepPlan again = read_plan(folder / "one");
    CHECK(plan_hash(again) == plan.hash);
    CHECK(again.hash == plan.hash);
    CHECK(again.shards == 3);
    CHECK(again.maps[1].walls.cells() == plan.maps[1].walls.cells());
    for (const std::int64_t id : {0, 13, 27}) CHECK(SweepRuns(again).at(id).key == SweepRuns(plan).at(id).key);
    Database db(folder / "one/plan.sqlite", Database::Mode::read);
    Statement count = db.prepare("SELECT count(*), count(DISTINCT key), min(shard), max(shard) FROM run");
    REQUIRE(count.step());
    CHECK(count.integer(0) == 28);
    CHECK(count.integer(1) == 28);
    CHECK(count.integer(2) == 1);
    CHECK(count.integer(3) == 3);
    write_plan(plan, folder / "one");  // the same plan: nothing to do
    CHECK_THROWS_WITH_AS(write_plan(read_sweep(folder / "sweep.toml", 2), folder / "one"),
                         doctest::Contains("holds another plan"), Error);
}

TEST_CASE("one, four and seven shards, in any order and on several threads, merge to the same bytes") {
    const TemporaryFolder folder;
    write_sweep(folder, two_strategies);
    std::string digest, bytes;
    for (const int shards : {1, 4, 7}) {
        const std::string dir = folder / std::to_string(shards);
        write_plan(read_sweep(folder / "sweep.toml", shards), dir);
        for (int worker = shards; worker >= 1; --worker) {
            const SweepOutcome outcome = work_on(dir, worker, shards, worker % 3 + 1);
            CHECK(outcome.progress.done == outcome.progress.of);
            CHECK_FALSE(outcome.stopped);
        }
        const SweepOutcome again = work_on(dir);
        CHECK(again.progress.begun_with == 28);
        CHECK(again.progress.done == 28);
        const std::string d = merged(dir, dir + "/r.sqlite");
        const std::string b = bytes_without_timing(dir + "/r.sqlite", dir + "/bare.sqlite");
        if (shards == 1) {
            digest = d;
            bytes = b;
        }
        CHECK(d == digest);
        CHECK(b == bytes);
    }
    CHECK(bytes.size() > 10'000);
    for (const ShardStatus& s : sweep_status(folder / "4", read_plan(folder / "4"))) {
        CHECK(s.done == s.runs);
        CHECK_FALSE(s.busy);
    }
}

TEST_CASE("what is kept of a run is what the simulation says of it") {
    const TemporaryFolder folder;
    write_sweep(folder, "seeds = '1..1'\nmetrics = ['t50_team', 'final_base']\ncurve_points = 5\n");
    const SweepPlan plan = read_sweep(folder / "sweep.toml");
    CHECK(plan.metrics == std::vector<std::string>{"t50_team", "final_base", "t90_base", "auc_base", "distance_m"});
    write_plan(plan, folder / "d");
    work_on(folder / "d");
    merged(folder / "d", folder / "r.sqlite");
    const SweepRun run = SweepRuns(plan).at(1);
    Simulation sim(seeded(sweep_scenario(plan, run.map, run.cell), run.seed), {});
    const EndReason reason = sim.run();
    const std::vector<StepMetrics>& steps = sim.metrics().steps();
    Database db(folder / "r.sqlite", Database::Mode::read);
    Statement row = db.prepare("SELECT end_reason, digest, t50_team, final_base, curve, seed FROM run WHERE id = 1");
    REQUIRE(row.step());
    CHECK(row.bytes(0) == end_reason_names[static_cast<std::size_t>(reason)]);
    CHECK(row.bytes(1) == sim.progress().digest.hex());
    CHECK(row.number(2) == time_to(steps, &StepMetrics::team_share, 0.5));
    CHECK(row.number(3) == steps.back().base_share);
    const Curves curves = read_curve(row.bytes(4));
    REQUIRE(curves.team.size() == 5);
    const auto at = [&](int step) {
        return steps[static_cast<std::size_t>(std::min<int>(step, static_cast<int>(steps.size()) - 1))];
    };
    for (int k = 0; k < 5; ++k) {
        CHECK(curves.team[static_cast<std::size_t>(k)] == doctest::Approx(at(59 * k / 4).team_share).epsilon(1e-4));
        CHECK(curves.base[static_cast<std::size_t>(k)] == doctest::Approx(at(59 * k / 4).base_share).epsilon(1e-4));
    }
    CHECK(static_cast<std::uint64_t>(row.integer(5)) == run.seed);
}

TEST_CASE("a worker killed at random moments and started again leaves the results of an undisturbed one") {
    const TemporaryFolder folder;
    write_sweep(folder, "seeds = '1..20'\n[set]\nrun.steps = 400\n[axes]\nstrategy = ['nearest', 'random_walk']\n");
    const SweepPlan plan = read_sweep(folder / "sweep.toml", 3);
    write_plan(plan, folder / "calm");
    const auto begun = std::chrono::steady_clock::now();
    work_on(folder / "calm");
    const double whole_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    const std::string digest = merged(folder / "calm", folder / "calm.sqlite");
    write_plan(plan, folder / "killed");
    const int kills = std::getenv("OUTRIDER_LONG") ? 20 : 5;
    Rng rng(7, -1, Purpose::placement, 0);
    int killed = 0;
    for (int i = 0; i < kills; ++i) {
        const pid_t pid = child([&] {
            work_on(folder / "killed");
            return 0;
        });
        usleep(static_cast<useconds_t>(rng.uniform(0.0, 1.2 * whole_s / kills) * 1e6));
        kill(pid, SIGKILL);
        killed += exit_code(pid) == -SIGKILL;
    }
    CHECK(killed > kills / 2);
    work_on(folder / "killed");
    CHECK(merged(folder / "killed", folder / "killed.sqlite") == digest);
    Database db(folder / "killed.sqlite", Database::Mode::read);
    Statement count = db.prepare("SELECT count(*), count(DISTINCT key) FROM run");
    REQUIRE(count.step());
    CHECK(count.integer(0) == plan.runs());
    CHECK(count.integer(1) == plan.runs());
}

TEST_CASE("a second worker on the same shard is refused, one on another shard is not") {
    const TemporaryFolder folder;
    write_sweep(folder, two_strategies);
    const SweepPlan plan = read_sweep(folder / "sweep.toml", 4);
    write_plan(plan, folder / "d");
    ShardLocks mine(folder / "d");
    REQUIRE(mine.take(2));
    CHECK_THROWS_WITH_AS(work_on(folder / "d", 2, 4), doctest::Contains("another worker is busy with shard 2"), Error);
    CHECK_THROWS_AS(work_on(folder / "d"), Error);
    CHECK(work_on(folder / "d", 1, 4).progress.done == 7);
    CHECK(sweep_status(folder / "d", plan)[1].busy);
    CHECK_FALSE(sweep_status(folder / "d", plan)[0].busy);
    const MergeReport part = merge_sweep(folder / "d", plan, folder / "part.sqlite", false);
    CHECK(part.done == 7);
    CHECK_FALSE(part.complete());
}

TEST_CASE("a run that cannot work is listed and the others are done") {
    const TemporaryFolder folder;
    write_sweep(folder, "seeds = '1..2'\n[set]\nrun.steps = 5\n[axes]\nteam.robots = [1, 150]\n");
    // So many robots have room in the first map only.
    Grid<std::uint8_t> tiny(12, 12, 0, Lattice{0.1});
    write_map(folder / "b.png", {tiny, {}}, true);
    const SweepPlan plan = read_sweep(folder / "sweep.toml");
    write_plan(plan, folder / "d");
    const SweepOutcome outcome = work_on(folder / "d");
    CHECK(outcome.progress.done == 8);
    CHECK(outcome.progress.failed == 2);
    REQUIRE(outcome.failures.size() == 2);
    CHECK(outcome.failures[0].first == 5);
    CHECK(outcome.failures[0].second.find("no free cell left") != std::string::npos);
    const SweepOutcome again = work_on(folder / "d");
    CHECK(again.progress.begun_with == 8);
    CHECK(again.failures == outcome.failures);
    const MergeReport report = merge_sweep(folder / "d", plan, folder / "r.sqlite", false);
    CHECK(report.failures == outcome.failures);
    CHECK_FALSE(report.complete());
    SweepWork retry;
    retry.retry = true;
    CHECK(run_sweep(folder / "d", plan, retry, {}).progress.begun_with == 6);
}

namespace {

class Crashing final : public Strategy {
  public:
    static constexpr Traits traits{};
    static constexpr const char* summary = "takes the program down";
    using Options = NoOptions;
    explicit Crashing(const Options&) {}
    Intent choose(const Belief& belief, Rng&) override {
        if (belief.step() == 3) raise(SIGSEGV);
        return {.motive = Stay{}, .done = false};
    }
};

}  // namespace

TEST_CASE("a run that takes the program down is named, and the others are done by the next worker") {
    const TemporaryFolder folder;
    write_sweep(folder, "seeds = '1..1'\n[axes]\nstrategy = ['nearest', 'crashing', 'stay']\n");
    int crashes = 0, code = 0;
    do {
        code = exit_code(child([&] {  // by itself: nobody else shall see this strategy
            detail::register_type<Crashing>("crashing");
            if (!fs::exists(folder / "d/plan.sqlite")) write_plan(read_sweep(folder / "sweep.toml"), folder / "d");
            install_crash_notes();
            return work_on(folder / "d").progress.failed == 2 ? 0 : 3;
        }));
        crashes += code == -SIGSEGV;
    } while (code == -SIGSEGV && crashes < 5);
    CHECK(code == 0);
    CHECK(crashes == 2);
    const MergeReport report = merge_sweep(folder / "d", read_plan(folder / "d"), folder / "r.sqlite", false);
    CHECK(report.done == 6);
    REQUIRE(report.failures.size() == 2);
    CHECK(report.failures[0].first == 1);
    CHECK(report.failures[0].second.find("the program crashed in it: signal 11") != std::string::npos);
}

TEST_CASE("a full disk leaves no half rows, and the sweep goes on when there is room") {
    const TemporaryFolder folder;
    write_sweep(folder, "seeds = '1..40'\n[axes]\nstrategy = ['nearest', 'random_walk']\n");
    const SweepPlan plan = read_sweep(folder / "sweep.toml", 1);
    write_plan(plan, folder / "calm");
    work_on(folder / "calm");
    write_plan(plan, folder / "full");
    const int code = exit_code(child([&] {
        const rlimit small{40'000, 40'000};  // of a file: SQLite sees the write fail
        setrlimit(RLIMIT_FSIZE, &small);
        signal(SIGXFSZ, SIG_IGN);
        work_on(folder / "full");
        return 0;
    }));
    CHECK(code == 1);
    const MergeReport part = merge_sweep(folder / "full", plan, folder / "part.sqlite", false);
    CHECK(part.done < plan.runs());
    CHECK(part.failed == 0);
    work_on(folder / "full");
    CHECK(merged(folder / "full", folder / "full.sqlite") == merged(folder / "calm", folder / "calm.sqlite"));
}

TEST_CASE("results of another program, plan or scenario are refused") {
    const TemporaryFolder folder;
    write_sweep(folder, two_strategies);
    const SweepPlan plan = read_sweep(folder / "sweep.toml", 2);
    write_plan(plan, folder / "d");
    work_on(folder / "d");
    const std::string shard = shard_path(folder / "d", 1);
    const std::string good = read_text(shard);
    const auto refusal = [&](const std::string& sql) -> std::string {
        write_text(shard, good);
        Database(shard, Database::Mode::create).run(sql);
        try {
            merged(folder / "d", folder / "r.sqlite");
        } catch (const Error& e) {
            return e.what();
        }
        return "";
    };
    CHECK(refusal("SELECT 1") == "");
    CHECK(refusal("UPDATE meta SET value = '0.0.1 (other)' WHERE key = 'program'").find("another program") !=
          std::string::npos);
    CHECK(refusal("UPDATE meta SET value = 'x' WHERE key = 'plan_hash'").find("another plan") != std::string::npos);
    CHECK(refusal("UPDATE result SET key = x'00' WHERE run = 3").find("1 of its runs are of other scenarios") !=
          std::string::npos);
    CHECK(refusal("UPDATE result SET run = 20 WHERE run = 3").find("other scenarios") != std::string::npos);
    write_text(shard, good);
    Database(folder / "d/plan.sqlite", Database::Mode::create)
        .run("UPDATE meta SET value = '0.0.1 (other)' WHERE key = 'program'");
    CHECK_THROWS_WITH_AS(work_on(folder / "d"), doctest::Contains("was made by another program"), Error);
}

TEST_CASE("mistakes in a sweep file are named with their place and the nearest known name") {
    const TemporaryFolder folder;
    const std::vector<std::pair<std::string, std::string>> mistakes{
        {"[axes]\nstrategy = ['nearst']\n", "unknown strategy 'nearst'; did you mean 'nearest'?"},
        {"[axes]\ncomm.rnage_m = [3]\n", "sweep.toml:3:17: unknown option 'comm.rnage_m'; did you mean"},
        {"[axes]\ncom.range_m = [3]\n", "unknown section 'com'; did you mean 'comm'?"},
        {"[axes]\nrange_m = [3]\n", "sweep.toml:3:12: 'range_m': expected section.key"},
        {"[axes]\ncomm.range_m = [-3]\n", "comm.range_m = -3: expected a number, 0 to"},
        {"[axes]\ncomm.range_m = []\n", "comm.range_m = []: expected values"},
        {"[axes]\ncomm.range_m = '9..3'\n", "expected first..last"},
        {"[[zip]]\ncomm.range_m = [1, 2]\nsensor.beams = [3]\n", "a zip takes them together"},
        {"[axes]\ncomm.range_m = [1]\n[[zip]]\ncomm.range_m = [2]\n", "comm.range_m is an axis twice"},
        {"[axis]\ncomm.range_m = [1]\n", "unknown section 'axis'; did you mean 'axes'?"},
        {"seds = '1..3'\n", "sweep.toml:2:1: unknown option 'seds'; did you mean 'seeds'?"},
        {"seeds = 'many'\n", "expected a range such as"},
        {"seeds = [1, -2]\n", "expected whole numbers"},
        {"metrics = ['t90']\n", "unknown metric 't90'; did you mean"},
        {"[report]\nmetrics = ['t9_base']\n", "unknown metric 't9_base'; did you mean 't90_base'?"},
        {"[report]\ncompare = 'comm.range_m'\n", "expected one of the axes"},
        {"shards = 1000\nseeds = '1..3'\n", "1000 shards for 6 runs: expected at most 6"},
        {"[[family]]\nname = 'ofice'\nseeds = 1\n", "unknown family of maps 'ofice'; did you mean 'office'?"},
        {"[[family]]\nname = 'office'\n", "a [[family]] needs name"},
        {"[set]\nrun.steps = [1, 2]\n", "expected one value; several make an axis"},
    };
    for (const auto& [body, message] : mistakes) {
        write_sweep(folder, body);
        const std::string error = error_of(folder / "sweep.toml");
        CAPTURE(body);
        CAPTURE(error);
        CHECK(error.find(message) != std::string::npos);
    }
    write_text(folder / "none.toml", "maps = ['nowhere']\n");
    CHECK(error_of(folder / "none.toml").find("nowhere: cannot be read") != std::string::npos);
    write_text(folder / "none.toml", "seeds = '1..3'\n");
    CHECK(error_of(folder / "none.toml").find("no maps; expected maps = ") != std::string::npos);
    CHECK_THROWS_AS(read_plan(folder.path()), Error);
    write_text(folder / "plan.sqlite", "no database");
    CHECK_THROWS_WITH_AS(read_plan(folder.path()), doctest::Contains("expected the plan of a sweep"), Error);
}
