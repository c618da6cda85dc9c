// tools/score.py, a second implementation of the metrics in another language, must come to the same values.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "beside.hpp"
#include "helpers.hpp"
#include "log/log_reader.hpp"

using namespace outrider;

namespace test_score {
namespace {

/// Asked whenever the tests start, whichever are to run: so without starting anything. It has to be 3.11 or newer.
bool no_python() {
    const char* path = std::getenv("PATH");
    std::istringstream folders(path ? path : "");
    for (std::string folder; std::getline(folders, folder, ':');)
        if (access((folder + "/python3").c_str(), X_OK) == 0) return false;
    return true;
}

struct Verdict {
    int code;
    std::string text;
};

Verdict score(const std::string& log) {
    const std::string said = log + ".verdict.txt";
    const int status =
        std::system(fmt::format("python3 '{}/tools/score.py' '{}' >'{}' 2>&1", OUTRIDER_SOURCE_DIR, log, said).c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_text(said)};
}

std::string record(const TemporaryFolder& folder, const std::string& toml, std::size_t number = 0) {
    Notes notes;
    SimulationOptions options;
    options.log_path = folder / fmt::format("run{}.sqlite", number);
    options.log_level = LogLevel::full;
    std::filesystem::remove(options.log_path);
    Simulation(make_scenario(parse_config(toml, "rooms"), "rooms", rooms_map(150, 120, 3), notes), options).run();
    return options.log_path;
}

}  // namespace

TEST_CASE("a second implementation recomputes every metric from a full log: counts exactly, the rest to 1e-12" *
          doctest::skip(no_python())) {
    const TemporaryFolder folder;
    const std::vector<const char*> scenarios{
        "[team]\nstrategy='role_based'\nrobots=4\n[comm]\nrange_m=3\nbase_range_m=3\nloss_rate=0.1\n[run]\nsteps="
        "110\n",
        "[team]\nrobots=3\n[comm]\nrange_m=5\nbase_range_m=5\n[start]\nrandom_heading=true\n",
        "[team]\nrobots=3\nbases=2\n[comm]\nrange_m=5\nloss_rate=0.2\ndelivery='hop'\n[mapping]\nupdate='per_beam'\n"
        "[run]\nsteps=80\n[[robot]]\n[[robot]]\ndies_at_step=30\n[[robot]]\nstrategy='random_walk'\n",
        "[team]\nrobots=2\nstrategy='nearest'\n[comm]\nlink_bytes=3000\n[body]\nradius_m=0.15\nkinematics='diff_"
        "drive'\n"
        "[noise]\nrange_m=0.02\nodometry_share=0.02\n[mapping]\nmax_gap_cells=1\n[run]\nsteps=30\n",
        "[team]\nrobots=2\nstrategy='nearest'\n[noise]\nrange_m=0.01\nodometry_share=0.05\n[slam]\nmethod='scan_"
        "match'\n[comm]\nloss_rate=0.2\n[run]\nsteps=35\n",
        "[team]\nrobots=2\n[body]\nradius_m=0.2\n[sensor]\nmount_x_m=0.6\nmount_y_m=-0.2\nmount_yaw_deg=30\nrange_m="
        "3\n"
        "[run]\nsteps=30\n",
        "[team]\nrobots=2\n[sensor]\nrange_m=3\nrange_unit_m=1\n[run]\nsteps=15\n",
        "[team]\nrobots=3\nstrategy='nearest'\n[failure]\nrate_per_hour=60\nrepair_steps=15\n[run]\nsteps=80\n"
        "[[event]]\nrobot='r1'\nkind='deaf'\nstep=20\nuntil=40\n[[robot]]\n[[robot.sensor]]\nfov_deg=90\nbeams=91\n"
        "[[robot.sensor]]\nmount_yaw_deg=180\nrange_m=4\n[[robot]]\ndies_at_step=50\n",
        "[team]\nrobots=3\n[battery]\nwh=0.4\nper_kb_j=1\n[changes]\ndoors_per_hour=200\ndebris_per_hour=400\n"
        "[radio]\nfading_db=4\nsensed_noise_db=1\n[noise]\nrange_m=0.01\ndrop_rate=0.02\nnear_spike_rate=0.01\n"
        "max_spike_rate=0.01\nspeed_jitter=0.2\n[run]\nsteps=80\n[[change]]\nx_m=1\ny_m=1\nwidth_m=0.5\nheight_m="
        "0.5\nto='toggle'\nat=20\nevery=15\n[[change]]\nx_m=0\ny_m=0\nwidth_m=1\nheight_m=1\nto='free'\nwithin_m=2\n",
        "[team]\nrobots=3\nstrategy='sight_greedy'\n[prior]\nfrom='map'\nshift_x_m=0.3\nmissing_walls=0.2\n"
        "[terrain]\nrough_share=0.4\n[radio2]\nrange_m=30\n[comm]\nloss_rate=0.1\n[run]\nsteps=60\n",
        "[team]\nrobots=3\nstrategy='role_based'\n[comm]\nrange_m=5\nbase_range_m=5\nlatency_steps=4\nloss_rate=0.1\n"
        "[run]\nsteps=80\n",
        "[team]\nrobots=2\n[terrain]\nhills_m=0.4\npatch_m=6\nstep_share=0.1\n[sensor]\nlevel='none'\nsweep_m=2\n"
        "[run]\nsteps=40\n",
        "[team]\nrobots=2\n[sensor]\npreset='sonar'\nrange_m=4\n[glass]\nshare=0.3\n[run]\nsteps=40\n",
        "[team]\nrobots=3\n[crowd]\npeople=5\n[body]\nradius_m=0.15\nseen=true\nblocks=true\n[run]\nsteps=30\n"
        "[[hazard]]\nkind='flood'\nx_m=7\ny_m=6\nspeed_mps=0.2\n",
        "[team]\nrobots=2\n[region]\npolygon='4 3, 11 1, 12.5 8, 9 5, 5 9'\n[comm]\nrange_m=5\n[run]\nsteps=80\n",
        "[team]\nrobots=1\n[noise]\nodometry_share=0.5\n[slam]\nmethod='localise'\n[run]\nsteps=10\n"};
    beside_each_other(scenarios.size(), [&](std::size_t k) {
        const char* const toml = scenarios[k];
        CAPTURE(toml);
        const Verdict verdict = score(record(folder, toml, k));
        INFO(verdict.text);
        CHECK(verdict.code == 0);
        CHECK(verdict.text.find("all equal") != std::string::npos);
    });
}

TEST_CASE("the second implementation names a metric that is wrong, and does not take it from the log" *
          doctest::skip(no_python())) {
    const TemporaryFolder folder;
    const std::string log = record(folder, "[team]\nrobots=2\n[run]\nsteps=20\n");
    const auto change = [&](const std::string& sql) {
        Database db(log, Database::Mode::create);
        db.run(sql);
    };
    change("UPDATE summary SET value = value + 1 WHERE name = 'merges'");
    Verdict verdict = score(log);
    CHECK(verdict.code == 1);
    CHECK(verdict.text.find("merges (robot -1)") != std::string::npos);
    CHECK(verdict.text.find("1 differ") != std::string::npos);
    change(
        "UPDATE summary SET value = value - 1 WHERE name = 'merges'; "
        "UPDATE summary SET value = value * (1 + 1e-9) WHERE name = 'auc_team'");
    verdict = score(log);
    CHECK(verdict.code == 1);
    CHECK(verdict.text.find("auc_team") != std::string::npos);
    change("DELETE FROM summary WHERE name = 'bytes'");
    verdict = score(log);
    CHECK(verdict.code == 1);
    CHECK(verdict.text.find("bytes (robot -1) is not in the log") != std::string::npos);
}

TEST_CASE("the second implementation says in one line, with exit code 2, why a log cannot be scored" *
          doctest::skip(no_python())) {
    const TemporaryFolder folder;
    for (const char* sql : {"UPDATE meta SET value = '-5' WHERE key = 'map_width'", "DELETE FROM robot WHERE id = 1",
                            "DELETE FROM meta WHERE key = 'scenario'", "DROP TABLE event"}) {
        CAPTURE(sql);
        const std::string torn = record(folder, "[team]\nrobots=1\n[run]\nsteps=5\n");
        Database(torn, Database::Mode::create).run(sql);
        const Verdict verdict = score(torn);
        INFO(verdict.text);
        CHECK(verdict.code == 2);
        CHECK(std::count(verdict.text.begin(), verdict.text.end(), '\n') == 1);
    }
    const std::string log = record(folder, "[team]\nrobots=1\n[run]\nsteps=5\n");
    for (const auto& [sql, text] : {std::pair{"UPDATE waist SET crc = 0", "steps are missing at 0"},
                                    {"UPDATE meta SET value = x'00' WHERE key = 'map'", "the map in it cannot be read"},
                                    {"DELETE FROM summary", "the run was cut off"},
                                    {"UPDATE meta SET value = 'poses' WHERE key = 'level'", "its level is poses"},
                                    {"INSERT INTO meta VALUES ('live', 'yes')", "robots that are not simulated"}}) {
        CAPTURE(sql);
        Database(log, Database::Mode::create).run(sql);
        const Verdict verdict = score(log);
        INFO(verdict.text);
        CHECK(verdict.code == 2);
        CHECK(verdict.text.find(text) != std::string::npos);
        CHECK(std::count(verdict.text.begin(), verdict.text.end(), '\n') == 1);
    }
}

}  // namespace test_score
