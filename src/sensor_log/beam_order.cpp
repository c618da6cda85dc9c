#include "sensor_log/beam_order.hpp"

#include <algorithm>
#include <cmath>

namespace outrider {
namespace {

constexpr double least_turn = 0.1, most_turn = 1, most_travel_m = 0.3;  // between scans that are compared
constexpr double clear_share = 0.8;                                     // of the other order's mean difference
constexpr std::size_t least_pairs = 3, most_pairs = 2000;

/// Mean difference of the readings of `b` and those of `a` that are `shift` beams further, each up to half a metre.
double difference(const RecordedScan& a, const RecordedScan& b, std::ptrdiff_t shift) {
    constexpr double most_m = 0.5;
    const auto n = static_cast<std::ptrdiff_t>(b.ranges.size());
    double sum = 0;
    int count = 0;
    for (std::ptrdiff_t i = std::max<std::ptrdiff_t>(0, -shift); i < std::min(n, n - shift); ++i) {
        const double r = static_cast<double>(a.ranges[static_cast<std::size_t>(i + shift)]),
                     s = static_cast<double>(b.ranges[static_cast<std::size_t>(i)]);
        if (!(r > 0) || !(s > 0) || !std::isfinite(r) || !std::isfinite(s)) continue;
        sum += std::min(std::abs(r - s), most_m);
        ++count;
    }
    return count > 0 ? sum / count : 0;
}

}  // namespace

BeamOrder beam_order(const SensorLog& log) {
    double as_given = 0, reversed = 0;  // sums of differences
    std::size_t pairs = 0;
    const LogEntry* from = nullptr;
    for (const LogEntry& to : log.entries) {
        if (to.scan < 0) continue;
        if (!from) from = &to;
        const double turn = wrap_angle(to.odometry.yaw - from->odometry.yaw);
        const bool far = distance(to.odometry.position(), from->odometry.position()) > most_travel_m;
        if (std::abs(turn) < least_turn && !far) continue;
        const RecordedScan &a = log.scans[static_cast<std::size_t>(from->scan)],
                           &b = log.scans[static_cast<std::size_t>(to.scan)];
        from = &to;
        const double beams = turn / b.step_angle, n = static_cast<double>(b.ranges.size());
        if (far || std::abs(turn) < least_turn || std::abs(turn) > most_turn || !(std::abs(beams) < 0.75 * n) ||
            a.ranges.size() != b.ranges.size())
            continue;
        const auto shift = static_cast<std::ptrdiff_t>(std::lround(beams));
        as_given += difference(a, b, shift);
        reversed += difference(a, b, -shift);
        if (++pairs == most_pairs) break;
    }
    if (pairs < least_pairs) return BeamOrder::unknown;
    if (as_given < clear_share * reversed) return BeamOrder::counter_clockwise;
    return reversed < clear_share * as_given ? BeamOrder::clockwise : BeamOrder::unknown;
}

void mirror(RecordedScan& scan) {
    scan.first_angle = -(scan.first_angle + scan.step_angle * (static_cast<double>(scan.ranges.size()) - 1));
    std::reverse(scan.ranges.begin(), scan.ranges.end());
}

}  // namespace outrider
