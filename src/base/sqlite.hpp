// SQLite with exceptions and without leaks. A call that fails throws RunFailure with the file and SQLite's reason.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace outrider {

class Statement {
  public:
    Statement(sqlite3_stmt* statement, const std::string& file);
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
};

class Database {
  public:
    enum class Mode { create, read };
    /// Throws Error when the file cannot be opened.
    Database(const std::string& path, Mode mode);
    Statement prepare(std::string_view sql);
    void run(std::string_view sql);  ///< one or more statements without parameters
    const std::string& path() const { return path_; }

  private:
    std::shared_ptr<sqlite3> db_;
    std::string path_;
};

}  // namespace outrider
