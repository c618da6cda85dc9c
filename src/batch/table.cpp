#include "batch/table.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/output.hpp"
#include "outrider/detail/settings.hpp"

namespace outrider {
namespace {

template <class... Kinds>
struct Overloaded : Kinds... {
    using Kinds::operator()...;
};
template <class... Kinds>
Overloaded(Kinds...) -> Overloaded<Kinds...>;

std::string number_text(const Number& n) {
    if (std::isnan(n.value)) return "–";
    switch (n.digits) {
        case Number::Digits::three:
            return short_number(n.value);
        case Number::Digits::two_decimals:
            return fmt::format("{:.2f}", n.value);
        case Number::Digits::all:
            break;
    }
    return fmt::format("{}", n.value);
}

std::string html(const TableCell& cell) {
    std::string out;
    bool small = false;
    for (const TableCell::Part& p : cell.parts) {
        if (p.small != small) out += p.small ? "<small>" : "</small>";
        small = p.small;
        for (const char c : escaped(to_text(p.value))) out += c == '\n' ? std::string("<br>") : std::string(1, c);
    }
    return out + (small ? "</small>" : "");
}

std::string css(const Table::Column& column) {
    const std::string classes = fmt::format("{}{}", column.left ? "l" : "", column.strong ? " v" : "");
    return classes.empty() ? "" : fmt::format(" class='{}'", classes);
}

/// A text as LaTeX takes it.
std::string latex(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (std::string_view("&%$#_{}").find(c) != std::string_view::npos)
            out += std::string("\\") + c;
        else if (c == '\\')
            out += "\\textbackslash{}";
        else if (c == '~' || c == '^')
            out += fmt::format("\\{}{{}}", c);
        else if (c == '<' || c == '>')
            out += fmt::format("${}$", c);
        else if (text.substr(i).starts_with("–")) {
            out += "--";
            i += std::string_view("–").size() - 1;
        } else
            out += c;
    }
    return out;
}

/// The lines of a cell, one above the other.
std::string latex(const TableCell& cell, bool left, bool bold) {
    std::vector<std::string> lines(1);
    for (const TableCell::Part& part : cell.parts) {
        const std::string text = to_text(part.value);
        for (std::size_t from = 0; from <= text.size();) {
            const std::size_t end = std::min(text.find('\n', from), text.size());
            if (const std::string piece = latex(std::string_view(text).substr(from, end - from)); !piece.empty())
                lines.back() += part.small ? "{\\footnotesize " + piece + "}"
                                : bold     ? "\\textbf{" + piece + "}"
                                           : piece;
            if (end < text.size()) lines.emplace_back();
            from = end + 1;
        }
    }
    std::erase(lines, "");
    if (lines.size() <= 1) return lines.empty() ? "" : lines[0];
    return fmt::format("\\begin{{tabular}}[t]{{@{{}}{}@{{}}}}{}\\end{{tabular}}", left ? 'l' : 'r',
                       fmt::join(lines, "\\\\ "));
}

/// Characters, of a text in UTF-8.
std::size_t width(std::string_view text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string field(const Value& value) {
    return std::visit(Overloaded{[](const std::string& text) { return csv_field(text); },
                                 [](std::int64_t n) { return fmt::format("{}", n); },
                                 [](const Number& n) { return fmt::format("{}", n.value); },
                                 [](const PValue& p) { return fmt::format("{}", p.value); },
                                 [](const Range& r) { return csv_field(to_text(Value(r))); },
                                 [](const Missing&) { return std::string(); }},
                      value);
}

}  // namespace

TableCell::TableCell(const Scalar& scalar) {
    std::visit([&](const auto& value) { add(value); }, scalar);
}

TableCell& TableCell::add(Value value, bool is_small) {
    parts.push_back({std::move(value), is_small});
    return *this;
}

void Table::section(const std::string& text) {
    if (!text.empty()) add({text});
}

std::vector<Table::Column> named_columns(const std::vector<std::string>& names) {
    std::vector<Table::Column> out;
    for (const std::string& name : names) out.push_back({name, name});
    return out;
}

std::string to_html(const Table& table) {
    std::string out = "<div class='wide'><table><tr>";
    for (const Table::Column& c : table.columns)
        out += fmt::format("<th{}>{}</th>", c.left ? " class='l'" : "", html(c.heading));
    out += "</tr>\n";
    for (const Table::Row& row : table.rows) {
        if (row.cells.size() == 1 && table.columns.size() > 1) {
            out +=
                fmt::format("<tr><th class='l' colspan='{}'>{}</th></tr>\n", table.columns.size(), html(row.cells[0]));
            continue;
        }
        out += row.marked ? "<tr class='shown'>" : "<tr>";
        for (std::size_t k = 0; k < row.cells.size(); ++k)
            out += fmt::format("<td{}>{}</td>", css(table.columns[k]), html(row.cells[k]));
        out += "</tr>\n";
    }
    return out + "</table></div>";
}

std::string to_csv(const std::vector<TableCell>& row) {
    std::string out;
    for (const TableCell& cell : row) {
        if (&cell != &row[0]) out += ',';
        out += cell.parts.size() == 1 ? field(cell.parts[0].value) : csv_field(to_text(cell));
    }
    return out + "\n";
}

std::string to_latex(const Table& table) {
    const auto left = [&](std::size_t column) { return column == 0 || table.columns[column].left; };
    const auto line = [&](auto&& text_of) {
        std::string out;
        for (std::size_t c = 0; c < table.columns.size(); ++c) out += (c == 0 ? "" : " & ") + text_of(c);
        return out + " \\\\\n";
    };
    std::string alignment;
    for (std::size_t c = 0; c < table.columns.size(); ++c) alignment += left(c) ? 'l' : 'r';
    std::string out = "% needs \\usepackage{booktabs}\n\\begin{tabular}{" + alignment + "}\n\\toprule\n" +
                      line([&](std::size_t c) { return latex(table.columns[c].heading, left(c), false); }) +
                      "\\midrule\n";
    for (const Table::Row& row : table.rows) {
        if (row.cells.size() == 1 && table.columns.size() > 1) {
            out += fmt::format("\\multicolumn{{{}}}{{l}}{{\\textit{{{}}}}} \\\\\n", table.columns.size(),
                               latex(row.cells[0], true, false));
            continue;
        }
        out += line([&](std::size_t c) {
            return c < row.cells.size() ? latex(row.cells[c], left(c), row.marked && table.columns[c].strong)
                                        : std::string();
        });
    }
    return out + "\\bottomrule\n\\end{tabular}\n";
}

std::string to_csv(const Table& table) {
    std::vector<TableCell> names;
    for (const Table::Column& c : table.columns) names.emplace_back(c.name);
    std::string out = to_csv(names);
    for (const Table::Row& row : table.rows) out += to_csv(row.cells);
    return out;
}

std::string to_text(const Table& table, std::size_t first, std::size_t others) {
    std::vector<std::vector<std::string>> lines(1);
    for (const Table::Column& c : table.columns) lines[0].push_back(to_text(c.heading));
    for (const Table::Row& row : table.rows) {
        std::vector<std::string>& line = lines.emplace_back();
        for (const TableCell& cell : row.cells) line.push_back(to_text(cell));
    }
    std::vector<std::size_t> widths(table.columns.size(), others);
    if (!widths.empty()) widths[0] = first;
    for (const auto& line : lines)
        for (std::size_t k = 0; k < line.size(); ++k) widths[k] = std::max(widths[k], width(line[k]));
    std::string out;
    for (const auto& line : lines) {
        for (std::size_t k = 0; k < line.size(); ++k) {
            const std::string gap(widths[k] - width(line[k]), ' ');
            out += k == 0 ? line[k] + gap : " " + gap + line[k];
        }
        out += "\n";
    }
    return out;
}

std::string to_text(const TableCell& cell) {
    std::string out;
    for (const TableCell::Part& p : cell.parts) out += to_text(p.value);
    std::replace(out.begin(), out.end(), '\n', ' ');
    return out;
}

std::string to_text(const Value& value) {
    return std::visit(
        Overloaded{[](const std::string& text) { return text; }, [](std::int64_t n) { return fmt::format("{}", n); },
                   [](const Number& n) { return number_text(n); },
                   [](const PValue& p) { return fmt::format("{:.2g}", p.value); },
                   [](const Range& r) { return fmt::format("[{}{}, {}]", r.what, to_text(r.low), to_text(r.high)); },
                   [](const Missing& m) { return m.why; }},
        value);
}

std::string to_text(const Scalar& value) {
    return std::visit([](const auto& v) { return to_text(Value(v)); }, value);
}

std::string short_number(double v) {
    if (std::isnan(v)) return "–";
    if (std::abs(v) >= 1e6) return fmt::format("{:.3g}", v);
    return std::abs(v) >= 100 ? fmt::format("{:.0f}", v) : fmt::format("{:.3g}", v);
}

}  // namespace outrider
