#include "sensor_log/row_file.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

#include "base/percentile.hpp"
#include "outrider/geometry.hpp"

namespace outrider {
namespace {

constexpr std::size_t least_beams = 100, sampled_rows = 20;
constexpr std::size_t most_columns = static_cast<std::size_t>(most_numbers) + 8;

/// Scanners that are in use have so many beams.
constexpr std::array<std::size_t, 12> usual_beams{180, 181, 360, 361, 541, 682, 683, 720, 721, 726, 769, 1081};

struct SampledRow {
    std::size_t numbers = 0;
    std::array<double, 3> first{};
    bool named = false;  // something else than a number follows, and nothing after that
};

/// Nothing: it does not begin with a number, or goes on with other words.
std::optional<SampledRow> sample(std::string_view line) {
    SampledRow row;
    Words words(line, ' ');
    while (const auto word = words.word()) {
        const std::optional<double> v = whole_number(*word);
        if (!v || row.named) {
            if (row.numbers != 1 || row.named) return {};
            row.named = true;
            continue;
        }
        if (row.numbers < row.first.size()) row.first[row.numbers] = *v;
        if (++row.numbers > most_columns) return {};
    }
    return row;
}

/// Both begin with numbers that are no readings: one, which grows, or three, of which the third is an angle.
RowKind laser_kind(const std::vector<SampledRow>& rows, std::size_t columns) {
    if (is_usual_number(columns - 1)) return RowKind::laser;
    if (is_usual_number(columns - 3)) return RowKind::posed_laser;
    if (columns == wheeled_head + 682 || columns == wheeled_head + 683) return RowKind::wheeled_laser;
    bool grows = rows.size() > 1, angles = true;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        grows = grows && (i == 0 || rows[i].first[0] > rows[i - 1].first[0]);
        angles = angles && std::abs(rows[i].first[2]) <= 2 * pi;
    }
    return angles && !grows ? RowKind::posed_laser : RowKind::laser;
}

RowKind kind_of(const std::vector<SampledRow>& rows, std::size_t columns) {
    if (columns > least_beams) return laser_kind(rows, columns);
    if (columns == 4 || columns == 6) return RowKind::odometry;
    if (columns == 17) return RowKind::sonar;
    if (columns == 22) return RowKind::odometry_and_sonar;
    return columns == 1 ? RowKind::times : RowKind::other;
}

/// The numbers of the first rows that are in order.
std::vector<std::vector<double>> first_rows(std::string_view text, std::size_t columns, bool more) {
    constexpr std::size_t most_bytes = std::size_t{4} << 20, most_rows = 1000;
    std::vector<std::vector<double>> rows;
    std::vector<double> row;
    for_each_line(text.substr(0, most_bytes), [&](std::string_view line, std::size_t) {
        if (rows.size() == most_rows || is_comment(line)) return;
        try {
            read_row(line, columns, more, row);
            rows.push_back(row);
        } catch (const Error&) {  // named when it is read
        }
    });
    return rows;
}

double time_unit(const std::vector<std::vector<double>>& rows) {
    std::vector<double> stamps, steps;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        stamps.push_back(std::abs(rows[i][0]));
        if (i > 0 && rows[i][0] > rows[i - 1][0]) steps.push_back(rows[i][0] - rows[i - 1][0]);
    }
    const double stamp = middle_value(stamps);
    if (stamp > 1e14) return 1e-6;
    return stamp > 1e11 || middle_value(steps) > 20 ? 1e-3 : 1;
}

}  // namespace

bool is_usual_number(std::size_t beams) {
    return std::find(usual_beams.begin(), usual_beams.end(), beams) != usual_beams.end();
}

bool is_comment(std::string_view line) {
    const auto begin = line.find_first_not_of(" \t");
    return begin != std::string_view::npos && (line[begin] == '#' || line[begin] == '%');
}

RowFormat row_format(std::string_view beginning, bool whole) {
    if (!whole) beginning = beginning.substr(0, beginning.rfind('\n') + 1);  // all, where there is none: npos + 1 is 0
    std::map<std::size_t, std::vector<SampledRow>> by_columns;
    std::size_t lines = 0;
    for_each_line(beginning, [&](std::string_view line, std::size_t) {
        if (lines == sampled_rows || is_comment(line)) return;
        ++lines;
        if (const auto row = sample(line)) by_columns[row->numbers].push_back(*row);
    });
    const auto most = std::max_element(by_columns.begin(), by_columns.end(),
                                       [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
    if (most == by_columns.end() || 2 * most->second.size() < lines) return {};
    return {kind_of(most->second, most->first), most->first};
}

void read_row(std::string_view line, std::size_t columns, bool more, std::vector<double>& values) {
    values.clear();
    Words words(line, ' ');
    while (values.size() < columns && !words.empty()) values.push_back(words.number("a number"));
    if (values.size() < columns) fail("expected {} numbers, found {}", columns, values.size());
    if (!more && !words.empty()) fail("expected {} numbers, found more", columns);
    if (!std::isfinite(values[0])) fail("expected a time stamp or a position, found {}", values[0]);
}

RowUnits laser_units(std::string_view text, std::size_t columns, std::size_t readings_at) {
    const auto rows = first_rows(text, columns, false);
    std::vector<double> readings;
    constexpr std::size_t most = 1'000'000;
    for (const auto& row : rows)
        for (std::size_t i = readings_at; i < row.size() && readings.size() < most; ++i)
            if (row[i] > 0 && std::isfinite(row[i])) readings.push_back(row[i]);
    return {readings_at == 1 ? time_unit(rows) : 1, middle_value(std::move(readings)) > 100 ? 1e-3 : 1};
}

RowUnits odometry_units(std::string_view text) {
    const auto rows = first_rows(text, 4, true);
    RowUnits units{time_unit(rows), 1};
    std::vector<double> speeds;
    for (std::size_t i = 1; i < rows.size(); ++i) {
        const double seconds = (rows[i][0] - rows[i - 1][0]) * units.time_s,
                     path = std::hypot(rows[i][1] - rows[i - 1][1], rows[i][2] - rows[i - 1][2]);
        if (seconds > 0 && path > 0 && std::isfinite(path)) speeds.push_back(path / seconds);
    }
    if (middle_value(std::move(speeds)) > 50) units.metres = 1e-3;
    return units;
}

std::string units_text(const RowUnits& units) {
    const std::string time = units.time_s == 1e-3   ? "milliseconds"
                             : units.time_s == 1e-6 ? "microseconds"
                                                    : "",
                      length = units.metres == 1e-3 ? "millimetres" : "";
    return time + (time.empty() || length.empty() ? "" : ", ") + length;
}

}  // namespace outrider
