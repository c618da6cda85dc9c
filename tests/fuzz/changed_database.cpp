#include "fuzz/changed_database.hpp"

#include <fmt/ranges.h>

#include <charconv>
#include <optional>
#include <sstream>
#include <vector>

#include "base/sqlite.hpp"
#include "batch/sweep_plan.hpp"
#include "outrider/error.hpp"

namespace outrider::fuzz {
namespace {

constexpr int most_changes = 8;

struct Column {
    std::string table, name;
    std::string key;  ///< what tells its rows apart
};

std::vector<Column> columns_of(Database& db) {
    std::vector<Column> all;
    Statement tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY rowid");
    while (tables.step()) {
        const std::string table(tables.bytes(0));
        std::vector<std::string> names, keys;
        Statement columns = db.prepare(fmt::format("PRAGMA table_info({})", table));
        while (columns.step()) {
            names.emplace_back(columns.bytes(1));
            if (columns.integer(5) > 0) keys.push_back(names.back());
        }
        for (const std::string& name : names)
            all.push_back({table, name, keys.empty() ? "rowid" : fmt::format("{}", fmt::join(keys, ", "))});
    }
    return all;
}

template <class T>
std::optional<T> number_in(const std::string& text) {
    T value{};
    const char* end = text.data() + text.size();
    const auto [at, error] = std::from_chars(text.data(), end, value);
    return at == end && error == std::errc() ? std::optional(value) : std::nullopt;
}

const Column* find_column(const std::vector<Column>& columns, const std::string& word) {
    if (const auto number = number_in<std::size_t>(word)) return &columns[*number % columns.size()];
    for (const Column& c : columns)
        if (c.table + "." + c.name == word) return &c;
    return nullptr;
}

void change(Database& db, const Column& column, std::int64_t row, const std::string& value) {
    Statement put = db.prepare(
        fmt::format("UPDATE OR IGNORE {0} SET {1} = ?1 WHERE ({2}) IN (SELECT {2} FROM {0} LIMIT 1 OFFSET ?2 % max(1, "
                    "(SELECT count(*) FROM {0})))",
                    column.table, column.name, column.key));
    if (const auto whole = number_in<std::int64_t>(value))
        put.bind(1, *whole);
    else if (const auto real = number_in<double>(value))
        put.bind(1, *real);
    else
        put.bind(1, std::string_view(value));
    put.bind(2, row).run();
}

}  // namespace

void write_changed(const ScratchFile& file, const std::string& original, std::string_view changes) {
    file.write(original);
    Database db(file.path(), Database::Mode::create);
    db.run("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; BEGIN");
    const std::vector<Column> columns = columns_of(db);
    std::istringstream lines{std::string(changes)};
    int count = 0;
    for (std::string line; count < most_changes && std::getline(lines, line); ++count) {
        std::istringstream words(line);
        std::string column, value;
        std::int64_t row = 0;
        words >> column >> row;
        std::getline(words >> std::ws, value);
        const Column* found = find_column(columns, column);
        if (!found || row < 0) continue;
        try {
            change(db, *found, row, value);
        } catch (const RunFailure&) {  // such as a text for a number that is the key
        }
    }
    db.run("COMMIT");
}

void sign_plan(const std::string& path) {
    Database db(path, Database::Mode::create);
    const std::string hash = plan_hash(read_plan_tables(db, true));
    db.prepare("UPDATE meta SET value = ? WHERE key = 'plan_hash'").bind(1, std::string_view(hash)).run();
}

}  // namespace outrider::fuzz
