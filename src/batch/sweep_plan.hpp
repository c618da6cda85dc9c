// A sweep: every combination of maps, starts and cells of options, as runs in a fixed order.
//
// A cell is one choice of options. The seed of a run depends on the experiment, the map, the start and the repetition,
// never on the cell: cells are compared on the same maps, starts and random numbers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/sqlite.hpp"
#include "outrider/error.hpp"
#include "scenario/provenance.hpp"
#include "scenario/scenario.hpp"

namespace outrider {

/// A map with everything that a scenario file would contain, except the cell's options.
struct SweepMap {
    std::string name, hash;
    ConfigTable config;
    Grid<std::uint8_t> walls;
};

/// A choice of options. `values` in the order of SweepPlan::axes, written as TOML values.
struct SweepCell {
    std::string label;  ///< unique, for people: "nearest", "nearest, comm.range_m = 5"
    std::vector<std::string> values;
    ConfigTable config;  ///< laid over the map's
};

/// Which comparisons a report makes.
struct SweepReport {
    std::string compare;               ///< axis whose values are compared with each other
    std::vector<std::string> metrics;  ///< those that are tested; the first is the main one
};

struct SweepPlan {
    std::string name, program;
    std::uint64_t seed = 1;
    int repetitions = 1, shards = 1, curve_points = 100;
    bool plain_seeds = false;  ///< the seed of a run is the number of its start, as in `outrider compare`
    std::vector<std::int64_t> starts;
    std::vector<std::string> axes, metrics;
    std::vector<SweepMap> maps;
    std::vector<SweepCell> cells;
    SweepReport report;
    Provenance provenance;  ///< all that decides in some run, as it was when planned; empty in plans of version 1
    std::string source;     ///< the sweep file's text, or the command
    std::string hash;       ///< plan_hash, once complete

    std::int64_t runs() const;
    /// First run of a shard; shards are of nearly equal size, in order. first_of(shards) is runs().
    std::int64_t first_of(int shard) const;
    /// The content of a scenario file for the map and the cell, its starts still unmoved.
    ConfigTable config(int map, int cell) const;
};

/// A run of the plan; numbered map by map, then start, repetition, cell.
struct SweepRun {
    std::int64_t id = 0;
    int map = 0, cell = 0, repetition = 0;
    std::int64_t start = 0;
    std::uint64_t seed = 0;
    std::string key;  ///< 16 bytes: hash of the run's scenario (the map's content, all that was set, the seed)
    auto pair() const { return std::tuple(map, start, repetition); }
};

/// Lists the runs of a plan without asking its manifest.
class SweepRuns {
  public:
    explicit SweepRuns(const SweepPlan& plan);
    SweepRun at(std::int64_t id) const;

  private:
    const SweepPlan& plan_;
    std::vector<Hash128> scenarios_;  // by map, then cell
};

/// The scenario of a run, without its start: what all seeds share.
struct SweepScenario {
    Scenario scenario;
    StartOptions start;
};
/// Throws Error when the cell's options do not fit the map.
SweepScenario sweep_scenario(const SweepPlan& plan, int map, int cell);
/// Throws Error where a cell, or a scenario of the sweep, names a program that nobody allowed (base/programs.hpp).
void expect_programs_allowed(const SweepPlan& plan);
/// All that decides in some run of the plan, as it is now. Reads the files of its programs.
Provenance provenance_now(const SweepPlan& plan);
/// The scenario with the run's seed; starts moved and turned by it.
Scenario seeded(const SweepScenario& base, std::uint64_t seed);

/// What complete_plan() throws when the options of a cell do not fit a map.
struct CellMistake : Error {
    int map, cell;
    CellMistake(int map_, int cell_, const std::string& message) : Error(message), map(map_), cell(cell_) {}
};

/// Checks that every map works with some cell and every cell with some map, and fills in what was left open: program,
/// provenance, metrics (all of a team), shards (about fifty runs each, at most 1000). `shards`: their number, if not 0.
/// Throws Error, CellMistake.
void complete_plan(SweepPlan& plan, int shards);

/// Name of the program as a plan stores it: version and commit, with "+" where sources are not as committed.
std::string program_id();

/// Writes the manifest DIR/plan.sqlite, completely or not at all; the same plan gives the same bytes. Throws Error when
/// there is another plan already; if it is the same plan, nothing is written.
void write_plan(const SweepPlan& plan, const std::string& folder);
/// Reads it. Throws Error when there is none or it is of a newer version.
SweepPlan read_plan(const std::string& folder);
/// Hash of all of a plan but its shards and the name of the program: results name it.
std::string plan_hash(const SweepPlan& plan);
/// Creates and fills the tables that manifests and results share: all of a plan but its shards and runs.
void write_plan_tables(Database& db, const SweepPlan& plan);
/// `any_hash`: also where the content is not what its hash says. Throws Error.
SweepPlan read_plan_tables(Database& db, bool any_hash = false);
/// Opens a database of this kind. Throws Error that says what was expected.
Database open_sweep_file(const std::string& path, std::int32_t application_id, std::string_view expected,
                         Database::Mode mode);

inline constexpr std::int32_t plan_application_id = 0x4F555450;     // "OUTP"
inline constexpr std::int32_t shard_application_id = 0x4F555453;    // "OUTS"
inline constexpr std::int32_t results_application_id = 0x4F555457;  // "OUTW"
inline constexpr int sweep_version = 2;                             ///< 1: without provenance

}  // namespace outrider
