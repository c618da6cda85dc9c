#include "robot/cut_mates.hpp"

#include <algorithm>

namespace outrider {

std::vector<Scan> without_mates(const Percept& percept, std::span<const Point> mates,
                                const std::vector<ScanMapper>& mappers, double radius_m) {
    constexpr double around_m = 0.22;
    const double reach_m = std::max(0.2, radius_m) + around_m;
    std::vector<Scan> scans = percept.scans;
    std::vector<Point> directions;
    for (Scan& scan : scans) {
        const ScanGeometry& sensor = mappers.at(static_cast<std::size_t>(scan.sensor)).geometry();
        const Point origin = sensor.origin(scan.now_from_then);
        sensor.directions(scan.now_from_then.yaw, directions);
        for (std::size_t i = 0; i < scan.ranges.size(); ++i) {
            std::uint16_t& range = scan.ranges[i];
            if (range == Scan::no_information || range == Scan::nothing) continue;
            const Point end = beam_end(origin, directions[i], beam_length_m(sensor.spec(), range));
            if (std::any_of(mates.begin(), mates.end(), [&](Point mate) { return distance(end, mate) < reach_m; }))
                range = Scan::no_information;
        }
    }
    return scans;
}

}  // namespace outrider
