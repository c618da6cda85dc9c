#include "sensor_log/laser_rows.hpp"

#include <algorithm>

#include "outrider/geometry.hpp"
#include "sensor_log/beam_order.hpp"

namespace outrider {
namespace {

RecordedScan around_front(std::size_t beams, double step) {
    RecordedScan scan;
    scan.step_angle = step;
    scan.first_angle = -step * (static_cast<double>(beams) - 1) / 2;
    return scan;
}

void set_shape(LaserRows& rows, std::size_t readings) {
    // Hokuyo URG-04LX: 1024 steps a turn, of which 0 to 768 are sent and 43 to 725 see something; 384 is ahead.
    // Readings below 20 mm are the codes of errors.
    constexpr std::size_t sent = 769, dark = 43;
    if (readings == sent || readings == sent - 2 * dark) {
        rows.cut = (readings - (sent - 2 * dark)) / 2;
        rows.least_range_m = 0.02;
        rows.shape = around_front(sent - 2 * dark, 2 * pi / 1024);
    } else if (readings == 541 || readings == 1081) {  // SICK LMS100, Hokuyo UTM-30LX: 270 degrees
        rows.shape = around_front(readings, 1.5 * pi / static_cast<double>(readings - 1));
    } else {
        rows.shape = half_circle(readings);
    }
}

}  // namespace

LaserRows laser_rows(std::string_view text, const RowFormat& format, const std::string& where, SensorLogBuilder& log) {
    LaserRows rows;
    rows.columns = format.columns;
    rows.readings_at = format.kind == RowKind::posed_laser ? 3 : 1;
    rows.units = laser_units(text, rows.columns, rows.readings_at);
    const std::size_t readings = rows.columns - rows.readings_at;
    set_shape(rows, readings);
    const std::size_t seen = readings - 2 * rows.cut;
    const std::string cut = rows.cut > 0 ? fmt::format(", {} of them left out at each end", rows.cut) : "",
                      units = said_of(rows.units);
    log.note(fmt::format("{}: {} readings a scan{}, {:.4g} deg apart over {:.4g} deg; in {}", where, readings, cut,
                         degrees(rows.shape.step_angle),
                         degrees(rows.shape.step_angle * (static_cast<double>(seen) - 1)),
                         units.empty() ? "seconds and metres" : units));
    return rows;
}

RecordedScan LaserRows::scan(const std::vector<double>& row) const {
    RecordedScan out = shape;
    for (std::size_t i = readings_at + cut; i + cut < row.size(); ++i) {
        const double r = row[i] * units.metres;
        out.ranges.push_back(r < least_range_m ? 0 : static_cast<float>(r));
    }
    return out;
}

void order_beams(SensorLog& log, bool reversed) {
    const BeamOrder found = beam_order(log);
    const bool clockwise = found == BeamOrder::unknown ? reversed : found == BeamOrder::clockwise;
    if (clockwise)
        for (RecordedScan& scan : log.scans) std::reverse(scan.ranges.begin(), scan.ranges.end());
    log.notes.push_back(fmt::format("beams go from {}, {}", clockwise ? "left to right" : "right to left",
                                    found == BeamOrder::unknown
                                        ? "as is usual: the log turns too little to tell"
                                        : "since so the scans agree with the turns of the odometry"));
}

SensorLog parse_rows(std::string_view text, const std::string& where, SlamSeed seed) {
    const RowFormat format = row_format(text, true);
    const bool posed = format.kind == RowKind::posed_laser;
    if (!posed && format.kind != RowKind::laser)
        fail("{}: expected rows of x, y, yaw and 98 readings or more, or of a time and 100 readings or more", where);
    if (!posed && seed != SlamSeed::none)
        fail(
            "{}: no odometry, only times and readings; expected a folder with a file of odometry, too, or slam.seed = "
            "none",
            where);
    SensorLogBuilder log(where);
    const LaserRows rows = laser_rows(text, format, where, log);
    if (posed) log.note("its rows have no times: a second is taken to lie between two");
    double number = 0;
    std::vector<double> row;
    read_lines(text, log, [&](std::string_view line, SensorLogBuilder& out) {
        if (is_comment(line)) return;
        read_row(line, rows.columns, false, row);
        if (posed) {
            const double yaw = std::remainder(row[2], 2 * pi);
            if (!is_angle(yaw)) fail("expected the robot's yaw, found {}", row[2]);
            out.scan(number++, rows.scan(row),
                     {row[0] * rows.units.metres, row[1] * rows.units.metres, wrap_angle(yaw)});
        } else {
            out.scan(row[0] * rows.units.time_s, rows.scan(row));
        }
        out.kind(posed ? "pose and scan" : "scan");
    });
    SensorLog out = log.finish();
    order_beams(out, posed);
    return out;
}

}  // namespace outrider
