#include "base/sqlite.hpp"

#include <sqlite3.h>

#include <cmath>

#include "outrider/error.hpp"

namespace outrider {
namespace {

void check(int status, sqlite3* db, const std::string& file) {
    if (status == SQLITE_OK || status == SQLITE_ROW || status == SQLITE_DONE) return;
    const std::string reason = db ? sqlite3_errmsg(db) : sqlite3_errstr(status);
    throw RunFailure(fmt::format("{}: {}", file, reason));
}

}  // namespace

Statement::Statement(sqlite3_stmt* statement, const std::string& file)
    : statement_(statement, sqlite3_finalize), file_(file) {}

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
    const int status = sqlite3_step(statement_.get());
    if (status == SQLITE_ROW) return true;
    sqlite3* db = sqlite3_db_handle(statement_.get());
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

Database::Database(const std::string& path, Mode mode) : path_(path) {
    sqlite3* db = nullptr;
    const int flags = mode == Mode::create ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
    const int status = sqlite3_open_v2(path.c_str(), &db, flags, nullptr);
    db_.reset(db, sqlite3_close_v2);
    if (status != SQLITE_OK) fail("{}: {}", path, db ? sqlite3_errmsg(db) : sqlite3_errstr(status));
    sqlite3_busy_timeout(db, 2000);  // another process may be reading the file
}

Statement Database::prepare(std::string_view sql) {
    sqlite3_stmt* statement = nullptr;
    check(sqlite3_prepare_v2(db_.get(), sql.data(), static_cast<int>(sql.size()), &statement, nullptr), db_.get(),
          path_);
    return {statement, path_};
}

void Database::run(std::string_view sql) {
    check(sqlite3_exec(db_.get(), std::string(sql).c_str(), nullptr, nullptr, nullptr), db_.get(), path_);
}

}  // namespace outrider
