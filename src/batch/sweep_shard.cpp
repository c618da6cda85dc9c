#include "batch/sweep_shard.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/output.hpp"
#include "metrics/metrics.hpp"
#include "outrider/error.hpp"

namespace outrider {
namespace {

namespace fs = std::filesystem;

flock lock_of(int shard, short type) {
    flock lock{};
    lock.l_type = type;
    lock.l_whence = SEEK_SET;
    lock.l_start = shard;
    lock.l_len = 1;
    return lock;
}

std::string crash_path(const std::string& folder, int shard) {
    return fmt::format("{}/shards/{:04}.crashed", folder, shard);
}

void check_owner(Database& db, const SweepPlan& plan) {
    db.expect_tables(
        {{"meta", "key value"}, {"result", "run key error end_reason scenario curve"}, {"timing", "run cpu_s wall_s"}},
        "the results of a shard");
    Statement meta = db.prepare("SELECT key, value FROM meta");
    while (meta.step()) {
        const std::string key(meta.bytes(0)), value(meta.bytes(1));
        if (key == "program" && value != plan.program && plan.provenance.parts.empty())  // the plan's hash has it
            fail("{}: was made by another program ({}) than the plan ({})", db.path(), value, plan.program);
        if (key == "plan_hash" && value != plan.hash) fail("{}: belongs to another plan", db.path());
    }
}

Database open_or_create(const std::string& folder, const SweepPlan& plan, int shard) {
    const std::string path = shard_path(folder, shard);
    std::error_code error;
    const bool there = fs::is_regular_file(path, error);
    if (!there) prepare_output(path, false);
    Database db(path, Database::Mode::create);
    db.run("PRAGMA synchronous = NORMAL");
    Statement ask = db.prepare("SELECT count(*) FROM sqlite_schema");
    if (ask.step() && ask.integer(0) > 0) {
        ask.run();
        open_sweep_file(path, shard_application_id, "the results of a shard", Database::Mode::create);
        check_owner(db, plan);
        return db;
    }
    ask.run();
    std::string columns;
    for (const std::string& m : plan.metrics) columns += fmt::format(", {} REAL", sql_name(m));
    db.run(
        fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}; BEGIN;"
                    "CREATE TABLE meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID;"
                    "CREATE TABLE result(run INTEGER PRIMARY KEY, key BLOB, error TEXT, end_reason TEXT, scenario "
                    "TEXT, steps_hash TEXT, fingerprint TEXT{}, curve BLOB);"
                    "CREATE TABLE timing(run INTEGER PRIMARY KEY, cpu_s REAL, wall_s REAL);",
                    shard_application_id, sweep_version, columns));
    db.run(provenance_schema);
    Statement meta = db.prepare("INSERT INTO meta VALUES(?, ?)");
    meta.bind(1, "program").bind(2, plan.program).run();
    meta.bind(1, "plan_hash").bind(2, plan.hash).run();
    db.run("COMMIT");
    return db;
}

/// Prepared before a run, so that a crash handler only has to write it.
struct CrashNote {
    std::array<char, 512> path;
    std::array<char, 32> run;
};
thread_local CrashNote crash_note{};

extern "C" void on_crash(int signal) {
    if (crash_note.run[0] != '\0') {
        const int file = open(crash_note.path.data(), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0644);
        char line[40] = "00 ";
        line[0] = static_cast<char>('0' + signal / 10 % 10);
        line[1] = static_cast<char>('0' + signal % 10);
        std::size_t length = 3;
        for (const char c : crash_note.run)
            if (c != '\0' && length < sizeof line - 1) line[length++] = c;
        line[length++] = '\n';
        if (file >= 0 && write(file, line, length) > 0) close(file);
    }
    std::signal(signal, SIG_DFL);
    raise(signal);
}

}  // namespace

std::string steps_hash_column(Database& db, const std::string& table, const std::string& schema) {
    return db.has_column(table, "steps_hash", schema) ? "steps_hash" : "digest";
}

std::string fingerprint_column(Database& db, const std::string& table, const std::string& schema) {
    return db.has_column(table, "fingerprint", schema) ? "fingerprint" : "''";
}

std::string curve_of(const std::vector<StepMetrics>& steps, int step_limit, int points) {
    std::string out;
    if (steps.empty()) return out;
    for (const auto share : {&StepMetrics::team_share, &StepMetrics::base_share})
        for (int k = 0; k < points; ++k) {
            const auto at = static_cast<std::size_t>(points > 1 ? std::int64_t{step_limit - 1} * k / (points - 1) : 0);
            const auto value =
                static_cast<std::uint16_t>(std::lround(65535 * steps[std::min(at, steps.size() - 1)].*share));
            out += static_cast<char>(value & 255);
            out += static_cast<char>(value >> 8);
        }
    return out;
}

Curves read_curve(std::string_view bytes) {
    Curves out;
    const std::size_t points = bytes.size() / 4;
    for (std::size_t i = 0; i < 2 * points; ++i) {
        const int value = static_cast<unsigned char>(bytes[2 * i]) | static_cast<unsigned char>(bytes[2 * i + 1]) << 8;
        (i < points ? out.team : out.base).push_back(value / 65535.0);
    }
    return out;
}

ShardLocks::ShardLocks(const std::string& folder, Mode mode) {
    const std::string path = folder + "/shards/lock";
    if (mode == Mode::look) {  // nobody works where nobody has made the file
        file_ = open(path.c_str(), O_RDONLY | O_CLOEXEC);
        return;
    }
    prepare_output(path, true);
    file_ = open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0644);
    if (file_ < 0) fail("{}: cannot be opened: {}", path, std::strerror(errno));
}
ShardLocks::~ShardLocks() {
    if (file_ >= 0) close(file_);
}

