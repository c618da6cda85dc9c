// Sweep files and plans: what is run, in which order, with which seeds.
#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "batch/sweep_axes.hpp"
#include "beside.hpp"
#include "outrider/detail/settings.hpp"
#include "sweep_helpers.hpp"

using namespace outrider;
namespace fs = std::filesystem;

namespace test_sweep_plan {
namespace {

constexpr const char* two_strategies = "seeds = '1..7'\n[axes]\nstrategy = ['nearest', 'random_walk']\n";

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

TEST_CASE("unknown cells that a map leaves out of the region stay left out in a sweep, which keeps its walls alone") {
    const TemporaryFolder folder;
    std::string bytes = "P5\n12 6\n255\n";
    for (int i = 0; i < 72; ++i) bytes += i % 12 < 8 ? '\xfe' : '\xcd';
    write_text(folder / "m.pgm", bytes);
    write_text(folder / "m.yaml", "image: m.pgm\nresolution: 0.1\norigin: [0, 0, 0]\n");
    write_text(folder / "s.toml", "[map]\nfile = 'm.yaml'\n[team]\nrobots = 1\n[body]\nradius_m = 0\n");
    const std::string left_out = "8 0 4, 8 1 4, 8 2 4, 8 3 4, 8 4 4, 8 5 4";
    write_text(folder / "sweep.toml",
               "maps = ['s.toml']\nseeds = '1..2'\n[set]\nmap.unknown = 'outside'\n[axes]\nteam.robots = [1, 2]\n");
    const SweepPlan plan = read_sweep(folder / "sweep.toml");
    for (int cell = 0; cell < 2; ++cell) {
        const std::string text = sweep_scenario(plan, 0, cell).scenario.resolved();
        CHECK(text.find("without = \"" + left_out + "\"") != std::string::npos);
    }
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
    CHECK(first->steps_hash == same->steps_hash);
    CHECK(runs.at(4).cell == 0);
    CHECK(first->steps_hash != second->steps_hash);
    CHECK(first->scenario != second->scenario);
}

TEST_CASE("every sweep in environments/sweeps loads, and its report has something to compare") {
    std::vector<fs::path> sweeps;
    for (const auto& entry : fs::directory_iterator(OUTRIDER_SOURCE_DIR "/environments/sweeps"))
        sweeps.push_back(entry.path());
    CHECK(sweeps.size() >= 4);
    beside_each_other(sweeps.size(), [&](std::size_t k) {
        const std::string path = sweeps[k].string();
        CAPTURE(path);
        const SweepPlan plan = read_sweep(path);
        CHECK(plan.name == sweeps[k].stem().string());
        CHECK(plan.maps.size() >= 5);
        CHECK(plan.starts.size() * plan.maps.size() >= 5);
        CHECK((plan.report.compare == "team.strategy" || plan.report.compare == "slam.method"));
        CHECK(plan.cells.size() >= 2);
        CHECK(read_text(path).starts_with("# "));
    });
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

TEST_CASE("a mistake that shows in what a sweep file makes is named with the line that led there") {
    const TemporaryFolder folder;
    const std::vector<std::pair<std::string, std::string>> mistakes{
        {"[axes]\nstrategy = ['stay', 'nearest']\nbody.radius_m = [0, 9]\n",
         "sweep.toml:4:21: body.radius_m = 9 on a: {}/a.toml:3:1: robot 'r1': a radius of 9 m is more than 30 cells"},
        {"[axes]\nstrategy = ['nearst']\n", "sweep.toml:3:13: team.strategy = \"nearst\" on a: {}/a.toml:3:1: "},
        {"[set]\nrun.steps = 9\nbody.radius_m = 9\n", "sweep.toml:4:6: body.radius_m = 9 on a: {}/a.toml:3:1: robot"},
        {"[axes]\noverlay = ['none.toml']\n", "sweep.toml:3:12: overlay = \"none.toml\": {}/none.toml: cannot be read"},
        {"[[family]]\nname = 'ofice'\nseeds = 1\n", "sweep.toml:3:1: unknown family of maps 'ofice'"},
        {"[[family]]\nname = 'cave'\nseeds = '1..2'\nwidth = 90\nheight = 80\n[set]\nbody.radius_m = 9\n",
         "sweep.toml:8:6: body.radius_m = 9 on "},
        {"seeds = '3..1'\n", "sweep.toml:2:1: seeds = \"3..1\": expected first..last"},
        {"seeds = []\n", "sweep.toml:2:1: seeds = []: expected values"},
        {"shards = 1000\nseeds = '1..3'\n", "sweep.toml:2:1: 1000 shards for 6 runs"},
    };
    for (const auto& [body, message] : mistakes) {
        write_sweep(folder, body);
        const std::string error = error_of(folder / "sweep.toml");
        CAPTURE(body);
        CAPTURE(error);
        CHECK(error.find(fmt::format(fmt::runtime(message), folder.path())) != std::string::npos);
    }
    write_sweep(folder, "");
    write_text(folder / "half.toml", "maps = ['a',\n  'nowhere']\n");
    CHECK(error_of(folder / "half.toml").find("half.toml:2:3: maps = \"nowhere\": ") != std::string::npos);
    CHECK(error_of(folder / "half.toml").find("or a name in environments/ (no such file)") != std::string::npos);
    write_text(folder / "b.toml", "# b\ninclude = 'gone.toml'\n");
    CHECK(error_of(folder / "sweep.toml").find("b.toml:2:1: include: ") != std::string::npos);
}

TEST_CASE("what a sweep file names twice is refused: the same runs would count as independent ones") {
    const TemporaryFolder folder;
    const std::vector<std::pair<std::string, std::string>> mistakes{
        {"seeds = [1, 2, 2]\n", "sweep.toml:2:16: seeds: 2 is named twice"},
        {"[axes]\nstrategy = ['nearest', 'nearest']\n", "sweep.toml:3:24: team.strategy = \"nearest\" is named twice"},
        {"[axes]\ncomm.range_m = [3, 3.0]\n", "sweep.toml:3:20: comm.range_m = 3.0 is named twice"},
        {"[[zip]]\ncomm.range_m = [1, 2, 1]\nsensor.beams = [9, 9, 9]\n",
         "comm.range_m = 1, sensor.beams = 9 is named twice"},
        {"[[family]]\nname = 'cave'\nseeds = [7, 7]\nwidth = 90\nheight = 80\n", "seeds: 7 is named twice"},
    };
    for (const auto& [body, message] : mistakes) {
        write_sweep(folder, body);
        const std::string error = error_of(folder / "sweep.toml");
        CAPTURE(body);
        CAPTURE(error);
        CHECK(error.find(message) != std::string::npos);
    }
    write_sweep(folder, "[[zip]]\ncomm.range_m = [1, 2]\nsensor.beams = [9, 9]\n");
    CHECK(error_of(folder / "sweep.toml").empty());
    write_text(folder / "twice.toml", "maps = ['a', 'b', 'a']\n");
    CHECK(error_of(folder / "twice.toml").find("twice.toml:1:19: the map 'a' is named twice") != std::string::npos);
    write_text(folder / "c.toml", "name = 'c'\n" + read_text(folder / "a.toml"));
    write_text(folder / "copy.toml", "maps = ['a', 'c']\n");
    CHECK(error_of(folder / "copy.toml").find("the map 'c' is 'a' under another name") != std::string::npos);
}

TEST_CASE("mistakes in a sweep file are named with their place and the nearest known name") {
    const TemporaryFolder folder;
    const std::vector<std::pair<std::string, std::string>> mistakes{
        {"[axes]\nstrategy = ['nearst']\n", "unknown strategy 'nearst'; did you mean 'nearest'?"},
        {"[axes]\ncomm.rnage_m = [3]\n", "sweep.toml:3:17: unknown option 'comm.rnage_m'; did you mean"},
        {"[axes]\ncom.range_m = [3]\n", "unknown section 'com'; did you mean 'comm'?"},
        {"[axes]\nrange_m = [3]\n", "sweep.toml:3:12: 'range_m': expected section.key"},
        {"[axes]\ncomm.range_m = [-3]\n", "comm.range_m = -3: expected a number, 0 to"},
        {"[axes]\ncomm.range_m = []\n", "sweep.toml:3:6: range_m = []: expected values"},
        {"[axes]\ncomm.range_m = '9..3'\n", "expected first..last"},
        {"[[zip]]\ncomm.range_m = [1, 2]\nsensor.beams = [3]\n", "a zip takes them together"},
        {"[axes]\ncomm.range_m = [1]\n[[zip]]\ncomm.range_m = [2]\n", "comm.range_m is an axis twice"},
        {"[axis]\ncomm.range_m = [1]\n", "unknown section 'axis'; did you mean 'axes'?"},
        {"seds = '1..3'\n", "sweep.toml:2:1: unknown option 'seds'; did you mean 'seeds'?"},
        {"seeds = 'many'\n", "expected whole numbers, or a range such as"},
        {"seeds = [1, -2]\n", "expected whole numbers"},
        {"metrics = ['t90']\n", "unknown metric 't90'; did you mean"},
        {"[report]\nmetrics = ['t9_base']\n", "unknown metric 't9_base'; did you mean 't90_base'?"},
        {"metrics = ['sensed_share']\n", "sweep.toml:2:12: the metric 'sensed_share' is of each robot alone"},
        {"[report]\ncompare = 'comm.range_m'\n", "expected one of the axes"},
        {"shards = 1000\nseeds = '1..3'\n", "1000 shards for 6 runs: expected at most 6"},
        {"[[family]]\nname = 'ofice'\nseeds = 1\n", "unknown family of maps 'ofice'; did you mean 'office'?"},
        {"[[family]]\nname = 'office'\n", "a [[family]] needs name"},
        {"[set]\nrun.steps = [1, 2]\n", "expected one value; several make an axis"},
        {"[set]\nrun.seed = 4\n", "sweep.toml:3:5: run.seed: every run has a seed of its own"},
        {"[axes]\nrun.seed = '1..3'\n", "sweep.toml:3:5: run.seed: every run has a seed of its own"},
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

}  // namespace test_sweep_plan
