#include "batch/sweep_merge.hpp"

#include <filesystem>

#include "base/output.hpp"
#include "outrider/error.hpp"

namespace outrider {
namespace {

namespace fs = std::filesystem;

std::int64_t one_number(Database& db, const std::string& query) {
    Statement s = db.prepare(query);
    const std::int64_t value = s.step() ? s.integer(0) : 0;
    s.run();
    return value;
}

/// Rows in pieces: the hash needs no more memory for a million rows than for ten.
std::string hash_rows(Database& db, const std::string& query) {
    Hash128 all;
    Statement rows = db.prepare(query);
    while (rows.step()) {
        Hasher row;
        row(all);
        for (int c = 0; c < rows.columns(); ++c) {
            if (rows.is_null(c))
                row(std::string_view("null"));
            else if (rows.is_integer(c))
                row(rows.integer(c));
            else if (rows.is_real(c))
                row(rows.number(c));
            else
                row(rows.bytes(c));
        }
        all = row.result();
    }
    return all.hex();
}

void copy_shard(Database& db, const std::string& folder, const SweepPlan& plan, int shard, const std::string& metrics) {
    const std::string path = shard_path(folder, shard);
    open_shard(folder, plan,
               shard);  // checks the plan and program it belongs to, and rolls back what a killed worker left
    db.run("ATTACH " + sql_text(path) + " AS shard");
    db.run("BEGIN");
    const std::int64_t first = plan.first_of(shard - 1), last = plan.first_of(shard);
    const std::int64_t strange = one_number(
        db, fmt::format("SELECT count(*) FROM shard.result r LEFT JOIN plan.run p ON p.id = r.run WHERE p.key IS NOT "
                        "r.key OR r.run < {} OR r.run >= {}",
                        first, last));
    if (strange > 0) fail("{}: {} of its runs are of other scenarios than the plan's", path, strange);
    db.run(
        fmt::format("INSERT INTO run SELECT p.id, p.map, p.start, p.repetition, p.cell, p.seed, p.key, r.error, "
                    "r.end_reason, r.scenario, r.{}, {}{}, r.curve FROM shard.result r JOIN plan.run p ON p.id = "
                    "r.run ORDER BY r.run",
                    steps_hash_column(db, "result", "shard"), fingerprint_column(db, "result", "shard"), metrics));
    if (one_number(db, "SELECT count(*) FROM shard.sqlite_schema WHERE name = 'provenance'") > 0)
        db.run(
            "INSERT OR IGNORE INTO provenance SELECT whole, kind, name, fingerprint, own, version FROM "
            "shard.provenance "
            "ORDER BY whole, kind, name");
    db.run("INSERT INTO timing SELECT * FROM shard.timing ORDER BY run");
    db.run("COMMIT");
    db.run("DETACH shard");
}

}  // namespace

std::vector<ShardStatus> sweep_status(const std::string& folder, const SweepPlan& plan) {
    const ShardLocks locks(folder, ShardLocks::Mode::look);
    std::vector<ShardStatus> out;
    for (int shard = 1; shard <= plan.shards; ++shard) {
        ShardStatus s;
        s.shard = shard;
        s.runs = plan.first_of(shard) - plan.first_of(shard - 1);
        s.busy = locks.taken(shard);
        if (fs::exists(shard_path(folder, shard))) {
            Database db = open_shard(folder, plan, shard);
            s.done = one_number(db, "SELECT count(*) FROM result");
            s.failed = one_number(db, "SELECT count(*) FROM result WHERE error <> ''");
        }
        out.push_back(s);
    }
    return out;
}

std::string results_digest(Database& db) {
    Hasher h;
    for (const char* query :
         {"SELECT key, value FROM meta WHERE key <> 'digest' ORDER BY key", "SELECT * FROM map ORDER BY id",
          "SELECT * FROM axis ORDER BY id", "SELECT * FROM cell ORDER BY id",
          "SELECT * FROM cell_value ORDER BY cell, axis", "SELECT * FROM metric ORDER BY id",
          "SELECT * FROM run ORDER BY id",
          "SELECT whole, kind, name, fingerprint, version FROM provenance ORDER BY whole, kind, name"})
        h(hash_rows(db, query));
    return h.result().hex();
}

MergeReport merge_sweep(const std::string& folder, const SweepPlan& plan, const std::string& output, bool overwrite) {
    prepare_output(output, overwrite);
    PartialFile partial(output);
    MergeReport report;
    report.runs = plan.runs();
    {
        Database db(partial.name(), Database::Mode::create);
        db.run(
            fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}; PRAGMA journal_mode = MEMORY;"
                        "PRAGMA synchronous = OFF; BEGIN",
                        results_application_id, sweep_version));
        write_plan_tables(db, plan);
        std::string columns, metrics;
        for (const std::string& m : plan.metrics) {
            columns += fmt::format(", {} REAL", sql_name(m));
            metrics += fmt::format(", r.{}", sql_name(m));
        }
        db.run(
            fmt::format("CREATE TABLE run(id INTEGER PRIMARY KEY, map INTEGER, start INTEGER, repetition INTEGER, "
                        "cell INTEGER, seed INTEGER, key BLOB, error TEXT, end_reason TEXT, scenario TEXT, "
                        "steps_hash TEXT, fingerprint TEXT{}, curve BLOB);"
                        "CREATE TABLE timing(run INTEGER PRIMARY KEY, cpu_s REAL, wall_s REAL); COMMIT",
                        columns));
        db.run("ATTACH " + sql_text(folder + "/plan.sqlite") + " AS plan");
        for (int shard = 1; shard <= plan.shards; ++shard)
            if (fs::exists(shard_path(folder, shard))) copy_shard(db, folder, plan, shard, metrics);
        db.run("DETACH plan");
        report.done = one_number(db, "SELECT count(*) FROM run");
        report.failed = one_number(db, "SELECT count(*) FROM run WHERE error <> ''");
        Statement failed = db.prepare("SELECT id, error FROM run WHERE error <> '' ORDER BY id LIMIT 20");
        while (failed.step()) report.failures.emplace_back(failed.integer(0), failed.bytes(1));
        report.digest = results_digest(db);
        db.prepare("INSERT INTO meta VALUES('digest', ?)").bind(1, report.digest).run();
    }
    partial.commit(overwrite);
    return report;
}

}  // namespace outrider
