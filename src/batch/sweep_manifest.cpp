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

constexpr std::string_view schema = R"(
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
    if (width < 1 || height < 1 || std::int64_t{width} * height > max_map_cells) fail("{}: a map is damaged", file);
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
    h(plan.name)(plan.program)(plan.seed)(plan.repetitions)(plan.curve_points)(plan.plain_seeds)(
        std::span<const std::int64_t>(plan.starts));
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
    db.run(schema);
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

SweepPlan read_plan_tables(Database& db) {
    SweepPlan plan;
    Statement meta = db.prepare("SELECT key, value FROM meta");
    while (meta.step()) {
        const std::string key(meta.bytes(0));
        if (key == "name") plan.name = meta.bytes(1);
        if (key == "program") plan.program = meta.bytes(1);
        if (key == "plan_hash") plan.hash = meta.bytes(1);
        if (key == "seed") plan.seed = static_cast<std::uint64_t>(meta.integer(1));
        if (key == "repetitions") plan.repetitions = static_cast<int>(meta.integer(1));
        if (key == "curve_points") plan.curve_points = static_cast<int>(meta.integer(1));
        if (key == "plain_seeds") plan.plain_seeds = meta.integer(1) != 0;
        if (key == "starts") plan.starts = numbers(meta.bytes(1));
        if (key == "compare") plan.report.compare = meta.bytes(1);
        if (key == "source") plan.source = meta.bytes(1);
        if (key == "shards") plan.shards = static_cast<int>(meta.integer(1));
    }
    Statement map = db.prepare("SELECT name, hash, width, height, cell_m, config, walls FROM map ORDER BY id");
    while (map.step()) {
        SweepMap& m = plan.maps.emplace_back();
        m.name = map.bytes(0);
        m.hash = map.bytes(1);
        m.walls = unpack(static_cast<int>(map.integer(2)), static_cast<int>(map.integer(3)), map.number(4),
                         map.bytes(6), db.path());
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
    while (value.step()) plan.cells.at(static_cast<std::size_t>(value.integer(0))).values.emplace_back(value.bytes(1));
    Statement metric = db.prepare("SELECT name FROM metric ORDER BY id"),
              tested = db.prepare("SELECT name FROM metric WHERE tested > 0 ORDER BY tested");
    while (metric.step()) plan.metrics.emplace_back(metric.bytes(0));
    while (tested.step()) plan.report.metrics.emplace_back(tested.bytes(0));
    return plan;
}

void write_plan(const SweepPlan& plan, const std::string& folder) {
    const std::string path = folder + "/plan.sqlite", partial = path + ".partial";
    std::error_code error;
    if (fs::exists(path, error)) {
        const SweepPlan there = read_plan(folder);
        if (there.hash != plan.hash || there.shards != plan.shards)
            fail("{}: holds another plan ('{}', {} runs, {} shards); choose another folder", path, there.name,
                 there.runs(), there.shards);
        return;
    }
    prepare_output(path, false);
    fs::remove(partial, error);
    try {
        Database db(partial, Database::Mode::create);
        db.run(
            fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}; PRAGMA journal_mode = OFF;"
                        "PRAGMA synchronous = OFF; BEGIN",
                        plan_application_id, sweep_version));
        write_plan_tables(db, plan);
        db.prepare("INSERT INTO meta VALUES('shards', ?)").bind(1, std::int64_t{plan.shards}).run();
        write_runs(db, plan);
        db.run("COMMIT");
    } catch (const RunFailure& failure) {
        fs::remove(partial, error);
        throw Error(failure.what());
    }
    fs::rename(partial, path, error);
    if (error) fail("{}: cannot be written: {}", path, error.message());
}

SweepPlan read_plan(const std::string& folder) {
    Database db =
        open_sweep_file(folder + "/plan.sqlite", plan_application_id,
                        "the plan of a sweep, made by 'outrider sweep plan SWEEP.toml -o DIR'", Database::Mode::read);
    return read_plan_tables(db);
}

}  // namespace outrider
