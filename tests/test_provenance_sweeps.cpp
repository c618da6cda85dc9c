// What an edit of a program in the middle of a sweep or comparison does.
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "base/version.hpp"
#include "batch/report/report.hpp"
#include "outrider/error.hpp"
#include "program.hpp"
#include "sweep_helpers.hpp"

using namespace outrider;
namespace fs = std::filesystem;

namespace test_provenance_sweeps {
namespace {

/// A sweep of an external program, decide.sh, of many short runs: planned into d.
void plan_external(const TemporaryFolder& folder, int seeds) {
    write_text(folder / "decide.sh", "read briefing\nwhile read belief; do echo '{\"random\": true}'; done\n");
    write_sweep(folder, "");
    write_text(folder / "sweep.toml",
               fmt::format("maps = ['a']\nseeds = '1..{}'\n[set]\nrun.steps = 20\n[axes]\nstrategy = "
                           "['external(cmd=\"sh decide.sh\")', 'stay']\n",
                           seeds));
    const ProgramResult plan = outrider_in(folder, "sweep plan sweep.toml -o d --shards 2");
    INFO(plan.err);
    REQUIRE(plan.code == 0);
}

std::int64_t number_in(const std::string& path, const std::string& query) {
    Database db(path, Database::Mode::read);
    Statement s = db.prepare(query);
    return s.step() ? s.integer(0) : -1;
}

}  // namespace

TEST_CASE("files are found in a command as a shell finds them") {
    const TemporaryFolder folder;
    fs::create_directories(folder / "in");
    for (const char* file : {"a.py", "in/b c.py", "out.txt", "model.bin"}) write_text(folder / file, file);
    const auto named = [&](std::string command) {
        for (std::size_t at; (at = command.find('@')) != std::string::npos;) command.replace(at, 1, folder.path());
        std::string out;
        for (const auto& [word, fingerprint] : files_of_command(command))
            if (fingerprint != no_fingerprint) out += fs::path(word).filename().string() + "|";
        return out;
    };
    CHECK(named("sh @/a.py --model=x @/model.bin") == "sh|a.py|model.bin|");
    CHECK(named("cd @/in && exec sh 'b c.py'") == "b c.py|");
    CHECK(named("cd @; A=1 sh a.py >out.txt 2> out.txt") == "sh|a.py|");
    CHECK(named("cd @; sh a.py <out.txt|sh in/b\\ c.py") == "sh|a.py|out.txt|b c.py|");
    CHECK(named("sh \"@/a.py\"; sh @/a.py") == "sh|a.py|");
    CHECK(named("@/a.py @/in @/none sh") == "a.py|");
    CHECK(named("") == "");
    const auto before = files_of_command("sh " + (folder / "a.py"));
    write_text(folder / "a.py", "another");
    const auto after = files_of_command("sh " + (folder / "a.py"));
    CHECK(before[0] == after[0]);
    CHECK(before[1] != after[1]);
}

TEST_CASE("an edit of an external program in the middle of a sweep ends it, and what was made by it is not kept") {
    const TemporaryFolder folder;
    plan_external(folder, 40);
    const pid_t worker = fork();
    if (worker == 0) {
        if (chdir(folder.path().c_str()) != 0) _exit(9);
        dup2(open("worker.txt", O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO);
        dup2(STDOUT_FILENO, STDERR_FILENO);
        execl(OUTRIDER_PROGRAM, "outrider", "sweep", "run", "d", "--jobs", "1", "--allow-external", nullptr);
        _exit(9);
    }
    // Looked at from here: to start a program each time would take as long as many runs.
    const SweepPlan plan = read_plan(folder / "d");
    const auto has_done_some = [&] {
        try {
            const std::vector<ShardStatus> shards = sweep_status(folder / "d", plan);
            return std::any_of(shards.begin(), shards.end(), [](const ShardStatus& s) { return s.done > 0; });
        } catch (const Error&) {
            return false;  // the worker is just making the file of a shard
        }
    };
    write_text(folder / "new.sh", "read briefing\nwhile read belief; do echo '{\"stay\": true}'; done\n");
    while (!has_done_some() && waitpid(worker, nullptr, WNOHANG) == 0)
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    fs::rename(folder / "new.sh", folder / "decide.sh");  // as editors do
    int status = 0;
    REQUIRE(waitpid(worker, &status, 0) == worker);
    const std::string said = read_text(folder / "worker.txt");
    INFO(said);
    REQUIRE(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 2);
    CHECK(said.find("program decide.sh was ") != std::string::npos);
    CHECK(said.find("--mix") != std::string::npos);

    // The runs that are there were all decided by the first one; a resume is refused and adds nothing.
    REQUIRE(outrider_in(folder, "sweep merge d -o part.sqlite").code == 1);
    CHECK(number_in(folder / "part.sqlite", "SELECT count(DISTINCT fingerprint) FROM run WHERE cell = 0") == 1);
    const std::int64_t kept = number_in(folder / "part.sqlite", "SELECT count(*) FROM run");
    CHECK(kept > 0);
    CHECK(kept < 80);
    const ProgramResult refused = outrider_in(folder, "sweep run d --quiet --allow-external");
    CHECK(refused.code == 2);
    CHECK(refused.err.find("program decide.sh was ") != std::string::npos);
    REQUIRE(outrider_in(folder, "sweep merge d -o again.sqlite").code == 1);
    CHECK(number_in(folder / "again.sqlite", "SELECT count(*) FROM run") == kept);

    // With --mix the rest is run, and kept apart.
    REQUIRE(outrider_in(folder, "sweep run d --quiet --allow-external --mix").code == 0);
    REQUIRE(outrider_in(folder, "sweep merge d -o mixed.sqlite").code == 0);
    CHECK(number_in(folder / "mixed.sqlite", "SELECT count(DISTINCT fingerprint) FROM run WHERE cell = 0") == 2);
    CHECK(number_in(folder / "mixed.sqlite", "SELECT count(DISTINCT fingerprint) FROM run WHERE cell = 1") == 1);
    Results mixed(folder / "mixed.sqlite");
    REQUIRE(mixed.plan().cells.size() == 3);
    CHECK(mixed.planned().cells.size() == 2);
    CHECK(mixed.fingerprint(0) != mixed.fingerprint(1));
    CHECK(mixed.plan().cells[0].label == "external(cmd=\"sh decide.sh\") [" + mixed.fingerprint(0) + "]");
    CHECK(mixed.plan().cells[2].label == "stay");
    std::size_t both = 0, none = 0;
    for (std::size_t pair = 0; pair < mixed.pairs(); ++pair) {
        both += mixed.there(0, pair) && mixed.there(1, pair);
        none += !mixed.there(0, pair) && !mixed.there(1, pair);
        CHECK(mixed.place_of(mixed.run_of(1, pair)).first == (mixed.there(1, pair) ? 1 : 0));
    }
    CHECK(both == 0);
    CHECK(none == 0);
    REQUIRE(outrider_in(folder, "sweep report mixed.sqlite -o r.html").code == 0);
    const std::string html = read_text(folder / "r.html"), numbers = read_text(folder / "r_summary.csv");
    CHECK(html.find("Not all runs were decided by the same program") != std::string::npos);
    for (const std::size_t cell : {0, 1}) {
        CHECK(html.find("runs [" + mixed.fingerprint(cell) + "] decided by library ") != std::string::npos);
        CHECK(numbers.find("[" + mixed.fingerprint(cell) + "]") != std::string::npos);
    }
}

TEST_CASE("a version that a program says is kept with its runs, and another one in mid-sweep is refused") {
    const TemporaryFolder folder;
    // What it imports is named by no command.
    write_text(folder / "version.txt", "one");
    write_text(folder / "decide.sh",
               "read briefing; read belief; echo '{\"stay\": true, \"version\": \"'$(cat version.txt)'\"}'\n"
               "while read belief; do echo '{\"stay\": true}'; done\n");
    write_sweep(folder, "");
    write_text(folder / "sweep.toml",
               "maps = ['a']\nseeds = '1..6'\n[set]\nrun.steps = 10\n[axes]\nstrategy = ['external(cmd=\"sh "
               "decide.sh\")']\n");
    REQUIRE(outrider_in(folder, "sweep plan sweep.toml -o d --shards 3").code == 0);
    REQUIRE(outrider_in(folder, "sweep run d --shard 1/3 --quiet --allow-external").code == 0);
    write_text(folder / "version.txt", "two");
    const ProgramResult refused = outrider_in(folder, "sweep run d --quiet --allow-external");
    CHECK(refused.code == 2);
    CHECK(refused.err.find("program sh decide.sh reported version one and now reports two") != std::string::npos);
    CHECK(outrider_in(folder, "sweep status d --json").out.find("\"done\": 2,") != std::string::npos);
    REQUIRE(outrider_in(folder, "sweep run d --quiet --allow-external --mix").code == 0);
    REQUIRE(outrider_in(folder, "sweep report d -o r.html").code == 0);
    const std::string html = read_text(folder / "r.html");
    for (const char* version : {"one", "two"})
        CHECK(html.find(fmt::format("program sh decide.sh (version {})", version)) != std::string::npos);
    REQUIRE(outrider_in(folder, "sweep rerun d --run 5 --log-file log.sqlite --allow-external").code == 0);
    CHECK(outrider_in(folder, "log info log.sqlite").out.find("program sh decide.sh (version two)") !=
          std::string::npos);
}

TEST_CASE("a comparison of a program that is edited meanwhile has no result") {
    const TemporaryFolder folder;
    write_sweep(folder, "");
    write_text(folder / "decide.sh",
               "read briefing; echo '# edited' >> decide.sh\nwhile read belief; do echo '{\"stay\": true}'; done\n");
    const ProgramResult r = outrider_in(folder,
                                        "compare stay 'external(cmd=\"sh decide.sh\")' --map a.toml --seeds 2 "
                                        "--set run.steps=5");
    CHECK(r.code == 2);
    CHECK(r.err.find("while it went on, program decide.sh was ") != std::string::npos);
    CHECK(r.out.empty());
}

TEST_CASE("a sweep goes on when an edit of its program is undone, and when another file has appeared") {
    const TemporaryFolder folder;
    plan_external(folder, 4);
    const std::string good = read_text(folder / "decide.sh");
    write_text(folder / "decide.sh", good + "# edited\n");
    const ProgramResult refused = outrider_in(folder, "sweep run d --quiet --allow-external");
    CHECK(refused.code == 2);
    CHECK(refused.err.find("since the sweep was planned, program decide.sh was ") != std::string::npos);
    fs::remove(folder / "decide.sh");
    CHECK(outrider_in(folder, "sweep run d --quiet --allow-external").err.find("not there any more") !=
          std::string::npos);
    write_text(folder / "decide.sh", good);
    CHECK(outrider_in(folder, "sweep run d --quiet --allow-external").code == 0);
    // A program that writes into a file that its command names never decides as planned.
    write_text(folder / "state.sh",
               "read briefing\necho x >> $1\nwhile read belief; do echo '{\"stay\": true}'; done\n");
    write_text(folder / "state.txt", "");
    write_text(folder / "sweep.toml",
               "maps = ['a']\nseeds = '1..2'\n[set]\nrun.steps = 5\n[axes]\nstrategy = ['external(cmd=\"sh state.sh "
               "state.txt\")']\n");
    REQUIRE(outrider_in(folder, "sweep plan sweep.toml -o state").code == 0);
    CHECK(outrider_in(folder, "sweep run state --quiet --allow-external").err.find("program state.txt was") !=
          std::string::npos);
    const ProgramResult mixed = outrider_in(folder, "sweep run state --quiet --allow-external --mix");
    CHECK(mixed.code == 1);
    CHECK(mixed.err.find("its program changed while it went on: program state.txt was") != std::string::npos);
}

TEST_CASE("a resume with another strategy is refused, unless all its runs are done or it is told to mix") {
    const TemporaryFolder folder;
    write_sweep(folder, "seeds = '1..3'\n[axes]\nstrategy = ['nearest', 'stay']\n");
    SweepPlan plan = read_sweep(folder / "sweep.toml", 2);
    const ProvenancePart* stay = plan.provenance.find("strategy", "stay");
    REQUIRE(stay);
    CHECK(plan.provenance.find("strategy", "nearest"));
    CHECK_FALSE(plan.provenance.find("strategy", "mresim_greedy"));  // of no run
    const std::string now = stay->fingerprint;
    // As if planned before `nearest` was edited.
    for (ProvenancePart& part : plan.provenance.parts)
        if (part.name == "nearest") part.fingerprint = "0123456789ab";
    const auto planned_into = [&](const std::string& to) {
        plan.hash = plan_hash(plan);
        write_plan(plan, folder / to);
        return folder / to;
    };
    const std::string refused = planned_into("refused");
    CHECK_THROWS_WITH_AS(work_on(refused), doctest::Contains("strategy nearest was 0123456789ab and is "), Error);
    CHECK_FALSE(fs::exists(shard_path(refused, 1)));
    CHECK(read_plan(refused).provenance.find("strategy", "nearest")->fingerprint == "0123456789ab");
    // The same file planned again is another plan, and the reason is said.
    CHECK_THROWS_WITH_AS(write_plan(read_sweep(folder / "sweep.toml", 2), refused),
                         doctest::Contains("strategy nearest was 0123456789ab"), Error);

    // All runs of the edited strategy are done: the others are not refused.
    const std::string rest = planned_into("rest");
    const SweepRuns runs(plan);
    for (int shard = 1; shard <= 2; ++shard) {
        ShardWriter writer(rest, plan, shard, false);
        for (std::int64_t id = plan.first_of(shard - 1); id < plan.first_of(shard); ++id) {
            RunRecord record;
            record.run = runs.at(id);
            record.provenance.add({"library", "", std::string(library_fingerprint())});
            record.values.assign(plan.metrics.size(), 1.0);
            if (record.run.cell == 0) writer.add(record);
        }
        writer.commit();
    }
    CHECK(work_on(rest).progress.done == 12);

    const std::string mixed = planned_into("mixed");
    SweepWork work;
    work.mix = true;
    CHECK(run_sweep(mixed, read_plan(mixed), work, {}).progress.done == 12);
    merged(mixed, folder / "mixed.sqlite");
    const Results results(folder / "mixed.sqlite");
    CHECK_FALSE(results.mixed());  // one program decided in all runs of each cell
    REQUIRE(results.provenance().size() == 2);
    CHECK(results.provenance()[0].find("library", ""));
}

TEST_CASE("without axes, runs of different programs are kept apart all the same") {
    const TemporaryFolder folder;
    write_sweep(folder, "seeds = '1..4'\n");
    write_plan(read_sweep(folder / "sweep.toml", 1), folder / "d");
    work_on(folder / "d");
    const auto other = [&](const std::string& fingerprint) {
        Database(shard_path(folder / "d", 1), Database::Mode::create)
            .run("UPDATE result SET fingerprint = '" + fingerprint + "' WHERE run % 2 = 1");
        merged(folder / "d", folder / "r.sqlite");
    };
    other("0123456789ab");
    Results results(folder / "r.sqlite");
    REQUIRE(results.plan().cells.size() == 2);
    const Analysis analysis = analyse(results);
    CHECK(analysis.compared.size() == 2);
    CHECK(analysis.compared[1].ends_with(" [0123456789ab]"));
    for (const CellSummary& s : analysis.summaries) CHECK(s.runs + s.undefined == 4);
    other("<b>12345678");
    CHECK_THROWS_WITH_AS(Results(folder / "r.sqlite"), doctest::Contains("fingerprint of what decided is damaged"),
                         Error);
}

TEST_CASE("results and folders of version 1, which do not say what decided, are read as they were") {
    const TemporaryFolder folder;
    write_sweep(folder, "seeds = '1..3'\n[axes]\nstrategy = ['nearest', 'stay']\n");
    SweepPlan plan = read_sweep(folder / "sweep.toml", 1);
    write_plan(plan, folder / "d");
    work_on(folder / "d");
    merged(folder / "d", folder / "new.sqlite");
    plan.provenance = {};
    plan.hash = plan_hash(plan);
    write_plan(plan, folder / "old");
    fs::create_directories(folder / "old/shards");
    fs::copy_file(shard_path(folder / "d", 1), shard_path(folder / "old", 1));
    Database(folder / "old/plan.sqlite", Database::Mode::create).run("DROP TABLE provenance; PRAGMA user_version = 1");
    Database(shard_path(folder / "old", 1), Database::Mode::create)
        .run("DROP TABLE provenance; ALTER TABLE result DROP COLUMN fingerprint; UPDATE meta SET value = '" +
             plan.hash + "' WHERE key = 'plan_hash'; PRAGMA user_version = 1");
    merged(folder / "old", folder / "old.sqlite");
    fs::copy_file(folder / "old.sqlite", folder / "older.sqlite");
    Database(folder / "older.sqlite", Database::Mode::create)
        .run("DROP TABLE provenance; ALTER TABLE run DROP COLUMN fingerprint; PRAGMA user_version = 1");
    Results now(folder / "new.sqlite");
    for (const char* file : {"old.sqlite", "older.sqlite"}) {
        Results then(folder / file);
        CHECK(then.done() == 12);
        CHECK(then.plan().cells.size() == 2);
        CHECK(then.fingerprint(0).empty());
        CHECK(then.metric("auc_base") == now.metric("auc_base"));
        CHECK(make_report(then, {}).html.find("what decided is not recorded") != std::string::npos);
    }
    CHECK(make_report(now, {}).html.find("decided by library ") != std::string::npos);
}

}  // namespace test_provenance_sweeps
