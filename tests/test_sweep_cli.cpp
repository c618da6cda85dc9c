// Sweeps as a user, a scheduler and a shell meet them: exit codes, signals, scripts.
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "program.hpp"
#include "sweep_helpers.hpp"

using namespace outrider;
namespace fs = std::filesystem;

namespace test_sweep_cli {
namespace {

/// A worker as a child, with a sweep of many short runs in the folder d.
pid_t start_worker(const TemporaryFolder& folder) {
    const pid_t child = fork();
    if (child != 0) return child;
    if (chdir(folder.path().c_str()) != 0) _exit(9);
    dup2(open("stdout.txt", O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO);
    dup2(open("stderr.txt", O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
    execl(OUTRIDER_PROGRAM, "outrider", "sweep", "run", "d", "--jobs", "1", nullptr);
    _exit(9);
}

std::int64_t done_in(const TemporaryFolder& folder) {
    const std::string json = outrider_in(folder, "sweep status d --json").out;
    const std::size_t at = json.find("\"done\": ");
    return at == std::string::npos ? -1 : std::atoll(json.c_str() + at + 8);
}

void write_long_sweep(const TemporaryFolder& folder) {
    write_sweep(folder, "seeds = '1..80'\n[set]\nrun.steps = 300\n[axes]\nstrategy = ['nearest', 'random_walk']\n");
    REQUIRE(outrider_in(folder, "sweep plan sweep.toml -o d --shards 3").code == 0);
}

bool installed(const char* program) {
    return std::system(fmt::format("command -v {} >/dev/null 2>&1", program).c_str()) == 0;
}

}  // namespace

TEST_CASE("a sweep from plan to report on the command line") {
    const TemporaryFolder folder;
    write_sweep(folder, "seeds = '1..4'\n[axes]\nstrategy = ['nearest', 'random_walk']\n");
    const ProgramResult plan = outrider_in(folder, "sweep plan sweep.toml -o d --shards 3");
    CHECK(plan.code == 0);
    CHECK(plan.out.find("16 runs: 2 maps x 4 starts x 2 cells, in 3 shards") != std::string::npos);
    CHECK(outrider_in(folder, "sweep plan sweep.toml -o d --shards 3").code == 0);
    CHECK(outrider_in(folder, "sweep merge d -o none.sqlite").code == 1);
    for (const char* i : {"3", "1", "2"})
        CHECK(outrider_in(folder, fmt::format("sweep run d --shard {}/3", i)).code == 0);
    CHECK(outrider_in(folder, "sweep run d --quiet").out == "");
    CHECK(outrider_in(folder, "sweep status d").out.find("16 of 16 runs done (100.0 %), 0 failed; 3 of 3 shards") !=
          std::string::npos);
    const ProgramResult merge = outrider_in(folder, "sweep merge d -o r.sqlite");
    CHECK(merge.code == 0);
    CHECK(merge.out.find("16 of 16 runs, 0 failed, digest ") != std::string::npos);
    CHECK(outrider_in(folder, "sweep merge d -o r.sqlite").err.find("exists already") != std::string::npos);
    CHECK(outrider_in(folder, "sweep report d -o out/report.html").code == 0);
    CHECK(read_text(folder / "out/report.html").find("16 runs") != std::string::npos);
    CHECK(read_text(folder / "out/report_tests.csv").starts_with("group,metric,a,b,test,maps,pairs"));
    CHECK(outrider_in(folder, "sweep report r.sqlite -o again.html").code == 0);
    CHECK(outrider_in(folder, "figure r.sqlite --kind box --width 88 -o box.svg").code == 0);
    CHECK(read_text(folder / "box.svg").find("width='88mm'") != std::string::npos);
    CHECK(read_text(folder / "box.csv").starts_with("metric,group,cell,runs,never"));
    const ProgramResult rerun = outrider_in(folder, "sweep rerun d --run 5 --log-file run.sqlite");
    CHECK(rerun.code == 0);
    CHECK(rerun.out.find("run 5: random_walk on a, start 3") != std::string::npos);
    CHECK(outrider_in(folder, "log info run.sqlite").code == 0);
}

TEST_CASE("a PDF needs rsvg-convert, and its absence is said") {
    const TemporaryFolder folder;
    write_sweep(folder, "seeds = '1..2'\n[axes]\nstrategy = ['nearest', 'stay']\n");
    REQUIRE(outrider_in(folder, "sweep plan sweep.toml -o d").code == 0);
    REQUIRE(outrider_in(folder, "sweep run d").code == 0);
    const ProgramResult none =
        shell_in(folder, fmt::format("PATH=/nowhere '{}' figure d --kind coverage -o f.pdf", OUTRIDER_PROGRAM));
    CHECK(none.code == 2);
    CHECK(none.err.find("a PDF needs rsvg-convert") != std::string::npos);
    CHECK_FALSE(fs::exists(folder / "f.pdf"));
    CHECK_FALSE(fs::exists(folder / "f.csv"));
    if (!installed("rsvg-convert")) return;
    CHECK(outrider_in(folder, "figure d --kind coverage -o f.pdf").code == 0);
    CHECK(read_text(folder / "f.pdf").starts_with("%PDF"));
    CHECK(read_text(folder / "f.csv").starts_with("group,cell,of,step"));
}

TEST_CASE("a worker that is told to stop finishes its run, ends with 75, and goes on later") {
    const TemporaryFolder folder;
    write_long_sweep(folder);
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
    const pid_t worker = start_worker(folder);
    while (!has_done_some() && waitpid(worker, nullptr, WNOHANG) == 0)
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    kill(worker, SIGTERM);
    int status = 0;
    REQUIRE(waitpid(worker, &status, 0) == worker);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 75);
    CHECK(read_text(folder / "stdout.txt").find("stopped; outrider sweep run d goes on") != std::string::npos);
    const std::int64_t done = done_in(folder);
    CHECK(done >= 1);
    CHECK(done < 320);
    // A slow machine may need more time for even one run.
    for (double budget_s = 0.05; budget_s < 60 && done_in(folder) == done; budget_s *= 2)
        CHECK(outrider_in(folder, fmt::format("sweep run d --time-budget {}s", budget_s)).code == 75);
    CHECK(done_in(folder) > done);
    CHECK(outrider_in(folder, "sweep run d").code == 0);
    CHECK(done_in(folder) == 320);
}

TEST_CASE("two workers on one shard: the second one is refused") {
    const TemporaryFolder folder;
    write_long_sweep(folder);
    const SweepPlan plan = read_plan(folder / "d");
    const auto has_all = [&] {
        try {
            const std::vector<ShardStatus> shards = sweep_status(folder / "d", plan);
            return std::all_of(shards.begin(), shards.end(), [](const ShardStatus& s) { return s.busy; });
        } catch (const Error&) {
            return false;  // the worker is just making the file of a shard
        }
    };
    const pid_t worker = start_worker(folder);
    while (!has_all() && waitpid(worker, nullptr, WNOHANG) == 0)
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    // Stopped it keeps its shards, so that it cannot be done with them before the second one has begun.
    kill(worker, SIGSTOP);
    const std::string status = outrider_in(folder, "sweep status d").out;
    const ProgramResult second = outrider_in(folder, "sweep run d --shard 2/3");
    kill(worker, SIGKILL);
    waitpid(worker, nullptr, 0);
    CHECK(status.find("3 being worked on") != std::string::npos);
    CHECK(second.code == 2);
    CHECK(second.err.find("another worker is busy with shard 2 of 3") != std::string::npos);
}

TEST_CASE("a plan says what it would show, from given, usual or measured spreads, and writes nothing") {
    const TemporaryFolder folder;
    write_sweep(folder,
                "seeds = '1..2'\nrepetitions = 2\n[axes]\nstrategy = ['nearest', 'stay', 'random_walk']\n[report]\n"
                "metrics = ['distance_m']\n",
                8);
    const ProgramResult usual = outrider_in(folder, "sweep plan sweep.toml --power");
    CHECK(usual.code == 0);
    CHECK_FALSE(fs::exists(folder / "d"));
    CHECK(usual.out.find("8 maps with 4 pairs each show with a probability of 80 %,\nat 5 % and 3 tests at once") !=
          std::string::npos);
    CHECK(usual.out.find("Spreads are usual ones") != std::string::npos);
    // sqrt(3^2 + 8^2 / 4) = 5 %; level 5 % / 3, of which p of eight maps has 2 steps of 2/256: z 2.418
    const ProgramResult given = outrider_in(folder, "sweep plan sweep.toml -o d --power --between 3 --within 8");
    CHECK(given.out.find(" 3 % ") != std::string::npos);
    CHECK(given.out.find(fmt::format(" {:.3g} % ", (2.418 + 0.8416) * 5 / std::sqrt(8 - 2.418 * 2.418 / 2))) !=
          std::string::npos);
    CHECK(given.out.find("Spreads are as given") != std::string::npos);
    CHECK(fs::exists(folder / "d/plan.sqlite"));
    REQUIRE(outrider_in(folder, "sweep run d --quiet").code == 0);
    REQUIRE(outrider_in(folder, "sweep merge d -o r.sqlite").code == 0);
    // Differences of 20, 40 and 20 % of the mean on each map, whatever the start: no spread at all.
    Database(folder / "r.sqlite", Database::Mode::create).run("UPDATE run SET distance_m = 80 + 20 * cell");
    const ProgramResult measured = outrider_in(folder, "sweep plan sweep.toml --power --spreads r.sqlite");
    CHECK(measured.out.find(" 0 %            0 %            0 % ") != std::string::npos);
    CHECK(measured.out.find("Spreads are those of r.sqlite") != std::string::npos);
    write_text(folder / "two.toml", "maps = ['a', 'b']\n[axes]\nstrategy = ['nearest', 'stay']\n");
    CHECK(outrider_in(folder, "sweep plan two.toml --power")
              .out.find("Nothing can be shown with so few maps (2; at least ") != std::string::npos);
    write_text(folder / "one.toml", "maps = ['a', 'b']\n[axes]\nstrategy = ['nearest']\n");
    for (const auto& [arguments, says] : {std::pair{"sweep.toml --between 3", "--between: expected --power, too"},
                                          {"one.toml --power", "the sweep compares nothing"},
                                          {"two.toml --power --spreads none.sqlite", "none.sqlite"},
                                          {"sweep.toml --power --within 2000", "--within 2000"},
                                          {"sweep.toml", "expected outrider sweep plan SWEEP.toml -o DIR"}}) {
        CAPTURE(arguments);
        const ProgramResult r = outrider_in(folder, fmt::format("sweep plan {}", arguments));
        CHECK(r.code == 2);
        CHECK(r.err.find(says) != std::string::npos);
    }
}

TEST_CASE("a failed run makes the exit code 1 and is listed") {
    const TemporaryFolder folder;
    write_sweep(folder, "seeds = '1..1'\n[set]\nrun.steps = 5\n[axes]\nteam.robots = [1, 150]\n");
    write_map(folder / "b.png", {Grid<std::uint8_t>(12, 12, 0, Lattice{0.1}), {}}, true);
    REQUIRE(outrider_in(folder, "sweep plan sweep.toml -o d").code == 0);
    const ProgramResult run = outrider_in(folder, "sweep run d");
    CHECK(run.code == 1);
    CHECK(run.err.find("failed: run 3: ") != std::string::npos);
    CHECK(outrider_in(folder, "sweep merge d -o r.sqlite").code == 1);
    CHECK(outrider_in(folder, "sweep report d -o r.html").code == 1);
    CHECK(read_text(folder / "r.html").find("1 runs failed") != std::string::npos);
}

TEST_CASE("a comparison with a report gives the values of one without") {
    const TemporaryFolder folder;
    write_sweep(folder, "");
    const std::string compare = "compare nearest random_walk --map a.toml --map b.toml --seeds 3 --set comm.range_m=2 ";
    const ProgramResult plain = outrider_in(folder, compare + "--csv plain.csv");
    const ProgramResult with = outrider_in(folder, compare + "--csv with.csv --report f.html");
    CHECK(plain.code == 0);
    CHECK(with.code == 0);
    CHECK(read_text(folder / "plain.csv") == read_text(folder / "with.csv"));
    CHECK(plain.out.substr(0, plain.out.find("csv plain")) ==
          with.out.substr(with.out.find("nearest, random_walk"),
                          with.out.find("csv with") - with.out.find("nearest, random_walk")));
    CHECK(read_text(folder / "f.html").find("outrider compare nearest random_walk --map a.toml") != std::string::npos);
    CHECK(outrider_in(folder, compare + "--report f.html").err.find("f.html: exists already") != std::string::npos);
    fs::remove(folder / "f.html");  // as if the comparison had been interrupted
    const ProgramResult other = outrider_in(folder, "compare nearest stay --map a.toml --seeds 2 --report f.html");
    CHECK(other.code == 2);
    CHECK(other.err.find("--report f.html: the folder f-sweep beside it holds the runs of another comparison") !=
          std::string::npos);
    CHECK(outrider_in(folder, "compare nearest stay --map a.toml --seeds 2 --report f.html --force").code == 0);
    for (const char* report : {"", "--report g.html"}) {
        const ProgramResult slam = outrider_in(
            folder, fmt::format("compare nearest stay --map a.toml --seeds 2 --set slam.method=scan_match --metric "
                                "pose_error_m --metric paths_found {}",
                                report));
        CHECK(slam.code == 0);
        CHECK(slam.out.find("pose_error_m@1 (m; less is better)") != std::string::npos);
        CHECK(slam.out.find("paths_found@1 (share; more is better)") != std::string::npos);
    }
}

TEST_CASE("a run done once more says when it is not the run of the sweep") {
    const TemporaryFolder folder;
    write_sweep(folder, "seeds = '1..2'\n[axes]\nstrategy = ['nearest']\n");
    REQUIRE(outrider_in(folder, "sweep plan sweep.toml -o d --shards 2").code == 0);
    CHECK(outrider_in(folder, "sweep rerun d --run 3 --log-file before.sqlite").code == 0);  // nothing to compare with
    REQUIRE(outrider_in(folder, "sweep run d --quiet").code == 0);
    const ProgramResult same = outrider_in(folder, "sweep rerun d --run 3 --log-file same.sqlite");
    CHECK(same.code == 0);
    CHECK(same.err == "");
    Database(shard_path(folder / "d", 2), Database::Mode::create)
        .run("UPDATE result SET steps_hash = 'of another program' WHERE run = 3");
    const ProgramResult other = outrider_in(folder, "sweep rerun d --run 3 --log-file other.sqlite");
    CHECK(other.code == 1);
    CHECK(other.err.find("these are not the steps that the run had in the sweep") != std::string::npos);
    CHECK(fs::exists(folder / "other.sqlite"));
}

TEST_CASE("a comparison whose runs failed in part has its report, and the failures are listed") {
    const TemporaryFolder folder;
    write_sweep(folder, "");
    const ProgramResult r =
        outrider_in(folder, "compare nearest stay 'external(cmd=\"exit 3\")' --map a.toml --seeds 2 --report f.html");
    CHECK(r.code == 1);
    CHECK(r.err.find("failed: run 2: robot 'r1' at step 0: 'exit 3' ended with exit code 3") != std::string::npos);
    CHECK(r.out.find("report f.html, without the runs that failed") != std::string::npos);
    CHECK(read_text(folder / "f.html").find("2 runs failed</b> and are left out") != std::string::npos);
    CHECK(read_text(folder / "f_tests.csv").find("nearest,stay,sign_flip_starts,1,2,") != std::string::npos);
}

TEST_CASE("a comparison of six prints the tests of its report, with the same corrected p") {
    const TemporaryFolder folder;
    write_sweep(folder, "");
    const ProgramResult r = outrider_in(
        folder,
        "compare nearest stay random_walk mresim_greedy minpos burgard --map a.toml --seeds 8 --metric distance_m "
        "--report f.html");
    REQUIRE(r.code == 0);
    CHECK(r.out.find("Holm over the 5 tests above") != std::string::npos);
    const std::string csv = read_text(folder / "f_tests.csv");
    CHECK(std::count(csv.begin(), csv.end(), '\n') == 6);
    for (const char* other : {"stay", "random_walk", "mresim_greedy", "minpos", "burgard"}) {
        CAPTURE(other);
        const auto cut = [](const std::string& text, const std::string& after, char end) {
            const std::size_t at = text.find(after) + after.size();
            return text.substr(at, text.find(end, at) - at);
        };
        std::string row = cut(csv, fmt::format(",nearest,{},", other), '\n');
        row = row.substr(0, row.rfind(','));  // without the verdict
        const std::string line = cut(r.out, fmt::format("\n  {} - nearest on", other), '\n');
        CHECK(cut(line, "Holm ", ':') == fmt::format("{:.2g}", std::stod(row.substr(row.rfind(',') + 1))));
    }
}

TEST_CASE("a comparison without a report goes on when runs fail, and lists them") {
    const TemporaryFolder folder;
    write_sweep(folder, "");
    const ProgramResult r = outrider_in(
        folder, "compare nearest 'external(cmd=\"exit 3\")' stay --map a.toml --seeds 4 --csv runs.csv --threads 2");
    CHECK(r.code == 1);
    CHECK(r.err.find("failed: external(cmd=\"exit 3\") on a, start 2: robot 'r1' at step 0: 'exit 3' ended with exit "
                     "code 3\n") != std::string::npos);
    CHECK(r.out.find("4 of 12 runs failed and are left out\n") != std::string::npos);
    CHECK(r.out.find("stay - nearest on one map, 4 pairs: mean ") != std::string::npos);
    CHECK(r.out.find("stay - external(cmd=\"exit 3\"): no pair in which both have a value") != std::string::npos);
    const std::string csv = read_text(folder / "runs.csv");
    CHECK(csv.find("\n\"external(cmd=\"\"exit 3\"\")\",a,4,failed,,,\n") != std::string::npos);
    CHECK(csv.find("\nstay,a,4,") != std::string::npos);
}

TEST_CASE("an option of a strategy that does not fit the map's cells is a mistake before any run") {
    const TemporaryFolder folder;
    write_sweep(folder, "[axes]\nstrategy = ['nearest', 'exploration_transform(min_m=10)']\n");
    for (const char* command :
         {"compare nearest 'exploration_transform(min_m=10)' --map a.toml --seeds 2",
          "compare nearest 'exploration_transform(min_m=10)' --map a.toml --seeds 2 --report f.html",
          "run a.toml --strategy 'exploration_transform(min_m=10)'", "sweep plan sweep.toml -o d",
          "check a.toml --strategy 'exploration_transform(min_m=10)'"}) {
        CAPTURE(command);
        const ProgramResult r = outrider_in(folder, command);
        CHECK(r.code == 2);
        CHECK(r.err.find("exploration_transform.min_m = 10: expected at most 6.3 m, which is 63 cells of this map") !=
              std::string::npos);
    }
}

TEST_CASE("mistakes with sweeps end with code 2 and a line that names them") {
    const TemporaryFolder folder;
    write_sweep(folder, "seeds = '1..2'\n");
    REQUIRE(outrider_in(folder, "sweep plan sweep.toml -o d").code == 0);
    const std::vector<std::pair<std::string, std::string>> mistakes{
        {"sweep rnu d", "expected plan, run, status, merge, report, emit, rerun; did you mean 'run'?"},
        {"sweep plan sweep.toml", "expected outrider sweep plan SWEEP.toml -o DIR"},
        {"sweep plan none.toml -o x", "none.toml: cannot be read"},
        {"sweep plan sweep.toml -o x --shards 0", "--shards 0: expected a whole number, 1 to 1000"},
        {"sweep plan sweep.toml -o sweep.toml/x", "the folder sweep.toml/x cannot be made"},
        {"sweep run none", "none/plan.sqlite: cannot be read; expected the plan of a sweep"},
        {"sweep run d --shard 3/2", "--shard 3/2: expected i/N"},
        {"sweep run d --shard 1/9", "expected at most 1 workers"},
        {"sweep run d --time-budget soon", "--time-budget soon: expected a time such as"},
        {"sweep run d --jobs -1", "--jobs -1: expected a whole number"},
        {"sweep status", "expected outrider sweep status DIR"},
        {"sweep merge d", "expected outrider sweep merge DIR -o RESULTS.sqlite"},
        {"sweep report sweep.toml -o r.html", "sweep.toml: expected the merged results of a sweep"},
        {"sweep emit pbs d", "expected outrider sweep emit slurm DIR, or emit parallel DIR"},
        {"sweep rerun d --run 4 --log-file x", "--run 4: expected a whole number, 0 to 3"},
        {"figure d --kind pie -o x.svg", "--kind pie: expected coverage, time_to"},
        {"figure d --kind box -o x.png", "x.png: expected a name that ends in .svg or .pdf"},
        {"figure d --kind box --metric t9 -o x.svg", "unknown metric 't9'"},
        {"figure d --kind box --width 4 -o x.svg", "--width 4: expected a whole number, 40 to 400"},
    };
    for (const auto& [arguments, message] : mistakes) {
        const ProgramResult r = outrider_in(folder, arguments);
        CAPTURE(arguments);
        CAPTURE(r.err);
        CHECK(r.code == 2);
        CHECK(r.err.find(message) != std::string::npos);
        for (const char* file : {"x", "x.svg", "x.csv", "r.html"}) CHECK_FALSE(fs::exists(folder / file));
    }
}

}  // namespace test_sweep_cli
