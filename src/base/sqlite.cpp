#include "base/sqlite.hpp"

#include <sqlite3.h>

#include <cmath>
#include <filesystem>
#include <new>
#include <set>
#include <utility>

#include "base/budget.hpp"
#include "base/input.hpp"
#include "outrider/error.hpp"

namespace outrider {
namespace {

void check(int status, sqlite3* db, const std::string& file) {
    if (status == SQLITE_OK || status == SQLITE_ROW || status == SQLITE_DONE) return;
    if ((status & 0xff) == SQLITE_NOMEM)
        throw TooMuchMemory(fmt::format("{}: there is no memory left to read or write it", file));
    const std::string reason = db ? sqlite3_errmsg(db) : sqlite3_errstr(status);
    throw RunFailure(fmt::format("{}: {}", file, reason));
}

}  // namespace

/// The connection reports every so many instructions; they count for the query that runs.
struct Statement::Meter {
    static constexpr int stride = 1'000'000;
    std::int64_t most = 0;
    std::int64_t* spent = nullptr;
    static int on_progress(void* self) {
        auto& meter = *static_cast<Meter*>(self);
        return meter.spent && (*meter.spent += stride) > meter.most;
    }
};

Statement::Statement(sqlite3_stmt* statement, const std::string& file, std::shared_ptr<Meter> meter)
    : statement_(statement, sqlite3_finalize), file_(file), meter_(std::move(meter)) {}

Statement& Statement::bind(int index, std::int64_t value) {
    check(sqlite3_bind_int64(statement_.get(), index, value), nullptr, file_);
    return *this;
}
Statement& Statement::bind(int index, double value) {
    check(std::isnan(value) ? sqlite3_bind_null(statement_.get(), index)
                            : sqlite3_bind_double(statement_.get(), index, value),
          nullptr, file_);
    return *this;
}
Statement& Statement::bind(int index, std::string_view text) {
    check(sqlite3_bind_text64(statement_.get(), index, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8),
          nullptr, file_);
    return *this;
}
Statement& Statement::bind_blob(int index, std::string_view bytes) {
    check(sqlite3_bind_blob64(statement_.get(), index, bytes.data(), bytes.size(), SQLITE_TRANSIENT), nullptr, file_);
    return *this;
}
bool Statement::step() {
    meter_->spent = &spent_;
    const int status = sqlite3_step(statement_.get());
    meter_->spent = nullptr;
    if (status == SQLITE_ROW) return true;
    sqlite3* db = sqlite3_db_handle(statement_.get());
    if (status == SQLITE_INTERRUPT)
        throw RunFailure(
            fmt::format("{}: a table of it takes more than {} instructions to read; it is damaged, or made to keep "
                        "programs busy",
                        file_, meter_->most));
    spent_ = 0;
    if (status != SQLITE_DONE) check(status, db, file_);
    sqlite3_reset(statement_.get());
    return false;
}
int Statement::columns() const { return sqlite3_column_count(statement_.get()); }
bool Statement::is_null(int column) const { return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL; }
bool Statement::is_real(int column) const { return sqlite3_column_type(statement_.get(), column) == SQLITE_FLOAT; }
bool Statement::is_integer(int column) const { return sqlite3_column_type(statement_.get(), column) == SQLITE_INTEGER; }
std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(statement_.get(), column); }
double Statement::number(int column) const { return sqlite3_column_double(statement_.get(), column); }
std::string_view Statement::bytes(int column) const {
    const auto* data = static_cast<const char*>(sqlite3_column_blob(statement_.get(), column));
    return {data ? data : "", static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

Database::Database(const std::string& path, Mode mode) : meter_(std::make_shared<Statement::Meter>()), path_(path) {
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (mode == Mode::read || (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)))
        expect_file(path, "a database (SQLite)");
    sqlite3* db = nullptr;
    const int flags = mode == Mode::create ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
    const int opened = sqlite3_open_v2(path.c_str(), &db, flags, nullptr);
    db_.reset(db, sqlite3_close_v2);
    if (opened == SQLITE_NOMEM) throw std::bad_alloc();
    if (opened != SQLITE_OK) fail("{}: {}", path, db ? sqlite3_errmsg(db) : sqlite3_errstr(opened));
    for (const auto& [option, value] : {std::pair{SQLITE_DBCONFIG_DEFENSIVE, 1},
                                        {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
                                        {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
                                        {SQLITE_DBCONFIG_ENABLE_VIEW, 0}})
        sqlite3_db_config(db, option, value, nullptr);
    // Others may be reading the file, or hold it while they copy it.
    sqlite3_busy_timeout(db, mode == Mode::create ? 60'000 : 2'000);
    if (mode == Mode::create) return;
    constexpr int most_in_row = 256 << 20;  // bytes
    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, most_in_row);
    sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 1);  // VACUUM INTO takes one
    meter_->most = most_query_instructions(std::filesystem::file_size(path, error));
    sqlite3_progress_handler(db, Statement::Meter::stride, Statement::Meter::on_progress, meter_.get());
}

Statement Database::prepare(std::string_view sql) {
    sqlite3_stmt* statement = nullptr;
    check(sqlite3_prepare_v2(db_.get(), sql.data(), static_cast<int>(sql.size()), &statement, nullptr), db_.get(),
          path_);
    return {statement, path_, meter_};
}

void Database::run(std::string_view sql) {
    check(sqlite3_exec(db_.get(), std::string(sql).c_str(), nullptr, nullptr, nullptr), db_.get(), path_);
}

bool Database::has_column(std::string_view table, std::string_view column, std::string_view schema) {
    Statement named = prepare("SELECT 1 FROM pragma_table_info(?, ?) WHERE name = ?");
    return named.bind(1, table).bind(2, schema).bind(3, column).step();
}

void Database::expect_tables(std::initializer_list<TableShape> tables, std::string_view expected) {
    Statement kind = prepare("SELECT type FROM pragma_table_list(?) WHERE schema = 'main'"),
              column = prepare("SELECT name, hidden FROM pragma_table_xinfo(?)");
    for (const TableShape& table : tables) {
        if (!kind.bind(1, table.name).step()) fail("{}: not {}: it has no table '{}'", path_, expected, table.name);
        const std::string type(kind.bytes(0));
        kind.run();
        if (type != "table")
            fail("{}: not {}: its '{}' is no ordinary table but a {}; such a file is not read", path_, expected,
                 table.name, type == "view" ? "view" : "virtual table");
        std::set<std::string, std::less<>> columns;
        column.bind(1, table.name);
        while (column.step()) {
            columns.emplace(column.bytes(0));
            if (column.integer(1) != 0)
                fail("{}: not {}: the column '{}' of its table '{}' is computed; such a file is not read", path_,
                     expected, column.bytes(0), table.name);
        }
        for (std::string_view rest = table.columns; !rest.empty();) {
            const std::string_view name = rest.substr(0, rest.find(' '));
            rest.remove_prefix(std::min(rest.size(), name.size() + 1));
            if (!columns.contains(name))
                fail("{}: not {}: its table '{}' has no column '{}'", path_, expected, table.name, name);
        }
    }
}

std::string sql_name(std::string_view name) {
    std::string out = "\"";
    for (const char c : name) (out += c) += c == '"' ? "\"" : "";
    return out + "\"";
}

std::string sql_text(std::string_view text) {
    std::string out = "'";
    for (const char c : text) (out += c) += c == '\'' ? "'" : "";
    return out + "'";
}

bool database_in_use(const std::string& path) {
    sqlite3* db = nullptr;
    const int opened = sqlite3_open_v2(path.c_str(), &db, SQLITE_OPEN_READWRITE, nullptr);
    const std::unique_ptr<sqlite3, int (*)(sqlite3*)> owner(db, sqlite3_close);
    // A log is written with a journal beside it (WAL). Only who is alone with a file can put an end to that.
    return opened == SQLITE_OK &&
           sqlite3_exec(db, "PRAGMA journal_mode = DELETE", nullptr, nullptr, nullptr) == SQLITE_BUSY;
}

}  // namespace outrider