bool ShardLocks::take(int shard) {
    flock lock = lock_of(shard, F_WRLCK);
    if (fcntl(file_, F_OFD_SETLK, &lock) == 0) return true;
    if (errno == EAGAIN || errno == EACCES) return false;
    throw RunFailure(fmt::format("the folder's shards cannot be locked: {}", std::strerror(errno)));
}

bool ShardLocks::taken(int shard) const {
    flock lock = lock_of(shard, F_WRLCK);
    return file_ >= 0 && fcntl(file_, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

std::string shard_path(const std::string& folder, int shard) {
    return fmt::format("{}/shards/{:04}.sqlite", folder, shard);
}

ShardWriter::ShardWriter(const std::string& folder, const SweepPlan& plan, int shard, bool retry)
    : db_(open_or_create(folder, plan, shard)),
      first_(plan.first_of(shard - 1)),
      done_(static_cast<std::size_t>(plan.first_of(shard) - first_)) {
    const std::string notes = crash_path(folder, shard);
    if (retry) {
        db_.run(
            "DELETE FROM timing WHERE run IN (SELECT run FROM result WHERE error <> '');"
            "DELETE FROM result WHERE error <> ''");
        std::error_code ignored;
        fs::remove(notes, ignored);
    }
    std::string marks;
    for (std::size_t i = 0; i < plan.metrics.size() + 8; ++i) marks += i == 0 ? "?" : ", ?";
    insert_.emplace(db_.prepare(fmt::format("INSERT INTO result VALUES({})", marks)));
    timing_.emplace(db_.prepare("INSERT INTO timing VALUES(?, ?, ?)"));
    Statement rows = db_.prepare("SELECT run FROM result");
    while (rows.step()) {
        const std::int64_t at = rows.integer(0) - first_;
        if (at < 0 || at >= std::ssize(done_)) fail("{}: run {} is none of this shard's", db_.path(), rows.integer(0));
        done_[static_cast<std::size_t>(at)] = true;
    }
    take_in_crashes(plan, notes);
}

void ShardWriter::take_in_crashes(const SweepPlan& plan, const std::string& notes) {
    std::ifstream file(notes);
    if (!file) return;
    int signal = 0;
    std::int64_t run = 0;
    const SweepRuns runs(plan);
    while (file >> signal >> run) {
        if (run < first_ || run >= first_ + static_cast<std::int64_t>(done_.size()) || has(run)) continue;
        RunRecord record;
        record.run = runs.at(run);
        record.error = fmt::format("the program crashed in it: signal {} ({})", signal, strsignal(signal));
        record.values.assign(plan.metrics.size(), std::nan(""));
        add(record);
    }
    commit();
}

void ShardWriter::add(const RunRecord& record) {
    const auto now = std::chrono::steady_clock::now();
    if (!open_) {
        db_.run("BEGIN IMMEDIATE");
        open_ = true;
        begun_ = now;
    }
    Statement& row = *insert_;
    row.bind(1, record.run.id).bind_blob(2, record.run.key).bind(3, record.error).bind(4, record.end_reason);
    const std::string fingerprint = record.provenance.parts.empty() ? "" : record.provenance.fingerprint();
    if (!fingerprint.empty() && provenances_.insert(fingerprint).second) write_provenance(db_, record.provenance);
    row.bind(5, record.scenario).bind(6, record.steps_hash).bind(7, fingerprint);
    int column = 8;
    for (const double v : record.values) row.bind(column++, v);
    row.bind_blob(column, record.curve).run();
    timing_->bind(1, record.run.id).bind(2, record.cpu_s).bind(3, record.wall_s).run();
    done_.at(static_cast<std::size_t>(record.run.id - first_)) = true;
    if (now - begun_ > std::chrono::seconds(1) || record.wall_s > 0.2) commit();
}

void ShardWriter::commit() {
    if (!open_) return;
    open_ = false;
    db_.run("COMMIT");
}

Database open_shard(const std::string& folder, const SweepPlan& plan, int shard) {
    // Not opened read-only: what a killed worker left half-written has to be rolled back.
    Database db = open_sweep_file(shard_path(folder, shard), shard_application_id, "the results of a shard",
                                  Database::Mode::create);
    check_owner(db, plan);
    return db;
}

DoneRun done_run(const std::string& folder, const SweepPlan& plan, std::int64_t run) {
    int shard = 1;
    while (plan.first_of(shard) <= run) ++shard;
    if (!fs::exists(shard_path(folder, shard))) return {};
    Database db = open_shard(folder, plan, shard);
    Statement row = db.prepare(fmt::format("SELECT {}, {} FROM result WHERE run = ? AND error = ''",
                                           steps_hash_column(db, "result"), fingerprint_column(db, "result")));
    if (!row.bind(1, run).step()) return {};
    return {std::string(row.bytes(0)), std::string(row.bytes(1))};
}

void note_run(const std::string& folder, int shard, std::int64_t run) {
    const std::string path = crash_path(folder, shard), number = fmt::format("{}", run);
    if (path.size() >= crash_note.path.size()) return;
    crash_note.run[0] = '\0';
    std::copy(path.c_str(), path.c_str() + path.size() + 1, crash_note.path.begin());
    std::copy(number.begin() + 1, number.end(), crash_note.run.begin() + 1);
    crash_note.run[number.size()] = '\0';
    crash_note.run[0] = number[0];
}

void install_crash_notes() {
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) std::signal(signal, on_crash);
}

}  // namespace outrider
