#include "fuzz/samples.hpp"

#include <filesystem>

#include "base/input.hpp"
#include "base/output.hpp"
#include "base/sqlite.hpp"
#include "batch/sweep_file.hpp"
#include "batch/sweep_merge.hpp"
#include "batch/sweep_worker.hpp"
#include "fuzz/fuzz.hpp"
#include "outrider/error.hpp"
#include "simulation/simulation.hpp"

namespace outrider::fuzz {
namespace {

Grid<std::uint8_t> sample_walls(int door) {
    Grid<std::uint8_t> walls(24, 16, 0, Lattice{0.1});
    for (int y = 0; y < 16; ++y) walls[{12, y}] = y < door || y > door + 4;
    return walls;
}

Scenario sample_scenario() {
    Notes notes;
    return make_scenario(
        parse_config("[team]\nrobots = 2\nstrategy = 'nearest'\n[sensor]\nbeams = 9\nrange_m = 1\n[comm]\nrange_m = 3\n"
                     "[run]\nsteps = 8\n[[base]]\nx_m = 0.35\ny_m = 0.35\n",
                     "sample"),
        "sample", sample_walls(5), notes);
}

void write_text_file(const std::string& path, const std::string& text) {
    OutputFile file(path, true);
    file.write(text);
    file.commit();
}

}  // namespace

std::string scratch_bytes(const std::string& name) { return read_file(ScratchFile::folder() + "/" + name, "a seed"); }

const std::string& sample_log() {
    static const std::string bytes = [] {
        const std::string path = ScratchFile::folder() + "/sample.sqlite";
        SimulationOptions options;
        options.threads = 1;
        options.log_path = path;
        options.log_level = LogLevel::full;
        Simulation sim(sample_scenario(), options);
        OperatorCommand command;
        command.behaviour = "stop";
        sim.step();
        sim.command(1, command);
        sim.run();
        Database(path, Database::Mode::create).run("PRAGMA journal_mode = DELETE; PRAGMA page_size = 512; VACUUM");
        return read_file(path, "the sample log");
    }();
    return bytes;
}

std::vector<Briefing> sample_briefings() { return make_briefings(sample_scenario()); }

const std::string& sample_sweep() {
    static const std::string folder = [] {
        const std::string above = ScratchFile::folder(), at = above + "/sweep";
        for (const auto& [name, door] : {std::pair{"a", 5}, {"b", 2}}) {
            write_map(above + "/" + name + ".png", {sample_walls(door), {}}, true);
            write_text_file(above + "/" + name + ".toml",
                            fmt::format("[map]\nfile = '{}.png'\n[team]\nrobots = 1\n[run]\nsteps = 5\n[[base]]\nx_m = "
                                        "0.35\ny_m = 0.35\n",
                                        name));
        }
        write_text_file(above + "/sample.toml",
                        "maps = ['a', 'b']\nseeds = '1..2'\nshards = 1\ncurve_points = 4\nmetrics = ['final_base', "
                        "'t90_base']\n[axes]\nstrategy = ['nearest', 'random_walk']\n");
        write_plan(read_sweep(above + "/sample.toml"), at);
        SweepWork work;
        work.jobs = 1;
        run_sweep(at, read_plan(at), work, {});
        merge_sweep(at, read_plan(at), at + "/results.sqlite", true);
        SweepPlan plan = read_plan(at);
        plan.program = "a program";  // what another version made would only be refused
        plan.provenance = {};
        for (const char* name : {"/plan.sqlite", "/shards/0001.sqlite", "/results.sqlite"}) {
            Database db(at + name, Database::Mode::create);
            Statement put = db.prepare("UPDATE meta SET value = ? WHERE key = ?");
            put.bind(1, plan.program).bind(2, "program").run();
            put.bind(1, plan_hash(plan)).bind(2, "plan_hash").run();
            db.run("DELETE FROM provenance");
        }
        return at;
    }();
    return folder;
}

}  // namespace outrider::fuzz
