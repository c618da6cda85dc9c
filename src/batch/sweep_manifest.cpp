// A plan as a file.
#include <fmt/ranges.h>
#include <zlib.h>

#include <charconv>
#include <filesystem>

#include "base/input.hpp"
#include "base/output.hpp"
#include "batch/sweep_plan.hpp"
#include "outrider/error.hpp"

namespace outrider {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view plan_schema = R"(
    CREATE TABLE meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID;
    CREATE TABLE map(id INTEGER PRIMARY KEY, name TEXT, hash TEXT, width INTEGER, height INTEGER, cell_m REAL,
                     config TEXT, walls BLOB);
    CREATE TABLE axis(id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE cell(id INTEGER PRIMARY KEY, label TEXT, config TEXT);
    CREATE TABLE cell_value(cell INTEGER, axis INTEGER, value TEXT, PRIMARY KEY(cell, axis)) WITHOUT ROWID;
    CREATE TABLE metric(id INTEGER PRIMARY KEY, name TEXT, tested INTEGER);
)";

/// The walls as rows of bits, lower left cell first, compressed.
std::string pack(const Grid<std::uint8_t>& walls) {
    std::string bits((walls.cells().size() + 7) / 8, '\0');
    for (std::size_t i = 0; i < walls.cells().size(); ++i)
        if (walls.cells()[i]) bits[i / 8] = static_cast<char>(bits[i / 8] | 1 << (i % 8));
    uLongf size = compressBound(static_cast<uLong>(bits.size()));
    std::string out(size, '\0');
    const int status = compress2(reinterpret_cast<Bytef*>(out.data()), &size,
                                 reinterpret_cast<const Bytef*>(bits.data()), static_cast<uLong>(bits.size()), 6);
    OUTRIDER_CHECK(status, ==, Z_OK);
    out.resize(size);
    return out;
}

Grid<std::uint8_t> unpack(int width, int height, double cell_m, std::string_view packed, const std::string& file) {
    if (width < 1 || height < 1 || width > max_map_side || height > max_map_side ||
        std::int64_t{width} * height > max_map_cells || !(cell_m >= 1e-4 && cell_m <= 1e4))
        fail("{}: a map is damaged: {} x {} cells of {} m", file, width, height, cell_m);
    const auto cells = static_cast<std::uint64_t>(width) * static_cast<std::uint64_t>(height);
    expect_affordable(file, cells + cells / 8, fmt::format("a map of {} x {} cells", width, height));
    Grid<std::uint8_t> walls(width, height, 0, Lattice{cell_m});
    std::string bits((walls.cells().size() + 7) / 8, '\0');
    uLongf size = static_cast<uLongf>(bits.size());
    if (uncompress(reinterpret_cast<Bytef*>(bits.data()), &size, reinterpret_cast<const Bytef*>(packed.data()),
                   static_cast<uLong>(packed.size())) != Z_OK ||
        size != bits.size())
        fail("{}: a map is damaged", file);
    for (std::size_t i = 0; i < walls.cells().size(); ++i) walls.cells()[i] = bits[i / 8] >> (i % 8) & 1;
    return walls;
}

std::vector<std::int64_t> numbers(std::string_view text) {
    std::vector<std::int64_t> out;
    for (const char* at = text.data(); at < text.data() + text.size();) {
        at = std::from_chars(at, text.data() + text.size(), out.emplace_back()).ptr + 1;
    }
    return out;
}

/// A number that a plan may hold. Throws Error.
std::int64_t within(const Database& db, const std::string& name, std::int64_t value, std::int64_t low,
                    std::int64_t high) {
    if (value < low || value > high)
        fail("{}: damaged: {} is {}; expected {} to {}", db.path(), name, value, low, high);
    return value;
}

/// Names of metrics stand in queries and as columns.
void expect_metric_names(const Database& db, const SweepPlan& plan) {
    constexpr std::size_t longest = 64;
    for (const std::string& m : plan.metrics)
        if (m.empty() || m.size() > longest || m.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") != m.npos)
            fail("{}: damaged: '{}' is no name of a metric; expected small letters, digits and _", db.path(), m);
}

/// Throws Error where the parts of a plan do not belong together.
void expect_sound(const Database& db, const SweepPlan& plan) {
    const auto damaged = [&](const std::string& why) { fail("{}: damaged: {}", db.path(), why); };
    if (plan.maps.empty() || plan.cells.empty() || plan.starts.empty()) damaged("it has no maps, cells or starts");
    std::int64_t runs = plan.repetitions;
    for (const std::size_t n : {plan.maps.size(), plan.cells.size(), plan.starts.size()})
        runs = static_cast<std::int64_t>(n) > INT32_MAX / runs ? 0 : runs * static_cast<std::int64_t>(n);
    if (runs == 0) damaged("it has more runs than there can be");
    if (plan.shards > runs) damaged("it has more shards than runs");
    for (const SweepCell& c : plan.cells)
        if (c.values.size() != plan.axes.size())
            damaged(fmt::format("the cell '{}' has {} values for {} axes", c.label, c.values.size(), plan.axes.size()));
    if (!plan.axes.empty() && std::find(plan.axes.begin(), plan.axes.end(), plan.report.compare) == plan.axes.end())
        damaged(fmt::format("it compares '{}', which is none of its axes, {}", plan.report.compare,
                            fmt::join(plan.axes, ", ")));
    if (plan.report.metrics.empty()) damaged("it tests no metric");
    expect_metric_names(db, plan);
    for (const SweepMap& m : plan.maps)
        if (map_hash(m.walls).hex() != m.hash) damaged(fmt::format("the map '{}' is not what its hash says", m.name));
}

std::string after_comma(const std::string& text) { return text.empty() ? "" : ", " + text; }

void write_runs(Database& db, const SweepPlan& plan) {
    db.run(
        "CREATE TABLE run(id INTEGER PRIMARY KEY, map INTEGER, start INTEGER, repetition INTEGER, cell INTEGER, seed "
        "INTEGER, key BLOB, shard INTEGER)");
    const SweepRuns runs(plan);
    Statement row = db.prepare("INSERT INTO run VALUES(?, ?, ?, ?, ?, ?, ?, ?)");
    for (int shard = 0; shard < plan.shards; ++shard)
        for (std::int64_t id = plan.first_of(shard); id < plan.first_of(shard + 1); ++id) {
            const SweepRun run = runs.at(id);
            row.bind(1, id)
                .bind(2, std::int64_t{run.map})
                .bind(3, run.start)
                .bind(4, std::int64_t{run.repetition})
                .bind(5, std::int64_t{run.cell})
                .bind(6, static_cast<std::int64_t>(run.seed))
                .bind_blob(7, run.key)
                .bind(8, std::int64_t{shard + 1})
                .run();
        }
}

}  // namespace

Database open_sweep_file(const std::string& path, std::int32_t application_id, std::string_view expected,
                         Database::Mode mode) {
    std::error_code error;
    if (!fs::is_regular_file(path, error)) fail("{}", cannot_be_read(path, expected));
    Database db(path, mode);
    std::int64_t id = 0, version = 0;
    try {
        Statement ask_id = db.prepare("PRAGMA application_id"), ask_version = db.prepare("PRAGMA user_version");
        if (ask_id.step()) id = ask_id.integer(0);
        if (ask_version.step()) version = ask_version.integer(0);
    } catch (const RunFailure&) {
        id = 0;  // not a database at all
    }
    if (id != application_id) fail("{}: expected {}", path, expected);
    if (version > sweep_version)
        fail("{}: is of version {} and needs a newer outrider; this one reads version {}", path, version,
             sweep_version);
    return db;
}

std::string plan_hash(const SweepPlan& plan) {
    Hasher h;
    h(plan.name);
    if (plan.provenance.parts.empty()) h(plan.program);  // of version 1
    for (const ProvenancePart& part : plan.provenance.parts) h(part.kind)(part.name)(part.fingerprint);
    h(plan.seed)(plan.repetitions)(plan.curve_points)(plan.plain_seeds)(std::span<const std::int64_t>(plan.starts));
    for (const auto* list : {&plan.axes, &plan.metrics, &plan.report.metrics}) {
        h(list->size());
        for (const std::string& text : *list) h(text);
    }
    h(plan.report.compare)(plan.maps.size());
    for (const SweepMap& map : plan.maps) h(map.name)(map.hash)(to_toml(map.config));
    for (const SweepCell& cell : plan.cells) h(cell.label)(to_toml(cell.config));
    return h.result().hex();
}

void write_plan_tables(Database& db, const SweepPlan& plan) {
    db.run(plan_schema);
    Statement meta = db.prepare("INSERT INTO meta VALUES(?, ?)");
    const auto put = [&](std::string_view key, auto value) { meta.bind(1, key).bind(2, value).run(); };
    put("name", plan.name);
    put("program", plan.program);
    put("plan_hash", plan.hash);
    put("seed", static_cast<std::int64_t>(plan.seed));
    put("repetitions", std::int64_t{plan.repetitions});
    put("curve_points", std::int64_t{plan.curve_points});
    put("plain_seeds", std::int64_t{plan.plain_seeds});
    put("starts", fmt::format("{}", fmt::join(plan.starts, ",")));
    put("runs", plan.runs());
    put("compare", plan.report.compare);
    put("source", plan.source);
    db.run(provenance_schema);
    if (!plan.provenance.parts.empty()) put("provenance", plan.provenance.fingerprint());
    write_provenance(db, plan.provenance);
    Statement map = db.prepare("INSERT INTO map VALUES(?, ?, ?, ?, ?, ?, ?, ?)");
    for (std::size_t i = 0; i < plan.maps.size(); ++i) {
        const SweepMap& m = plan.maps[i];
        map.bind(1, static_cast<std::int64_t>(i))
            .bind(2, m.name)
            .bind(3, m.hash)
            .bind(4, std::int64_t{m.walls.width()})
            .bind(5, std::int64_t{m.walls.height()})
            .bind(6, m.walls.lattice().cell_m)
            .bind(7, to_toml(m.config))
            .bind_blob(8, pack(m.walls))
            .run();
    }
    Statement axis = db.prepare("INSERT INTO axis VALUES(?, ?)");
    for (std::size_t i = 0; i < plan.axes.size(); ++i)
        axis.bind(1, static_cast<std::int64_t>(i)).bind(2, plan.axes[i]).run();
    Statement cell = db.prepare("INSERT INTO cell VALUES(?, ?, ?)"),
              value = db.prepare("INSERT INTO cell_value VALUES(?, ?, ?)");
    for (std::size_t i = 0; i < plan.cells.size(); ++i) {
        const auto id = static_cast<std::int64_t>(i);
        cell.bind(1, id).bind(2, plan.cells[i].label).bind(3, to_toml(plan.cells[i].config)).run();
        for (std::size_t k = 0; k < plan.axes.size(); ++k)
            value.bind(1, id).bind(2, static_cast<std::int64_t>(k)).bind(3, plan.cells[i].values[k]).run();
    }
    Statement metric = db.prepare("INSERT INTO metric VALUES(?, ?, ?)");
    for (std::size_t i = 0; i < plan.metrics.size(); ++i) {
        const auto at = std::find(plan.report.metrics.begin(), plan.report.metrics.end(), plan.metrics[i]);
        const bool tested = at != plan.report.metrics.end();
        metric.bind(1, static_cast<std::int64_t>(i)).bind(2, plan.metrics[i]);
        metric.bind(3, tested ? at - plan.report.metrics.begin() + 1 : std::int64_t{0}).run();
    }
}

SweepPlan read_plan_tables(Database& db, bool any_hash) {
    db.expect_tables({{"meta", "key value"},
                      {"map", "id name hash width height cell_m config walls"},
                      {"axis", "id name"},
                      {"cell", "id label config"},
                      {"cell_value", "cell axis value"},
                      {"metric", "id name tested"}},
                     "of this kind");
    SweepPlan plan;
    std::string decided_by;
    Statement meta = db.prepare("SELECT key, value FROM meta");
    while (meta.step()) {
        const std::string key(meta.bytes(0));
        if (key == "name") plan.name = meta.bytes(1);
        if (key == "program") plan.program = meta.bytes(1);
        if (key == "plan_hash") plan.hash = meta.bytes(1);
        if (key == "seed") plan.seed = static_cast<std::uint64_t>(meta.integer(1));
        const auto number = [&](std::int64_t low, std::int64_t high) {
            return static_cast<int>(within(db, key, meta.integer(1), low, high));
        };
        if (key == "repetitions") plan.repetitions = number(1, 1'000'000);
        if (key == "curve_points") plan.curve_points = number(0, 10'000);
        if (key == "plain_seeds") plan.plain_seeds = meta.integer(1) != 0;
        if (key == "starts") plan.starts = numbers(meta.bytes(1));
        if (key == "compare") plan.report.compare = meta.bytes(1);
        if (key == "source") plan.source = meta.bytes(1);
        if (key == "provenance") decided_by = meta.bytes(1);
        if (key == "shards") plan.shards = number(1, 1'000'000);
    }
    for (Provenance& p : read_provenance(db))
        if (p.fingerprint() == decided_by) plan.provenance = std::move(p);
    Statement map = db.prepare("SELECT name, hash, width, height, cell_m, config, walls FROM map ORDER BY id");
    while (map.step()) {
        SweepMap& m = plan.maps.emplace_back();
        m.name = map.bytes(0);
        m.hash = map.bytes(1);
        const auto side = [&](int column) {
            return static_cast<int>(within(db, "the side of a map", map.integer(column), 1, max_map_side));
        };
        m.walls = unpack(side(2), side(3), map.number(4), map.bytes(6), db.path());
        m.config = parse_config(map.bytes(5), db.path() + " (" + m.name + ")");
    }
    Statement axis = db.prepare("SELECT name FROM axis ORDER BY id");
    while (axis.step()) plan.axes.emplace_back(axis.bytes(0));
    Statement cell = db.prepare("SELECT label, config FROM cell ORDER BY id");
    while (cell.step()) {
        SweepCell& c = plan.cells.emplace_back();
        c.label = cell.bytes(0);
        c.config = parse_config(cell.bytes(1), db.path() + " (" + c.label + ")");
    }
    Statement value = db.prepare("SELECT cell, value FROM cell_value ORDER BY cell, axis");
    while (value.step()) {
        const std::int64_t at = within(db, "a cell", value.integer(0), 0, std::ssize(plan.cells) - 1);
        plan.cells[static_cast<std::size_t>(at)].values.emplace_back(value.bytes(1));
    }
    Statement metric = db.prepare("SELECT name FROM metric ORDER BY id"),
              tested = db.prepare("SELECT name FROM metric WHERE tested > 0 ORDER BY tested");
    while (metric.step()) plan.metrics.emplace_back(metric.bytes(0));
    while (tested.step()) plan.report.metrics.emplace_back(tested.bytes(0));
    expect_sound(db, plan);
    if (!any_hash && plan_hash(plan) != plan.hash)
        fail("{}: damaged: its content is not what its hash says; plan the sweep again, or get the file again",
             db.path());
    return plan;
}

void write_plan(const SweepPlan& plan, const std::string& folder) {
    const std::string path = folder + "/plan.sqlite";
    const auto is_there = [&] {
        std::error_code error;
        if (!fs::exists(path, error)) return false;
        const SweepPlan there = read_plan(folder);
        if (there.hash != plan.hash || there.shards != plan.shards)
            fail("{}: holds another plan ('{}', {} runs, {} shards{}); choose another folder", path, there.name,
                 there.runs(), there.shards, after_comma(changes_since(there.provenance, plan.provenance)));
        return true;
    };
    if (is_there()) return;
    prepare_output(path, false);
    PartialFile partial(path);
    try {
        Database db(partial.name(), Database::Mode::create);
        db.run(
            fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}; PRAGMA journal_mode = MEMORY;"
                        "PRAGMA synchronous = OFF; BEGIN",
                        plan_application_id, sweep_version));
        write_plan_tables(db, plan);
        db.prepare("INSERT INTO meta VALUES('shards', ?)").bind(1, std::int64_t{plan.shards}).run();
        write_runs(db, plan);
        db.run("COMMIT");
    } catch (const RunFailure& failure) {
        throw Error(failure.what());
    }
    try {
        partial.commit(false);
    } catch (const Error&) {
        if (!is_there()) throw;  // otherwise another program has just made the same one
    }
}

SweepPlan read_plan(const std::string& folder) {
    Database db =
        open_sweep_file(folder + "/plan.sqlite", plan_application_id,
                        "the plan of a sweep, made by 'outrider sweep plan SWEEP.toml -o DIR'", Database::Mode::read);
    db.expect_tables({{"run", "id map start repetition cell seed key shard"}}, "the plan of a sweep");
    return read_plan_tables(db);
}

}  // namespace outrider
