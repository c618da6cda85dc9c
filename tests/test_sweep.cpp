// Sweeps: plans, workers, what survives a kill, merging.
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <thread>

#include "base/child_process.hpp"
#include "base/programs.hpp"
#include "batch/sweep_axes.hpp"
#include "outrider/strategy.hpp"
#include "sweep_helpers.hpp"

using namespace outrider;
namespace fs = std::filesystem;

namespace test_sweep {
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

/// Runs that the shards of a sweep hold by now.
std::int64_t done_in(const std::string& folder) {
    std::int64_t done = 0;
    for (const ShardStatus& shard : sweep_status(folder, read_plan(folder))) done += shard.done;
    return done;
}

}  // namespace

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
    Statement row =
        db.prepare("SELECT end_reason, steps_hash, t50_team, final_base, curve, seed FROM run WHERE id = 1");
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

TEST_CASE("the CPU time of a run counts the programs that its robots ask") {
    const TemporaryFolder folder;
    write_text(folder / "busy.sh",
               "read briefing\nwhile read belief; do i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done; "
               "echo '{\"stay\":true}'; done\n");
    write_sweep(folder, fmt::format("seeds = '1..1'\n[set]\nrun.steps = 3\n[axes]\nstrategy = ['stay', "
                                    "'external(cmd=\"sh {}/busy.sh\")']\n",
                                    folder.path()));
    const SweepPlan plan = read_sweep(folder / "sweep.toml");
    allow_program(fmt::format("sh {}/busy.sh", folder.path()));
    const auto cpu_s = [&](int cell) {
        const double programs = ended_programs_cpu_s();
        const auto record = run_one(plan, sweep_scenario(plan, 0, cell), SweepRuns(plan).at(cell));
        CHECK(record->error == "");
        return std::pair(record->cpu_s, ended_programs_cpu_s() - programs);
    };
    CHECK(cpu_s(0).second == 0);
    const auto [all, programs] = cpu_s(1);
    CHECK(programs > 0.01);
    CHECK(all > programs);
}

TEST_CASE("without a choice every metric of a team is kept, each under its own name") {
    const TemporaryFolder folder;
    write_sweep(folder, "seeds = '1..1'\n");
    const SweepPlan plan = read_sweep(folder / "sweep.toml");
    const SweepRun run = SweepRuns(plan).at(0);
    const auto record = run_one(plan, sweep_scenario(plan, 0, 0), run);
    REQUIRE(record->values.size() == plan.metrics.size());
    Simulation sim(seeded(sweep_scenario(plan, 0, 0), run.seed), {});
    std::size_t compared = 0;
    for (const SummaryValue& v : sim.metrics().summary(sim.run(), 60)) {
        if (v.robot >= 0) continue;
        const auto at = std::find(plan.metrics.begin(), plan.metrics.end(), v.metric->name);
        REQUIRE(at != plan.metrics.end());
        const double kept = record->values[static_cast<std::size_t>(at - plan.metrics.begin())];
        ++compared;
        CHECK((kept == v.value || (std::isnan(kept) && std::isnan(v.value))));
    }
    CHECK(compared == plan.metrics.size());
}

TEST_CASE("a worker killed at random moments and started again leaves the results of an undisturbed one") {
    const TemporaryFolder folder;
    write_sweep(folder, "seeds = '1..20'\n[set]\nrun.steps = 400\n[axes]\nstrategy = ['nearest', 'random_walk']\n");
    const SweepPlan plan = read_sweep(folder / "sweep.toml", 3);
    write_plan(plan, folder / "calm");
    work_on(folder / "calm");
    const std::string digest = merged(folder / "calm", folder / "calm.sqlite");
    write_plan(plan, folder / "killed");
    const int kills = std::getenv("OUTRIDER_LONG") ? 20 : 5;
    Rng rng(7, -1, Purpose::placement, 0);
    int killed = 0;
    std::int64_t left = plan.runs();
    for (int i = 0; i < kills; ++i) {
        try {
            left = plan.runs() - done_in(folder / "killed");
        } catch (const Error&) {  // killed while it made the file of a shard, which the next one makes anew
        }
        std::array<int, 2> runs{};
        REQUIRE(pipe(runs.data()) == 0);
        const pid_t pid = child([&] {
            // A byte for each run that is done, committed or not.
            run_sweep(folder / "killed", plan, {}, [&](const SweepProgress&) { (void)!write(runs[1], "", 1); });
            return 0;
        });
        close(runs[1]);
        // At a random moment by what it has done, since a busy machine takes longer: within any run, or between two.
        const auto more = static_cast<int>(rng.uniform(0.0, 0.8 * static_cast<double>(left)));
        char byte = 0;
        for (int k = 0; k < more && read(runs[0], &byte, 1) == 1; ++k) {
        }
        usleep(static_cast<useconds_t>(rng.uniform(0.0, 10'000.0)));
        kill(pid, SIGKILL);
        close(runs[0]);
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
        return {.action = Stay{}, .done = false};
    }
};

}  // namespace

TEST_CASE("a run that takes the program down is named, and the others are done by the next worker") {
    const TemporaryFolder folder;
    write_sweep(folder, "seeds = '1..1'\n[axes]\nstrategy = ['nearest', 'crashing', 'stay']\n");
    int crashes = 0, code = 0;
    do {
        code = exit_code(child([&] {  // by itself: nobody else shall see this strategy
            detail::register_type<Crashing>("crashing", __FILE__);
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

TEST_CASE("shards that name the hash of the steps a digest, as once, are merged likewise") {
    const TemporaryFolder folder;
    write_sweep(folder, "seeds = '1..2'\n[axes]\nstrategy = ['nearest']\n");
    write_plan(read_sweep(folder / "sweep.toml"), folder / "d");
    work_on(folder / "d");
    const std::string digest = merged(folder / "d", folder / "new.sqlite");
    Database(shard_path(folder / "d", 1), Database::Mode::create)
        .run(
            "ALTER TABLE result RENAME COLUMN steps_hash TO digest; DELETE FROM result WHERE run = 1; DELETE FROM "
            "timing "
            "WHERE run = 1");
    work_on(folder / "d");
    CHECK(merged(folder / "d", folder / "old.sqlite") == digest);
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
    CHECK(refusal("UPDATE meta SET value = 'x' WHERE key = 'plan_hash'").find("another plan") != std::string::npos);
    CHECK(refusal("UPDATE result SET key = x'00' WHERE run = 3").find("1 of its runs are of other scenarios") !=
          std::string::npos);
    CHECK(refusal("UPDATE result SET run = 20 WHERE run = 3").find("other scenarios") != std::string::npos);
    // Of version 1, which does not say what decides.
    SweepPlan old = plan;
    old.provenance = {};
    old.program = "0.0.1 (other)";
    old.hash = plan_hash(old);
    write_plan(old, folder / "old");
    CHECK_THROWS_WITH_AS(work_on(folder / "old"), doctest::Contains("made by another program (0.0.1 (other))"), Error);
}

}  // namespace test_sweep
