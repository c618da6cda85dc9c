#include "sensor_log/laser_rows.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

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
    } else if (readings == 682) {  // of a URG-04LX, too, without the last one
        rows.least_range_m = 0.02;
        rows.shape = around_front(readings, 2 * pi / 1024);
    } else {
        rows.shape = half_circle(readings);
    }
}

/// The way of a robot with two wheels, from how far they turned: that of CoreSLAM's logs (Steux and El Hamzaoui 2010).
class WheelOdometry {
  public:
    static constexpr double wheel_m = 0.077, half_axle_m = 0.165, ticks_per_turn = 2000, scanner_ahead_m = 0.145;
    Pose after(double left, double right) {
        constexpr double most_m = 10;  // between two records
        if (!std::isfinite(left) || !std::isfinite(right)) fail("wheels that turned by {} and {}", left, right);
        const double metres = wheel_m * 2 * pi / ticks_per_turn;
        const double l = metres * (left - std::exchange(left_, left)),
                     r = metres * (right - std::exchange(right_, right));
        if (std::exchange(first_, false)) return pose_;
        if (!(std::abs(l) < most_m) || !(std::abs(r) < most_m)) fail("wheels that drove {} m and {} m", l, r);
        const double turn = (r - l) / (2 * half_axle_m);
        const auto [s, c] = sin_cos(turn / 2);
        return pose_ = compose(pose_, {(l + r) / 2 * c, (l + r) / 2 * s, wrap_angle(std::remainder(turn, 2 * pi))});
    }

  private:
    bool first_ = true;
    double left_ = 0, right_ = 0;
    Pose pose_;
};

}  // namespace

LaserRows laser_rows(std::string_view text, const RowFormat& format, const std::string& where, SensorLogBuilder& log) {
    LaserRows rows;
    rows.columns = format.columns;
    rows.readings_at = format.kind == RowKind::posed_laser     ? 3
                       : format.kind == RowKind::wheeled_laser ? wheeled_head
                                                               : 1;
    rows.units = laser_units(text, rows.columns, rows.readings_at);
    if (format.kind == RowKind::wheeled_laser) rows.units = {1e-6, 1e-3};
    const std::size_t readings = rows.columns - rows.readings_at;
    set_shape(rows, readings);
    const std::size_t seen = readings - 2 * rows.cut;
    const std::string cut = rows.cut > 0 ? fmt::format(", {} of them left out at each end", rows.cut) : "",
                      units = units_text(rows.units);
    log.note(fmt::format("{}: {} readings a scan{}, {:.4g} deg apart over {:.4g} deg; in {}", where, readings, cut,
                         degrees(rows.shape.step_angle),
                         degrees(rows.shape.step_angle * (static_cast<double>(seen) - 1)),
                         units.empty() ? "seconds and metres" : units));
    if (!is_usual_number(readings))
        log.note(
            fmt::format("doubtful: no scanner in use has {} beams; are there other numbers than readings in its "
                        "rows? Then leave these columns out",
                        readings));
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
    const bool posed = format.kind == RowKind::posed_laser, wheeled = format.kind == RowKind::wheeled_laser;
    if (!posed && !wheeled && format.kind != RowKind::laser)
        fail("{}: expected rows of x, y, yaw and 98 readings or more, or of a time and 100 readings or more", where);
    if (!posed && !wheeled && seed != SlamSeed::none)
        fail(
            "{}: no odometry, only times and readings; expected a folder with a file of odometry, too, or slam.seed = "
            "none",
            where);
    SensorLogBuilder log(where);
    const LaserRows rows = laser_rows(text, format, where, log);
    if (posed) log.note("its rows have no times: a second is taken to lie between two");
    if (wheeled)
        log.note(fmt::format(
            "its rows are those of CoreSLAM and BreezySLAM: the third and fourth numbers are how far "
            "two wheels turned, {:.0f} ticks a turn, {:.0f} mm in radius, {:.0f} mm apart",
            WheelOdometry::ticks_per_turn, 1000 * WheelOdometry::wheel_m, 2000 * WheelOdometry::half_axle_m));
    WheelOdometry wheels;
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
        } else if (wheeled) {
            RecordedScan scan = rows.scan(row);
            scan.mount = {WheelOdometry::scanner_ahead_m, 0, 0};
            out.scan(row[0] * rows.units.time_s, std::move(scan), wheels.after(row[2], row[3]));
        } else {
            out.scan(row[0] * rows.units.time_s, rows.scan(row));
        }
        out.kind(posed ? "pose and scan" : wheeled ? "wheels and scan" : "scan");
    });
    SensorLog out = log.finish();
    order_beams(out, posed);
    return out;
}

}  // namespace outrider
