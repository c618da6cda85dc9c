// What an untrusted file can make the program do: nothing. Each case was an attack that worked. (What starts programs:
// test_programs.cpp; what readers cost: test_foreign_files.cpp.)
#include <sys/stat.h>

#include <filesystem>
#include <string>

#include "base/sqlite.hpp"
#include "batch/sweep_plan.hpp"
#include "program.hpp"
#include "sweep_helpers.hpp"

using namespace outrider;
namespace fs = std::filesystem;

namespace test_cli_foreign {
namespace {

const std::string office = OUTRIDER_SOURCE_DIR "/environments/small_office.png";

/// Results whose plan is `changed` and has a hash that fits.
void write_results(const TemporaryFolder& folder, const std::function<void(SweepPlan&)>& changed) {
    write_sweep(folder, "seeds = '1..2'\n[axes]\nstrategy = ['nearest', 'random_walk']\n");
    SweepPlan plan = read_sweep(folder / "sweep.toml");
    changed(plan);
    plan.hash = plan_hash(plan);
    fs::remove_all(folder / "d");
    write_plan(plan, folder / "d");
    work_on(folder / "d");
    merged(folder / "d", folder / "r.sqlite");
}

void change(const std::string& path, const std::string& sql) { Database(path, Database::Mode::create).run(sql); }

}  // namespace

TEST_CASE("files that cost much are refused at once, in little memory, by each command that reads them") {
    const TemporaryFolder folder;
    REQUIRE(mkfifo((folder / "pipe").c_str(), 0600) == 0);
    std::string deep = "[a";
    for (int i = 0; i < 20'000; ++i) deep += ".a";
    write_text(folder / "deep.toml", deep + "]\nx = 1\n");
    write_text(folder / "zero.toml", "include = '/dev/zero'\n");
    const std::string limits = "ulimit -v 1500000; timeout 10";
    for (const std::string file : {"pipe", "deep.toml", "zero.toml"})
        for (const std::string command :
             {"check {}", "run {} --log none", "sweep plan {} -o p", "run --map {} --log none", "log info {}",
              "rerun {}", "replay {} --png f", "why {} --robot r1 --step 1", "slam {} -o m",
              "sweep report {} -o r.html", "figure {} --kind box -o f.svg",
              "compare --map {} --strategies nearest,random_walk --seeds 1..2", "plan --map {} --from 1,1 --to 2,2",
              "convert {} -o m.png"}) {
            const std::string line = fmt::format(fmt::runtime(command), file);
            CAPTURE(line);
            const ProgramResult r = outrider_in(folder, line, limits);
            CAPTURE(r.err);
            CHECK(r.code == 2);
            CHECK(r.err.starts_with("outrider: "));
            CHECK(std::count(r.err.begin(), r.err.end(), '\n') == 1);
        }
}

TEST_CASE("the name of a scenario puts its log into logs/ and nowhere else") {
    const TemporaryFolder folder;
    write_text(folder / "evil.toml", fmt::format("name = '../../x'\n[map]\nfile = '{}'\n[run]\nsteps = 3\n", office));
    const ProgramResult r = outrider_in(folder, "run evil.toml");
    CAPTURE(r.err);
    REQUIRE(r.code == 0);
    int logs = 0;
    for (const auto& entry : fs::directory_iterator(folder / "logs")) {
        CHECK(entry.path().filename().string().starts_with("_._.._x_"));
        ++logs;
    }
    CHECK(logs >= 1);
}

TEST_CASE("what a plan or results say is checked: the hash, the axis that is compared, the names of metrics") {
    const TemporaryFolder folder;
    const auto report = [&] { return outrider_in(folder, "sweep report r.sqlite -o r.html --force"); };
    write_results(folder, [](SweepPlan&) {});
    REQUIRE(report().code <= 1);
    const std::string good = read_text(folder / "r.sqlite");
    const auto refused = [&](const std::string& sql) -> std::string {
        write_text(folder / "r.sqlite", good);
        change(folder / "r.sqlite", sql);
        const ProgramResult r = report();
        CHECK(r.code == 2);
        return r.err;
    };
    CHECK(refused("UPDATE meta SET value = 'x' WHERE key = 'name'").find("its content is not what its hash says") !=
          std::string::npos);
    CHECK(refused("UPDATE meta SET value = 'y' WHERE key = 'compare'")
              .find("it compares 'y', which is none of its axes, team.strategy") != std::string::npos);
    CHECK(refused("UPDATE metric SET name = 'x\" FROM run; ATTACH ''evil.sqlite'' AS e; --' WHERE id = 0")
              .find("is no name of a metric") != std::string::npos);
    CHECK_FALSE(fs::exists(folder / "evil.sqlite"));
    CHECK(refused("DELETE FROM cell_value").find("has 0 values for 1 axes") != std::string::npos);
    CHECK(refused("UPDATE run SET cell = 77 WHERE id = 0").find("run 0 is not as its plan says") != std::string::npos);
    CHECK(refused("UPDATE run SET id = -5 WHERE id = 0").find("run -5 is not as its plan says") != std::string::npos);
    CHECK(refused("UPDATE map SET walls = x'00'").find("a map is damaged") != std::string::npos);
    CHECK(refused("UPDATE meta SET value = 0 WHERE key = 'repetitions'").find("repetitions is 0; expected 1 to") !=
          std::string::npos);
    CHECK(refused("ALTER TABLE run RENAME TO runs; CREATE VIEW run AS SELECT * FROM runs").find("but a view") !=
          std::string::npos);
    // The same in a folder that is to be worked on.
    change(folder / "d/plan.sqlite", "UPDATE meta SET value = 'x' WHERE key = 'name'");
    const ProgramResult work = outrider_in(folder, "sweep run d --quiet");
    CHECK(work.code == 2);
    CHECK(work.err.find("its content is not what its hash says") != std::string::npos);
}

TEST_CASE("a report shows what is in a file and runs none of it; a job script does not either") {
    const TemporaryFolder folder;
    const std::string script = "<script>alert(1)</script>' onload='x";
    write_results(folder, [&](SweepPlan& plan) {
        plan.name = script + "\ntouch SPRUNG";
        plan.maps[0].name = "=2+5" + script;
        plan.source = script;
    });
    change(folder / "r.sqlite", "UPDATE meta SET value = '" + sql_text(script).substr(1) + " WHERE key = 'digest'");
    REQUIRE(outrider_in(folder, "sweep report r.sqlite -o r.html --force").code <= 1);
    const std::string html = read_text(folder / "r.html");
    CHECK(html.find("&lt;script&gt;alert(1)&lt;/script&gt;&#39; onload=&#39;x") != std::string::npos);
    CHECK(html.find("<script") == std::string::npos);
    CHECK(html.find("' onload='x") == std::string::npos);
    for (const auto& entry : fs::directory_iterator(folder.path()))
        if (entry.path().extension() == ".csv") {
            const std::string csv = read_text(entry.path().string());
            CHECK(csv.find(",=2+5") == std::string::npos);
            CHECK(csv.find("\n=2+5") == std::string::npos);
        }
    for (const std::string kind : {"slurm", "parallel"}) {
        const ProgramResult r = outrider_in(folder, "sweep emit " + kind + " d");
        CHECK(r.code == 0);
        CHECK(r.out.find("touch SPRUNG") != std::string::npos);  // in a comment
        CHECK(r.out.find("\ntouch SPRUNG") == std::string::npos);
    }
}

TEST_CASE("status and reports need no right to write where the sweep is") {
    const TemporaryFolder folder;
    if (shell_in(folder, "unshare -m mount --bind . .").code != 0) {
        MESSAGE("not tried: no file system can be mounted here");
        return;
    }
    write_results(folder, [](SweepPlan&) {});
    const auto result = [&](const std::string& arguments) {
        return shell_in(folder, "unshare -m sh -c 'mount --bind d d && mount -o remount,bind,ro d && ! touch d/x && " +
                                    (OUTRIDER_PROGRAM " " + arguments) + "'");
    };
    const ProgramResult status = result("sweep status d");
    CAPTURE(status.err);
    CHECK(status.code == 0);
    const ProgramResult report = result("sweep report d -o r.html --force");
    CAPTURE(report.err);
    CHECK(report.code == 0);
    CHECK(fs::file_size(folder / "r.html") > 1000);
    CHECK(result("figure d --kind box -o f.svg").code == 0);
}

}  // namespace test_cli_foreign
