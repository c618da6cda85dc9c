#include "robot/motions.hpp"

#include <cmath>

namespace outrider {

std::vector<Motion> motions_between(const Percept& percept) {
    const Motion& whole = percept.motion;
    std::vector<Motion> parts;
    Pose done;  // seen from where the last percept was
    const auto add = [&](const Pose& to) {
        parts.push_back({done == Pose{} ? to : to == done ? Pose{} : compose(inverse(done), to), {}});
        done = to;
    };
    for (const Scan& scan : percept.scans)
        add(scan.now_from_then == Pose{} ? whole.delta : compose(whole.delta, scan.now_from_then));
    if (done != whole.delta || parts.empty()) add(whole.delta);
    const auto travelled = [](const Motion& m) { return norm(m.delta.position()); };
    const auto turn = [&](const Motion& m) { return std::abs(m.delta.yaw) + 0.1 * travelled(m); };
    double length = 0, whole_turn = 0;
    for (const Motion& part : parts) {
        length += travelled(part);
        whole_turn += turn(part);
    }
    for (Motion& part : parts) {
        if (parts.size() == 1 || part.delta == whole.delta) {
            part.covariance = whole.covariance;
            continue;
        }
        const double share = length > 0 ? travelled(part) / length : 0,
                     share_yaw = whole_turn > 0 ? turn(part) / whole_turn : 0;
        for (std::size_t i = 0; i < 8; ++i) part.covariance[i] = whole.covariance[i] * share;
        part.covariance[8] = whole.covariance[8] * share_yaw;
    }
    return parts;
}

}  // namespace outrider
