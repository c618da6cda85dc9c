// Tables as values: put together once of typed cells, then written as HTML, CSV or plain text.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>
#include "outrider/detail/settings.hpp"

namespace outrider {

/// A number; CSV has all its digits. Not a number: shown as "–", in CSV nan.
struct Number {
    enum class Digits { three, two_decimals, all };
    double value = 0;
    Digits digits = Digits::three;
};
/// The p value of a test: two digits.
struct PValue {
    double value = 1;
};
/// A missing value, and why: "never", "–". Empty in CSV.
struct Missing {
    std::string why = "–";
};
using Scalar = std::variant<Number, Missing>;
/// An interval, or quartiles: "[3, 5]". Tables for CSV have a column for either end instead.
struct Range {
    Scalar low, high;
    std::string what = "";  ///< in front of the ends: "95 % "
};
/// In a text a line feed begins a new line of the cell.
using Value = std::variant<std::string, std::int64_t, Number, PValue, Range, Missing>;

/// The content of one cell of a table: values one after the other, some of them small.
struct TableCell {
    struct Part {
        Value value;
        bool small = false;
    };
    std::vector<Part> parts;

    TableCell() = default;
    template <class T>
    requires(std::constructible_from<Value, T> && !std::integral<T>) TableCell(T value) {
        add(Value(std::move(value)));
    }
    template <std::integral N>
    TableCell(N n) {
        add(static_cast<std::int64_t>(n));
    }
    TableCell(const Scalar& scalar);
    TableCell& add(Value value, bool small = false);
    TableCell& small(Value value) { return add(std::move(value), true); }
};

struct Table {
    struct Column {
        std::string name;     ///< in CSV
        TableCell heading;    ///< for people
        bool left = false;    ///< texts; the first column always is
        bool strong = false;  ///< in rows that are marked
    };
    struct Row {
        std::vector<TableCell> cells;  ///< one alone: a heading across the table
        bool marked = false;
    };
    std::vector<Column> columns;
    std::vector<Row> rows;

    void add(std::vector<TableCell> cells, bool marked = false) { rows.push_back({std::move(cells), marked}); }
    /// A heading across the table; an empty one is none.
    void section(const std::string& text);
};

/// Columns with only a name: for tables that are only written as CSV.
std::vector<Table::Column> named_columns(const std::vector<std::string>& names);

/// <table>, in a frame that can be scrolled.
std::string to_html(const Table& table);
/// A tabular of LaTeX, with the rules of the package booktabs.
std::string to_latex(const Table& table);
/// With a line of names. Meant for cells of one value; others become texts.
std::string to_csv(const Table& table);
/// A row of it.
std::string to_csv(const std::vector<TableCell>& row);
/// The first column at least `first` wide, the others at the right of at least `others`.
std::string to_text(const Table& table, std::size_t first, std::size_t others);

/// A value, or a cell, as people read it; of a cell on one line.
std::string to_text(const TableCell& cell);
std::string to_text(const Value& value);
std::string to_text(const Scalar& value);
/// "812", "0.631", "1.2e+04": three digits, whole numbers from 100 on.
std::string short_number(double value);

}  // namespace outrider
