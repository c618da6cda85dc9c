// A small sweep to try things on.
#pragma once

#include <array>

#include "batch/results.hpp"
#include "batch/sweep_file.hpp"
#include "batch/sweep_merge.hpp"
#include "batch/sweep_worker.hpp"
#include "helpers.hpp"

namespace outrider {

/// Small maps, two to eight, with scenarios a.toml, b.toml, ..., and a sweep over them: sweep.toml with `body` after
/// its maps.
inline void write_sweep(const TemporaryFolder& folder, const std::string& body, std::size_t maps = 2) {
    constexpr std::array doors{8, 3, 5, 10, 12, 14, 16, 18};
    std::string names;
    for (std::size_t k = 0; k < maps; ++k) {
        const std::string name(1, static_cast<char>('a' + k));
        const int door = doors.at(k);
        names += fmt::format("{}'{}'", k > 0 ? ", " : "", name);
        Grid<std::uint8_t> walls(40, 30, 0, Lattice{0.1});
        for (int y = 0; y < 30; ++y) walls[{20, y}] = y < door || y > door + 6;
        write_map(folder / (name + ".png"), {walls, {}}, true);
        write_text(folder / (name + ".toml"),
                   fmt::format("[map]\nfile = '{}.png'\n[team]\nrobots = 2\n[run]\nsteps = 60\n[[base]]\nx_m = 0.85\n"
                               "y_m = 1.05\n",
                               name));
    }
    write_text(folder / "sweep.toml", "maps = [" + names + "]\n" + body);
}

inline SweepOutcome work_on(const std::string& folder, int worker = 1, int workers = 1, int jobs = 1) {
    SweepWork work;
    work.worker = worker;
    work.workers = workers;
    work.jobs = jobs;
    return run_sweep(folder, read_plan(folder), work, {});
}

inline std::string merged(const std::string& folder, const std::string& output) {
    return merge_sweep(folder, read_plan(folder), output, true).digest;
}

/// A finished sweep, merged to r.sqlite.
inline Results results_of(const TemporaryFolder& folder, const std::string& body) {
    write_sweep(folder, body);
    write_plan(read_sweep(folder / "sweep.toml"), folder / "d");
    work_on(folder / "d");
    merged(folder / "d", folder / "r.sqlite");
    return Results(folder / "r.sqlite");
}

}  // namespace outrider
