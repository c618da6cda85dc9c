#include "robot/tilted_beams.hpp"

#include <algorithm>
#include <cmath>

namespace outrider {

bool any_tilted(const Percept& percept, const std::vector<ScanMapper>& mappers) {
    return (percept.pitch != 0 || percept.roll != 0) &&
           std::any_of(mappers.begin(), mappers.end(),
                       [](const ScanMapper& m) { return m.geometry().spec().tilts_at_m > 0; });
}

std::vector<Scan> without_floor(const Percept& percept, const std::vector<ScanMapper>& mappers) {
    constexpr double sure_share = 0.8, wall_height_m = 1;
    const double ahead = -std::tan(percept.pitch), left = std::tan(percept.roll);
    std::vector<Scan> scans = percept.scans;
    std::vector<Point> directions;
    for (Scan& scan : scans) {
        const ScanGeometry& sensor = mappers.at(static_cast<std::size_t>(scan.sensor)).geometry();
        const double base_m = sensor.spec().tilts_at_m;
        if (base_m == 0) continue;
        sensor.directions(0, directions);
        for (std::size_t i = 0; i < scan.ranges.size(); ++i) {
            std::uint16_t& range = scan.ranges[i];
            if (range == Scan::no_information) continue;
            const double rise = ahead * directions[i].x + left * directions[i].y,
                         to_m = rise < 0 ? base_m : wall_height_m - base_m;
            const bool open = range == Scan::nothing;
            if ((rise < 0 || open) && beam_length_m(sensor.spec(), range) * std::abs(rise) > sure_share * to_m)
                range = Scan::no_information;
        }
    }
    return scans;
}

}  // namespace outrider
