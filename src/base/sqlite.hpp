// SQLite with exceptions and without leaks. A call that fails throws RunFailure with the file and SQLite's reason.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace outrider {

class Statement {
  public:
    struct Meter;  // counts instructions
    Statement(sqlite3_stmt* statement, const std::string& file, std::shared_ptr<Meter> meter);
    Statement& bind(int index, std::int64_t value);
    Statement& bind(int index, double value);  ///< not a number becomes NULL
    Statement& bind(int index, std::string_view text);
    Statement& bind_blob(int index, std::string_view bytes);
    /// True: a row is there. After false the statement can be bound and run again.
    bool step();
    void run() {
        while (step()) {
        }
    }
    int columns() const;
    bool is_null(int column) const;
    bool is_real(int column) const;
    bool is_integer(int column) const;
    std::int64_t integer(int column) const;
    double number(int column) const;
    std::string_view bytes(int column) const;  ///< text or blob; valid until the next step

  private:
    std::shared_ptr<sqlite3_stmt> statement_;
    std::string file_;
    std::shared_ptr<Meter> meter_;
    std::int64_t spent_ = 0;  // instructions of this query
};

/// A table that a reader needs, and the columns that it asks for, separated by blanks.
struct TableShape {
    std::string_view name, columns;
};

/// A database may come from anywhere. Its schema runs nothing: no triggers, no views, no functions with effects; it
/// may not be damaged by statements; a query that never ends is given up (base/budget.hpp).
class Database {
  public:
    enum class Mode {
        create,  ///< also opens what is there, for writing; waits a minute for others that write
        read     ///< also in a folder where nothing can be written; waits two seconds
    };
    /// Throws Error when the file cannot be opened, or is no ordinary file.
    Database(const std::string& path, Mode mode);
    Statement prepare(std::string_view sql);
    void run(std::string_view sql);  ///< one or more statements without parameters
    /// Throws Error "PATH: not `expected`..." unless these are ordinary tables (no views, no virtual ones) with at
    /// least these columns, none of them computed.
    void expect_tables(std::initializer_list<TableShape> tables, std::string_view expected);
    bool has_column(std::string_view table, std::string_view column, std::string_view schema = "main");
    const std::string& path() const { return path_; }

  private:
    std::shared_ptr<Statement::Meter> meter_;  // outlives the connection, which calls it
    std::shared_ptr<sqlite3> db_;
    std::string path_;
};

/// A name of a table or column, and a text, as they stand in SQL.
std::string sql_name(std::string_view name);
std::string sql_text(std::string_view text);

/// Whether another program reads or writes the database right now. False when it is none.
bool database_in_use(const std::string& path);

}  // namespace outrider
