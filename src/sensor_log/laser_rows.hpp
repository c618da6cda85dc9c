// Scans in rows of numbers.
#pragma once

#include <string>
#include <vector>

#include "sensor_log/row_file.hpp"

namespace outrider {

/// How the rows of a file become scans.
struct LaserRows {
    std::size_t columns = 0, readings_at = 0;  ///< of them: where the readings begin
    std::size_t cut = 0;                       ///< readings at each end that are none
    RowUnits units;
    RecordedScan shape;        ///< the angles
    double least_range_m = 0;  ///< what is closer is the code of an error

    RecordedScan scan(const std::vector<double>& row) const;
};

/// From the file's rows; `where` names it in the notes.
LaserRows laser_rows(std::string_view text, const RowFormat& format, const std::string& where, SensorLogBuilder& log);

/// Turns the beams of all scans into counter-clockwise order and says so: as the odometry shows, and where it does not,
/// as `reversed` says.
void order_beams(SensorLog& log, bool reversed);

/// Whether a folder holds a file of a laser, with a time and 100 readings or more in a row. Throws Error.
bool holds_laser_rows(const std::string& folder);

}  // namespace outrider
