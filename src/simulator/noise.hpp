// How sensors and motors err.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "outrider/options.hpp"
#include "outrider/percept.hpp"
#include "outrider/rng.hpp"

namespace outrider {

struct NoiseOptions {
    double odometry_share = 0;
    double range_m = 0;
    double range_share = 0;
    double drop_rate = 0, max_spike_rate = 0, near_spike_rate = 0;
    double speed_jitter = 0;
    double ins_share = 0.02;
    double ins_deg = 0.05;
    double gps_m = 0.5;
    double gps_lost_share = 0;
    double compass_deg = 2;
    double compass_field_deg = 0;
    bool operator==(const NoiseOptions&) const = default;
    void fields(Fields& f) {
        f("odometry_share", odometry_share, 0, 10,
          "standard deviation of odometry: this share of the path of a step in x and y, and of its turn plus 0.1 rad "
          "per metre");
        f("range_m", range_m, 0, 100, "standard deviation of a measured range");
        f("range_share", range_share, 0, 1, "and so much more, as a share of the range");
        f("drop_rate", drop_rate, 0, 1, "share of beams that say nothing");
        f("max_spike_rate", max_spike_rate, 0, 1, "share of beams that miss the wall: free as far as the sensor sees");
        f("near_spike_rate", near_spike_rate, 0, 1,
          "share of beams that end anywhere before the wall, as in dust; the three shares together are at most 1");
        f("speed_jitter", speed_jitter, 0, 1,
          "standard deviation of the speed of a step, as a share of what was wanted; never above top speed");
        f("ins_share", ins_share, 0, 10,
          "with slam.seed = ins or gps_ins: standard deviation of an inertial system, this share of the path of a "
          "step");
        f("ins_deg", ins_deg, 0, 180, "and so many degrees of heading in a second, whatever the turn");
        f("gps_m", gps_m, 0, 1000,
          "with slam.seed = gps_ins: standard deviation of a position from satellites in x and y; it does not grow "
          "with the path");
        f("gps_lost_share", gps_lost_share, 0, 1,
          "share of the squares of 10 m in which no satellites are received: the inertial system goes on alone");
        f("compass_deg", compass_deg, 0, 180, "with slam.seed = compass: standard deviation of a heading");
        f("compass_field_deg", compass_field_deg, 0, 180,
          "and of local fields that turn it, by place: another one every 3 m or so");
    }
    bool spikes() const { return drop_rate > 0 || max_spike_rate > 0 || near_spike_rate > 0; }
    bool ranges_err() const { return range_m > 0 || range_share > 0; }
};

/// A beam where nothing errs, in units of the sensor, rounded; `most`: its reach, a whole number.
inline std::uint16_t exact_range(double length, double most) {
    if (length == INFINITY) return Scan::nothing;
    return static_cast<std::uint16_t>(
        std::max(1, static_cast<int>(std::min(length, most) + 0.5)));  // 0: no information
}

/// A beam as measured: `length` is that to the wall in units of the sensor (infinite: nothing in reach), `unit_m` the
/// unit, `most` the reach of the sensor in units. Numbers are drawn only for what can err.
std::uint16_t measured_range(const NoiseOptions& noise, double length, double unit_m, double most, Rng& rng);

}  // namespace outrider
