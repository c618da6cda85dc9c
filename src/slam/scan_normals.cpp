#include "slam/scan_normals.hpp"

#include <cmath>

#include "outrider/geometry.hpp"

namespace outrider {
namespace {

/// Neighbours farther apart say nothing about each other.
constexpr double apart_m = 1.5;

double angle_between(Point a, Point b) { return std::abs(atan2(a.x * b.y - a.y * b.x, a.x * b.x + a.y * b.y)); }

/// Whether a vector runs along a wall, up to a share of its length.
bool along(Point direction, Point normal) {
    constexpr double straight = 0.25;
    return std::abs(direction.x * normal.x + direction.y * normal.y) < straight * norm(direction);
}

/// The normal at the end i as its neighbour `inner` has it, if the wall goes on to the other side: to the next end, too
/// far away to say anything, or where no beam saw anything.
Point last_of_wall(std::span<const Point> ends, std::span<const Point> normals, std::size_t i, std::size_t inner) {
    constexpr double missing = 1.5;  // angles between beams
    if (inner >= ends.size()) return {};
    const Point normal = normals[inner], direction = ends[i] - ends[inner];
    if (normal == Point{} || norm(direction) > apart_m || !along(direction, normal)) return {};
    const std::size_t outer = inner < i ? i + 1 : i - 1;  // beyond the size where there is none
    const bool goes_on = outer >= ends.size() || along(ends[outer] - ends[i], normal) ||
                         angle_between(ends[i], ends[outer]) > missing * angle_between(ends[i], ends[inner]);
    return goes_on ? normal : Point{};
}

}  // namespace

std::vector<Point> scan_normals(std::span<const Point> ends) {
    constexpr double straight = 0.97;
    std::vector<Point> normals(ends.size());
    for (std::size_t i = 1; i + 1 < ends.size(); ++i) {
        const Point before = ends[i] - ends[i - 1], after = ends[i + 1] - ends[i], whole = before + after;
        const double length = norm(whole);
        if (length > 0 && length < 2 * apart_m &&
            before.x * after.x + before.y * after.y >= straight * norm(before) * norm(after))
            normals[i] = {-whole.y / length, whole.x / length};
    }
    return normals;
}

MatchedEnds matched_ends(std::span<const Point> ends) {
    constexpr double least_m = 0.05;  // the line through nearer ones is that of their noise
    std::vector<Point> normals = scan_normals(ends);
    for (std::size_t i = 1; i + 1 < ends.size(); ++i)
        if (distance(ends[i - 1], ends[i + 1]) < least_m) normals[i] = {};
    const auto near = [&](std::size_t a, std::size_t b) { return distance(ends[a], ends[b]) <= apart_m; };
    MatchedEnds out;
    for (std::size_t i = 0; i < ends.size(); ++i) {
        if (!(i > 0 && near(i, i - 1)) && !(i + 1 < ends.size() && near(i, i + 1))) continue;
        Point normal = normals[i];
        if (normal == Point{}) normal = last_of_wall(ends, normals, i, i - 1);
        if (normal == Point{}) normal = last_of_wall(ends, normals, i, i + 1);
        out.points.push_back(ends[i]);
        out.normals.push_back(normal);
    }
    if (2 * out.points.size() >= ends.size()) return out;
    return {{ends.begin(), ends.end()}, std::vector<Point>(ends.size())};
}

}  // namespace outrider
