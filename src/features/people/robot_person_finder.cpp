// What scans show of people. This file sees no world.
#include <Eigen/Core>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "features/people/person_finder.hpp"

namespace outrider {
namespace {

constexpr double rim_sigma_m = 0.03;    ///< of a range to a body
constexpr double least_sigma_m = 0.02;  ///< of a place, however many beams meet a body
constexpr double slack_m = 0.1;         ///< by which what is seen may be wider than a disc, or off its rim
constexpr std::size_t least_beams = 2;

bool near_wall(const KnownMap& map, Cell c, int cells) {
    for (int dy = -cells; dy <= cells; ++dy)
        for (int dx = -cells; dx <= cells; ++dx)
            if (map.is_occupied(c + Cell{dx, dy})) return true;
    return false;
}

}  // namespace

std::optional<PersonSighting> fit_person(Point origin, std::span<const Point> rim, double radius_m) {
    Point sum;
    for (const Point& p : rim) sum = sum + p;
    const Point mean = sum * (1.0 / static_cast<double>(rim.size()));
    const double away_m = distance(origin, mean);
    if (away_m <= 0) return {};
    // The middle is behind the rim, and by itself known to within the disc.
    const Point start = mean + (mean - origin) * (radius_m * pi / 4 / away_m);
    const double prior = 1 / (radius_m * radius_m), weight = 1 / (rim_sigma_m * rim_sigma_m);
    Eigen::Vector2d middle(start.x, start.y);
    Eigen::Matrix2d information;
    for (int k = 0; k < 5; ++k) {
        information = Eigen::Matrix2d::Identity() * prior;
        Eigen::Vector2d gradient = prior * (Eigen::Vector2d(start.x, start.y) - middle);
        for (const Point& p : rim) {
            const Eigen::Vector2d out = Eigen::Vector2d(p.x, p.y) - middle;
            const double length = std::sqrt(out.x() * out.x() + out.y() * out.y());
            if (length <= 0) return {};
            const Eigen::Vector2d direction = out / length;
            information += weight * direction * direction.transpose();
            gradient += weight * (length - radius_m) * direction;
        }
        middle += information.inverse() * gradient;
    }
    const Point at{middle.x(), middle.y()};
    const auto off = [&](Point p) { return std::abs(distance(p, at) - radius_m) > slack_m; };
    if (std::any_of(rim.begin(), rim.end(), off) || distance(origin, at) < away_m) return {};
    const Eigen::Matrix2d covariance = information.inverse();
    const double least = least_sigma_m * least_sigma_m;
    return PersonSighting{at, {covariance(0, 0) + least, covariance(0, 1), covariance(1, 1) + least}};
}

std::vector<PersonSighting> find_people(const KnownMap& map, const ScanGeometry& sensor, const Pose& body,
                                        const Scan& scan, double radius_m, int error_cells) {
    std::vector<Point> directions, rim;
    sensor.directions(body.yaw, directions);
    const Point origin = sensor.origin(body);
    std::vector<PersonSighting> people;
    const auto finish = [&] {
        if (rim.size() >= least_beams && distance(rim.front(), rim.back()) < 2 * radius_m + slack_m)
            if (const auto person = fit_person(origin, rim, radius_m)) people.push_back(*person);
        rim.clear();
    };
    for (std::size_t i = 0; i < scan.ranges.size(); ++i) {
        if (scan.ranges[i] == Scan::no_information) continue;
        const Point end = beam_end(origin, directions[i], beam_length_m(sensor.spec(), scan.ranges[i]));
        const Cell c = map.lattice().cell_of(end);
        const bool in_the_way = scan.ranges[i] != Scan::nothing && map.is_free(c) && !near_wall(map, c, error_cells);
        if (!in_the_way || (!rim.empty() && distance(rim.back(), end) > radius_m)) finish();
        if (in_the_way) rim.push_back(end);
    }
    finish();
    return people;
}

bool sees_through(const ScanGeometry& sensor, const Pose& body, const Scan& scan, Point place, double radius_m) {
    std::vector<Point> directions;
    sensor.directions(body.yaw, directions);
    const Point to = place - sensor.origin(body);
    int passed = 0;
    for (std::size_t i = 0; i < directions.size(); ++i) {
        const double along = to.x * directions[i].x + to.y * directions[i].y,
                     across = to.x * directions[i].y - to.y * directions[i].x;
        if (along <= 0 || std::abs(across) > radius_m / 2) continue;
        if (scan.ranges[i] == Scan::no_information) return false;
        if (beam_length_m(sensor.spec(), scan.ranges[i]) < along + radius_m) return false;
        ++passed;
    }
    return passed > 0;
}

}  // namespace outrider
