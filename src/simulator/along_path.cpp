#include "simulator/along_path.hpp"

#include <algorithm>
#include <cmath>

namespace outrider {
namespace {

/// Limit for paths of any length.
constexpr int most_scans = 256;

/// A turn in place, or a straight line.
struct Leg {
    Pose from;
    Point offset;
    double turn = 0, effort = 0;  // 1: a scan is due
};

std::vector<Leg> legs_of(const Pose& from, std::span<const Point> corners, const Pose& to, const ScanSpacing& spacing) {
    std::vector<Leg> legs;
    Pose at = from;
    const auto turn_to = [&](double yaw) {
        const double turn = wrap_angle(yaw - at.yaw);
        if (spacing.turn_rad > 0 && turn != 0) legs.push_back({at, {}, turn, std::abs(turn) / spacing.turn_rad});
        at.yaw = wrap_angle(yaw);
    };
    for (const Point corner : corners) {
        const Point offset = corner - at.position();
        const double length = norm(offset);
        if (length < 1e-9) continue;
        turn_to(bearing(at.position(), corner));
        if (spacing.travelled_m > 0) legs.push_back({at, offset, 0, length / spacing.travelled_m});
        at.x = corner.x;
        at.y = corner.y;
    }
    turn_to(to.yaw);
    return legs;
}

}  // namespace

std::vector<Pose> poses_along(const Pose& from, std::span<const Point> corners, const Pose& to,
                              const ScanSpacing& spacing) {
    const std::vector<Leg> legs = legs_of(from, corners, to, spacing);
    double whole = 0;
    for (const Leg& leg : legs) whole += leg.effort;
    const int parts = std::clamp(static_cast<int>(std::ceil(std::min(whole, 1.0 * most_scans) - 1e-9)), 1, most_scans);
    std::vector<Pose> poses;
    double done = 0;
    auto leg = legs.begin();
    for (int i = 1; i < parts; ++i) {
        const double due = whole * i / parts;
        while (leg + 1 != legs.end() && done + leg->effort < due) done += (leg++)->effort;
        const double share = std::min(1.0, (due - done) / leg->effort);
        poses.push_back({leg->from.x + share * leg->offset.x, leg->from.y + share * leg->offset.y,
                         wrap_angle(leg->from.yaw + share * leg->turn)});
    }
    poses.push_back(to);
    return poses;
}

}  // namespace outrider
