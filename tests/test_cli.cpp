// The program as a user meets it: what it prints, its exit codes, what it leaves behind.
#include <cstdio>
#include <filesystem>

#include "base/image.hpp"
#include "log/log_reader.hpp"
#include "program.hpp"
#include "world/map_file.hpp"

using namespace outrider;
namespace fs = std::filesystem;

namespace test_cli {
namespace {

/// A small map with a scenario, in the folder.
void write_small(const TemporaryFolder& folder) {
    Raster raster{40, 30, 1, std::vector<std::uint8_t>(40 * 30, 255)};
    for (int x = 0; x < 40; ++x)
        raster.values[static_cast<std::size_t>(x)] = raster.values[static_cast<std::size_t>(29 * 40 + x)] = 0;
    for (int y = 0; y < 30; ++y)
        raster.values[static_cast<std::size_t>(40 * y)] = raster.values[static_cast<std::size_t>(40 * y + 39)] = 0;
    for (int y = 8; y < 29; ++y) raster.values[static_cast<std::size_t>(40 * y + 20)] = 0;
    write_text(folder / "small.png", encode_png(raster));
    write_text(folder / "small.toml", "[map]\nfile = 'small.png'\n[team]\nrobots = 2\n");
}

std::vector<std::string> files_in(const TemporaryFolder& folder) {
    std::vector<std::string> out;
    for (const auto& entry : fs::recursive_directory_iterator(folder.path()))
        if (const std::string name = entry.path().filename().string();
            name != "stdout.txt" && name != "stderr.txt" && entry.is_regular_file())
            out.push_back(fs::relative(entry.path(), folder.path()).string());
    std::sort(out.begin(), out.end());
    return out;
}

}  // namespace

TEST_CASE("a run goes on when its notes and progress cannot be written") {
    const TemporaryFolder folder;
    write_text(folder / "m.txt", "1111111111\n1000000001\n1000000001\n1111111111\n");
    const std::string run =
        fmt::format("'{}' run --map m.txt --robots 1 --steps 9 --log none --force --csv", OUTRIDER_PROGRAM);
    CHECK(shell_in(folder, run + " a.csv 2>/dev/full").code == 0);
    CHECK(shell_in(folder, run + " b.csv 2>&-").code == 0);
    CHECK(shell_in(folder, run + " c.csv >&- 2>&-").code == 1);  // the summary is lost
    CHECK(read_text(folder / "a.csv").size() > 100);
    CHECK(read_text(folder / "b.csv") == read_text(folder / "a.csv"));
    CHECK(read_text(folder / "c.csv") == read_text(folder / "a.csv"));
    CHECK(shell_in(folder, fmt::format("'{}' run none.toml 2>/dev/full", OUTRIDER_PROGRAM)).code == 2);
}

TEST_CASE("the cost of a run counts the programs that robots ask, and says so") {
    const TemporaryFolder folder;
    write_small(folder);
    write_text(folder / "busy.sh",
               "read briefing\nwhile read belief; do i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done; "
               "echo '{\"stay\":true,\"done\":true}'; done\n");
    const std::string run = "run small.toml --robots 1 --steps 3 --log none --quiet";
    const ProgramResult busy = outrider_in(folder, run + " --strategy 'external(cmd=\"sh busy.sh\")'");
    CHECK(busy.code == 0);
    const auto number_before = [&](const std::string& text) {
        const std::size_t end = busy.out.find(text);
        REQUIRE(end != std::string::npos);
        return std::stod(busy.out.substr(busy.out.find_last_of(" (", end - 1) + 1));
    };
    const double all = number_before(" s in all"), programs = number_before(" s of it in external programs");
    CHECK(programs >= 0.01);
    CHECK(all >= programs);
    CHECK(busy.out.find(" ms without these; peak ") != std::string::npos);
    const ProgramResult plain = outrider_in(folder, run + " --strategy nearest");
    CHECK(plain.out.find("s in all); median ") != std::string::npos);
    CHECK(plain.out.find("external") == std::string::npos);
}

TEST_CASE("a run ends in a summary, a log, a table and a picture") {
    const TemporaryFolder folder;
    write_small(folder);
    const ProgramResult r = outrider_in(folder, "run small.toml --csv out/steps.csv --png tracks.png --seed 3");
    CHECK(r.code == 0);
    CHECK(r.out.find("every robot is home and done") != std::string::npos);
    CHECK(r.out.find("known at the end   100.00 %   100.00 %") != std::string::npos);
    CHECK(r.out.find("log                  logs/small_look_around_s3.sqlite") != std::string::npos);
    CHECK(r.out.find("picture              tracks.png") != std::string::npos);
    CHECK(r.err.find("note: placed base") != std::string::npos);
    CHECK(read_png(folder / "tracks.png", Channels::mean).width > 300);
    const std::string csv = read_text(folder / "out/steps.csv");
    CHECK(csv.starts_with("step,team_share,base_share,"));
    const auto rows = std::count(csv.begin(), csv.end(), '\n') - 1;
    CHECK(LogReader(folder / "logs/small_look_around_s3.sqlite").steps().metrics.size() ==
          static_cast<std::size_t>(rows));
    // The same once more: a log of another name, and the same digest of both.
    const ProgramResult again = outrider_in(folder, "run small.toml --seed 3 --threads 3 --quiet");
    CHECK(again.code == 0);
    CHECK(again.err == "");
    const ProgramResult first = outrider_in(folder, "log digest logs/small_look_around_s3.sqlite");
    const ProgramResult second = outrider_in(folder, "log digest logs/small_look_around_s3_2.sqlite");
    CHECK(first.code == 0);
    CHECK(first.out.size() == 33);
    CHECK(first.out == second.out);
    const ProgramResult info = outrider_in(folder, "log info logs/small_look_around_s3.sqlite");
    CHECK(info.code == 0);
    CHECK(info.out.find("end_reason      all_home") != std::string::npos);
}

TEST_CASE("the project's scenarios are known by name wherever the program is called") {
    const TemporaryFolder folder;
    CHECK(outrider_in(folder, "run small_office --steps 2 --log none").code == 0);
    CHECK(outrider_in(folder, "run small_offic --steps 2 --log none").code == 2);
    // As `cmake --install` lays it out.
    fs::create_directories(folder / "inst/bin");
    fs::create_directories(folder / "inst/share/outrider/environments");
    fs::copy(OUTRIDER_PROGRAM, folder / "inst/bin/outrider");
    write_small(folder);
    for (const char* name : {"small.png", "small.toml"})
        fs::rename(folder / name, folder / ("inst/share/outrider/environments/" + std::string(name)));
    CHECK(outrider_in(folder, "run small --steps 2 --log none").code == 2);
    CHECK(shell_in(folder, "inst/bin/outrider run small --steps 2 --log none").code == 0);
}

TEST_CASE("options on the command line come through") {
    const TemporaryFolder folder;
    write_small(folder);
    CHECK(outrider_in(folder, "run small.toml --steps 5 --log none").out.find("ended after 5 steps: the step limit") !=
          std::string::npos);
    CHECK(outrider_in(folder, "run small.toml --steps 5 --log none --robots 5").err.find("5 robots, 1 base") !=
          std::string::npos);
    CHECK(outrider_in(folder,
                      "run small.toml --steps 5 --log none --strategy 'nearest(hysteresis_share=0, period_steps=9)'")
              .err.find("strategy nearest(hysteresis_share=0, period_steps=9)") != std::string::npos);
    CHECK(outrider_in(folder, "run small.toml --log none --set stop.of=team --set stop.fraction=0.5")
              .out.find("the stop rule of the run") != std::string::npos);
    const ProgramResult map = outrider_in(folder, "run --map small.png --robots 3 --log none");
    CHECK(map.code == 0);
    CHECK(map.err.find("note: placed base (") != std::string::npos);
    CHECK(files_in(folder) == std::vector<std::string>{"small.png", "small.toml"});
    const ProgramResult check = outrider_in(folder, "check --map small.png --png checked.png");
    CHECK(check.code == 0);
    CHECK(check.out.find("a robot gets there") != std::string::npos);
    CHECK(fs::exists(folder / "checked.png"));
    const ProgramResult alone = outrider_in(folder, "check small.png");  // as run takes it
    CHECK(alone.code == 0);
    CHECK(alone.out.find("small.png: a map, not a scenario; taken as --map takes it") != std::string::npos);
    for (const char* command : {"strategies", "options", "metrics", "--help", "--version", "run --help", "check --help",
                                "log --help", "strategies --help"}) {
        CAPTURE(command);
        const ProgramResult r = outrider_in(folder, command);
        CHECK(r.code == 0);
        CHECK(r.out.size() > 10);
        CHECK(r.err == "");
    }
    const std::string options = outrider_in(folder, "options").out;
    for (const char* name : {"comm.range_m", "radio.wall_db", "sensor.beams", "frontier.min_cells", "mapping.update",
                             "dies_at_step", "hysteresis_share", "run.seed"})
        CHECK(options.find(name) != std::string::npos);
}

TEST_CASE("what is not defined for a run is left out of a comparison, and said") {
    const TemporaryFolder folder;
    write_small(folder);
    const std::string compare = "compare nearest stay --map small.toml --seeds 2 --metric base_awareness --metric ";
    // Nobody is home after 3 steps.
    const ProgramResult none = outrider_in(folder, compare + "return_steps --set run.steps=3");
    CHECK(none.code == 0);
    CHECK(none.out.find(" 0 of 2\n") != std::string::npos);
    CHECK(
        none.out.find("return_steps@1 (steps; less is better)\n  stay - nearest: no pair in which both have a value") !=
        std::string::npos);
    CHECK(none.out.find("n of 2: only so many runs have a value; the others are left out") != std::string::npos);
    CHECK(none.out.find("never") == none.out.rfind("never"));  // in the line below the table
}

TEST_CASE("two strategies are compared in a table, in words and as CSV") {
    const TemporaryFolder folder;
    write_small(folder);
    const ProgramResult r =
        outrider_in(folder, "compare nearest stay --map small.toml --seeds 6 --metric auc_team --csv runs.csv");
    CHECK(r.code == 0);
    for (const char* part :
         {"nearest, stay on small x 6 starts", "auc_team@1", "stay better in 0 pairs, nearest in 6",
          "p within the map 0.031", "nearest is better on this map only", "One map says something of that map only"})
        CHECK(r.out.find(part) != std::string::npos);
    const std::string csv = read_text(folder / "runs.csv");
    CHECK(std::count(csv.begin(), csv.end(), '\n') == 13);
    CHECK(csv.starts_with("strategy,map,seed,end_reason,auc_team\nnearest,small,1,"));
    write_text(folder / "named.toml", "name = 'small, \"tiny\"'\n" + read_text(folder / "small.toml"));
    CHECK(outrider_in(folder, "compare nearest stay --map named.toml --seeds 1 --csv named.csv").code == 0);
    CHECK(read_text(folder / "named.csv").find("\nstay,\"small, \"\"tiny\"\"\",1,") != std::string::npos);
}

TEST_CASE("a log is run again, explained, drawn and exported from the command line") {
    const TemporaryFolder folder;
    write_small(folder);
    REQUIRE(outrider_in(folder, "run small.toml --quiet --log-file run.sqlite").code == 0);
    const ProgramResult again = outrider_in(folder, "rerun run.sqlite --threads 2 --log-file second.sqlite");
    CHECK(again.code == 0);
    CHECK(again.out.find("the same in all") != std::string::npos);
    CHECK(outrider_in(folder, "log digest run.sqlite").out == outrider_in(folder, "log digest second.sqlite").out);
    const ProgramResult why = outrider_in(folder, "why run.sqlite --robot r1 --step 8 --png knows.png");
    CHECK(why.code == 0);
    for (const char* part : {"step 8, r1", "stands at (", "candidates (", "rule: ", "picture knows.png"})
        CHECK(why.out.find(part) != std::string::npos);
    CHECK(read_png(folder / "knows.png", Channels::mean).width > 300);
    const ProgramResult frames = outrider_in(folder, "replay run.sqlite --png frames --every 5 --to 10");
    CHECK(frames.code == 0);
    CHECK(fs::exists(folder / "frames/000000.png"));
    CHECK(fs::exists(folder / "frames/000010.png"));
    CHECK(!fs::exists(folder / "frames/000015.png"));
    CHECK(outrider_in(folder, "replay run.sqlite").out.find("base_knows") != std::string::npos);
    CHECK(outrider_in(folder, "log export run.sqlite -o out").code == 0);
    CHECK(read_text(folder / "out/steps.csv").starts_with("step,team_share"));
    // What is exported runs again to the same digest.
    MapOptions options;
    CHECK(read_map(options, folder / "out/map.yaml").walls.cells() ==
          read_map(options, folder / "small.png").walls.cells());
}

TEST_CASE("the origin of a .yaml map goes with it into the log and what is exported; others have none") {
    const TemporaryFolder folder;
    write_small(folder);
    REQUIRE(outrider_in(folder, "convert small.png -o lab.yaml").code == 0);
    std::string yaml = read_text(folder / "lab.yaml");
    yaml.replace(yaml.find("[0, 0, 0]"), 9, "[-3.5, 1.25, 0.5]");
    write_text(folder / "lab.yaml", yaml);
    const auto run = [&](const std::string& map) {
        return outrider_in(folder,
                           fmt::format("run --map {0} --robots 1 --steps 5 --log full --log-file {0}.sqlite", map))
            .code;
    };
    CHECK(run("lab.yaml") == 0);
    CHECK(run("small.png") == 0);
    CHECK(LogReader(folder / "lab.yaml.sqlite").scenario().map_origin == Pose{-3.5, 1.25, 0.5});
    CHECK(!LogReader(folder / "small.png.sqlite").meta().contains("map_origin_x"));
    CHECK(outrider_in(folder, "log export lab.yaml.sqlite -o out").code == 0);
    for (const char* file : {"out/map.yaml", "out/belief_1.yaml"})
        CHECK(read_text(folder / file).find("origin: [-3.5, 1.25, 0.5]") != std::string::npos);
    CHECK(outrider_in(folder, "check out/scenario.toml").code == 0);
}

TEST_CASE("mistakes end with code 2, one line that names them, and nothing half-written") {
    const TemporaryFolder folder;
    write_small(folder);
    write_text(folder / "bad.toml", "[map]\nfile = 'small.png'\n[comm]\nrnage_m = 3\n");
    write_text(folder / "syntax.toml", "[map\n");
    write_text(folder / "nomap.toml", "[map]\nfile = 'none.png'\n");
    write_text(folder / "text.png", "not a picture");
    write_text(folder / "empty.png", "");
    write_text(folder / "cut.png", read_text(folder / "small.png").substr(0, 60));
    write_text(folder / "there.csv", "mine");
    const std::vector<std::pair<std::string, std::string>> mistakes{
        {"", ""},
        {"rnu small.toml", "unknown command 'rnu'; did you mean 'run'?"},
        {"run", "no scenario: give a SCENARIO.toml or a name, such as outrider run office, or --map MAP"},
        {"run none.toml", "none.toml: cannot be read; expected a scenario or suite"},
        {"run bad.toml", "bad.toml:4:1: unknown option 'comm.rnage_m'; did you mean 'comm.range_m'?"},
        {"run syntax.toml", "syntax.toml:1:"},
        {"run nomap.toml", "nomap.toml:2:1: map.file: none.png: cannot be read; expected a PNG file"},
        {"run --map text.png", "text.png: not a PNG image"},
        {"run --map empty.png", "empty.png: the file is empty"},
        {"run --map cut.png", "cut.png: truncated PNG: it ends after 60 bytes"},
        {"run --map /dev/null", "/dev/null: cannot be read; expected a PNG file (it is a device)"},
        {"run small.toml --map small.png", "give either it or --map"},
        {"run --import-mresim small.toml --map small.png", "small.toml:1: expected 11 columns"},
        {"run small.toml --robots 0", "--robots 0: expected a whole number, 1 to 100000"},
        {"run small.toml --robots many", "--robots many: expected a whole number, 1 to 100000"},
        {"run small.toml --seed -4", "--seed -4: expected a whole number, 0 to"},
        {"run small.toml --steps 0", "--steps 0: expected a whole number, 1 to"},
        {"run small.toml --threads -1", "--threads -1: expected a whole number, 0 to 256"},
        {"run small.toml --set comm.range_m=nan", "--set: comm.range_m = nan: expected a number, 0 to"},
        {"run small.toml --set comm.range_m", "--set comm.range_m: expected key=value"},
        {"run small.toml --set range_m=3", "--set range_m=3: expected section.key=value"},
        {"run small.toml --strategy fastest", "unknown strategy 'fastest'"},
        {"run small.toml --strategy 'nearest(speed=1)'", "unknown option 'nearest.speed'"},
        {"run small.toml --log all", "--log all: expected one of none, metrics, poses"},
        {"run small.toml --log none --log-file x.sqlite", "--log none: no log is written"},
        {"run small.toml --set com.range_m=3", "--set: unknown section 'com'; did you mean 'comm'?"},
        {"run small.toml --set team.strategy='nearest(period_steps=5,period_steps=6)'",
         "nearest.period_steps is given twice"},
        {"run small.toml --csv same --png same", "--png same: is the file of --csv"},
        {"run small.toml --csv same --log-file ./same", "--log-file ./same: is the file of --csv"},
        {"run small.toml --png small.png --force", "--png small.png: is an input of this run"},
        {"check --map small.png --png small.png --force", "--png small.png: is an input of this run"},
        {"convert small.png -o ./small.png --force", "--output ./small.png: is an input of this run"},
        {"log join a.sqlite b.sqlite", "nowhere to write to: outrider log join LOG LOG... -o TEAM.sqlite"},
        {"log join a.sqlite b.sqlite -o ./a.sqlite --force", "--output ./a.sqlite: is an input of this run"},
        {"log join small.toml small.toml -o j.sqlite", "small.toml: not a log of outrider"},
        {"log info a.sqlite b.sqlite", "outrider log info: expected one log; several are for outrider log join"},
        {"robot small.toml --relay ws://a:1 --relay ws://b:1", "--relay: given twice; expected one relay for the"},
        {"generate office -o o.png --scenario o.png", "--scenario o.png: is the file of --output"},
        {"run small.toml --csv ''", "--csv: expected the name of a file"},
        {"run small.toml --csv there.csv", "there.csv: exists already; --force overwrites it"},
        {"run small.toml --csv /dev/full", "/dev/full: cannot be written: No space left on device"},
        {"run small.toml --png small.toml/x.png", "small.toml/x.png: the folder small.toml cannot be made"},
        {"run small.toml --log-file small.toml/x.sqlite", "small.toml/x.sqlite: the folder small.toml cannot be made"},
        {"run small.toml --log-file /dev/full", "/dev/full: is a device; a log needs a file of its own"},
        {"run small.toml --log-file /dev/full --force", "/dev/full: is a device; a log needs a file of its own"},
        {"run small.toml --no-such-option", "see outrider run --help"},
        {"run small.toml extra", "unexpected argument 'extra'"},
        {"compare nearest --map small.toml", "expected two or more strategies"},
        {"compare nearest stay", "expected --map NAME"},
        {"compare nearest nearst --map small.toml", "unknown strategy 'nearst'; did you mean 'nearest'?"},
        {"compare nearest stay --map none", "none: cannot be read; expected a scenario or suite"},
        {"compare nearest stay --map small.toml --map small.toml", "the map 'small' is named twice"},
        {"compare nearest stay --map small.toml --map small.toml --report r.html", "the map 'small' is named twice"},
        {"compare nearest nearest --map small.toml", "the strategy 'nearest' is named twice"},
        {"compare nearest stay --map small.toml --seeds 2 --seeds 2", "--seeds: given twice"},
        {"compare nearest stay --map small.toml --metric t90_base --metric t90_base", "'t90_base' is named twice"},
        {"compare nearest stay --map small.toml --metric broken_maps", "--metric broken_maps: the robots of 'small'"},
        {"compare nearest stay --map small.toml --set run.seed=4",
         "--set run.seed: the runs have the seeds 1 ... --seeds"},
        {"compare nearest stay --map small.toml --seeds 0", "--seeds 0: expected a whole number"},
        {"compare nearest stay --map small.toml --metric t90_bsae",
         "--metric: unknown metric 't90_bsae'; did you mean 't90_base'?"},
        {"compare nearest stay --map small.toml --metric known_share", "'known_share' is of each robot alone"},
        {"compare nearest stay --map small.toml --metric t90_bsae --report r.html", "did you mean 't90_base'?"},
        {"figure r.sqlite --kind box --metric auc_bsae -o f.svg",
         "--metric: unknown metric 'auc_bsae'; did you mean 'auc_base'?"},
        {"figure r.sqlite --kind trend --metric t90_baes -o f.svg", "did you mean 't90_base'?"},
        {"plan", "expected --map, --from and --to, or --scen"},
        {"plan --map small.png --from 1 --to 2,2", "--from 1: expected x,y in metres"},
        {"plan --map small.png --from 0.5,0.5 --to nan,2", "--to nan,2: expected x,y in metres"},
        {"plan --scen small.toml", "small.toml:1: expected 'version 1'"},
        {"compare nearest stay --map small.png", "--map small.png: expected a scenario or a suite (.toml)"},
        {"plan --map small.png --random 0", "--random 0: expected a whole number"},
        {"plan --random 5", "--random: expected --map, too"},
        {"plan --map small.png --show walls --png out.png", "--show walls: expected one of none, skeleton, segments"},
        {"plan --map small.png --show skeleton", "--show: expected --png, too"},
        {"plan --map small.png --show transform --png out.png", "--show transform: expected --from and --to, too"},
        {"plan --map small.png --from 1,1 --to 2,2 --danger high", "--danger high: expected one of none, near_only"},
        {"plan --map small.png --from 1,1 --to 2,2 --cell 0", "--cell 0: expected a number, 0.001 to 100 m"},
        {"plan --map small.png --from 1,1 --to 2,2 --radius 9", "--radius 9: expected 0 to 3 m, which is 30 cells"},
        {"plan --map small.png --from 1,1 --to 2,2 --sample 9", "--sample does not go with --map"},
        {"plan --map small.png --random 3 --radius 0.2", "--radius does not go with --random"},
        {"plan --scen none.scen --png out.png", "--png does not go with --scen"},
        {"plan --scen none.scen", "none.scen: cannot be read"},
        {"plan --planner fast --scen none.scen",
         "--planner: planner = \"fast\": expected one of jps, astar, field, topological"},
        {"generate ofice -o x.png", "unknown family of maps 'ofice'; did you mean 'office'?"},
        {"generate office", "nowhere to write the map: give -o MAP.png"},
        {"generate office --size 5x5 -o x.png", "--size 5x5: expected 40 to 16384 cells on a side"},
        {"generate city --size 60x60 -o x.png", "nothing of a map of the family city fits on 60 x 60 cells"},
        {"generate office --door_min_m 3 -o x.png", "door_min_m = 3 is wider than door_max_m"},
        {"convert none.yaml -o x.png --set cell_m=0.2", "none.yaml: cannot be read; expected a map_server YAML file"},
        {"convert small.png -o x.bmp", "x.bmp: a map is written as .png or .yaml"},
        {"log digest small.png", "small.png: not a log of outrider"},
        {"log weigh small.png", "outrider log weigh: expected info, events, digest, seek, export or join"},
        {"log", "expected outrider log info LOG"},
        {"rerun none.sqlite", "none.sqlite: cannot be read; expected the log of a run"},
        {"replay small.png", "small.png: not a log of outrider"},
        {"why small.png --robot r1", "expected outrider why LOG --robot R --step N"},
        {"check none.toml", "none.toml: cannot be read"},
    };
    const std::vector<std::string> before = files_in(folder);
    for (const auto& [arguments, message] : mistakes) {
        if (arguments.empty()) continue;
        CAPTURE(arguments);
        const ProgramResult r = outrider_in(folder, arguments);
        CAPTURE(r.err);
        CHECK(r.code == 2);
        CHECK(r.err.find(message) != std::string::npos);
        CHECK(r.err.find("outrider: ") != std::string::npos);
        CHECK(r.out == "");
        CHECK(files_in(folder) == before);
    }
    CHECK(read_text(folder / "there.csv") == "mine");
    CHECK(outrider_in(folder, "run small.toml --steps 3 --log none --csv there.csv --force").code == 0);
    CHECK(read_text(folder / "there.csv").starts_with("step,"));
    const ProgramResult full = outrider_in(folder, "run small.toml --steps 3 --log none --png /dev/full");
    CHECK(full.code == 2);
    CHECK(full.err.find("/dev/full: cannot be written: No space left") != std::string::npos);
}

}  // namespace test_cli
