// Files of nothing but numbers, a record in each row: which sensor wrote one, and in which units.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sensor_log/text_lines.hpp"

namespace outrider {

enum class RowKind {
    other,
    laser,               ///< time and 100 readings or more
    posed_laser,         ///< x, y, yaw and 98 readings or more
    wheeled_laser,       ///< time and 23 other numbers, of them the turns of two wheels, then 682 or 683 readings
    odometry,            ///< time, x, y, yaw, and perhaps two velocities
    sonar,               ///< time and 16 readings
    odometry_and_sonar,  ///< time, x, y, yaw, two velocities and 16 readings
    times,               ///< time, and perhaps the name of an image
};

/// Numbers before the readings of CoreSLAM's and BreezySLAM's .dat.
inline constexpr std::size_t wheeled_head = 24;
/// Whether scanners in use have so many beams.
bool is_usual_number(std::size_t beams);

struct RowFormat {
    RowKind kind = RowKind::other;
    std::size_t columns = 0;
};

/// Told by how many numbers most of the first rows have; a row that is cut off by the end of `beginning` does not
/// count. `whole`: the text ends there, too.
RowFormat row_format(std::string_view beginning, bool whole);

/// The numbers of a row, `columns` of them; more may follow if `more`. Throws Error.
void read_row(std::string_view line, std::size_t columns, bool more, std::vector<double>& values);
/// Lines that begin with # or %.
bool is_comment(std::string_view line);

/// What the numbers of a file have to be multiplied with to be seconds and metres.
struct RowUnits {
    double time_s = 1, metres = 1;
};
/// Stamps above 10^11 are milliseconds since 1970, above 10^14 microseconds; so are milliseconds that are usually more
/// than 20 apart. Readings of which half are above 100 are millimetres, and so are positions that usually change by
/// more than 50 a second. `readings_at`: the column of the first reading; there are stamps only if that is the second.
RowUnits laser_units(std::string_view text, std::size_t columns, std::size_t readings_at);
RowUnits odometry_units(std::string_view text);
/// "milliseconds, millimetres", or empty: seconds and metres.
std::string units_text(const RowUnits& units);

}  // namespace outrider
