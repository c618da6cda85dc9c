#include "features/victims/sensor.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "outrider/ray.hpp"

namespace outrider {
namespace {

bool in_sight(const WallField& walls, const Lattice& lattice, Point a, Point b) {
    return walls.walls_between(lattice.cell_of(a), lattice.cell_of(b), 0) == 0;
}

Sighting sighting(Sighting::Kind kind, int id, const Pose& pose, Point at) {
    const Point seen = into_body(pose, at);
    return {kind, id, {seen.x, seen.y, 0}};
}

/// A place in view, within 2 m of the wall that ends it.
void false_alarm(const WallField& walls, const Lattice& lattice, const Pose& pose, Rng& rng,
                 std::vector<Sighting>& out) {
    constexpr double from_wall_m = 2;
    const auto [s, c] = sin_cos(rng.uniform(-pi, pi));
    const Point direction{c, s};
    double length_m = 0;
    const double step_m = lattice.cell_m / 2;
    while (length_m < TagReader::range_m &&
           in_sight(walls, lattice, pose.position(), pose.position() + direction * (length_m + step_m)))
        length_m += step_m;
    if (length_m >= TagReader::range_m) return;  // no wall there
    const double back_m = rng.uniform(0, std::min(from_wall_m, length_m));
    out.push_back(sighting(Sighting::Kind::victim, -1, pose, pose.position() + direction * (length_m - back_m)));
}

}  // namespace

int visible_parts(const WallField& walls, const Lattice& lattice, const Pose& camera, Point body) {
    constexpr int samples = 21;
    const double off = bearing(camera.position(), body);
    if (std::abs(wrap_angle(off - camera.yaw)) > PartsCamera::half_angle ||
        distance(camera.position(), body) > PartsCamera::range_m)
        return 0;
    const auto [s, c] = sin_cos(off);
    int seen = 0;
    for (int k = 0; k < samples; ++k) {
        const double across = body_radius_m * (2 * (k + 0.5) / samples - 1);
        seen += in_sight(walls, lattice, camera.position(), body + Point{-s * across, c * across});
    }
    return PartsCamera::parts * seen / samples;
}

namespace {

/// Whether a ray that rises by `rise` per metre of floor meets a body.
bool meets_body(const WallField& walls, const Lattice& lattice, Point from, Point direction, double rise, Point body) {
    const Point to = body - from;
    const double along = to.x * direction.x + to.y * direction.y, across = to.x * direction.y - to.y * direction.x;
    const double half_squared = body_radius_m * body_radius_m - across * across;
    if (half_squared <= 0 || along + std::sqrt(half_squared) <= 0) return false;
    const double near = std::max(0.0, along - std::sqrt(half_squared)), far = along + std::sqrt(half_squared);
    if (near > ThermalScanner::range_m) return false;
    const double height = ThermalScanner::height_m + near * rise, behind = ThermalScanner::height_m + far * rise;
    if (height < 0 || std::min(height, behind) > body_height_m) return false;
    return in_sight(walls, lattice, from, from + direction * near);
}

constexpr std::size_t pixel(int row, int column) {
    return static_cast<std::size_t>(row * ThermalScanner::columns +
                                    (column + ThermalScanner::columns) % ThermalScanner::columns);
}

double elevation(double row) { return (row + 0.5 - ThermalScanner::rows / 2.0) * ThermalScanner::row_rad; }

}  // namespace

ThermalScanner::Image thermal_image(const WallField& walls, const Lattice& lattice, const Pose& pose,
                                    std::span<const Point> warm, Rng& rng) {
    using S = ThermalScanner;
    constexpr int samples = 3;  // by 3 in each cone
    S::Image image(std::size_t{S::columns} * S::rows, S::ambient_c);
    std::vector<Point> near;
    for (const Point& p : warm)
        if (distance(p, pose.position()) <= S::range_m + body_radius_m) near.push_back(p);
    for (int column = 0; column < S::columns && !near.empty(); ++column)
        for (int k = 0; k < samples; ++k) {
            const double off = (column + (k + 0.5) / samples - 0.5) * S::column_rad;
            const SinCos yaw = sin_cos(wrap_angle(pose.yaw + off));
            const Point direction{yaw.cos, yaw.sin};
            for (int row = 0; row < S::rows; ++row)
                for (int j = 0; j < samples; ++j) {
                    const SinCos up = sin_cos(elevation(row + (j + 0.5) / samples - 0.5));
                    const bool covered = std::any_of(near.begin(), near.end(), [&](const Point& body) {
                        return meets_body(walls, lattice, pose.position(), direction, up.sin / up.cos, body);
                    });
                    if (covered) image[pixel(row, column)] += (S::warm_c - S::ambient_c) / (samples * samples);
                }
        }
    for (double& celsius : image) celsius += S::noise_c * rng.normal();
    return image;
}

std::vector<Point> warm_bodies(const ThermalScanner::Image& image) {
    using S = ThermalScanner;
    // Pixels of hot squares of two by two.
    std::vector<bool> hot(image.size());
    for (int row = 0; row + 1 < S::rows; ++row)
        for (int column = 0; column < S::columns; ++column) {
            const std::array square{pixel(row, column), pixel(row, column + 1), pixel(row + 1, column),
                                    pixel(row + 1, column + 1)};
            if (std::all_of(square.begin(), square.end(), [&](std::size_t i) { return image[i] > S::hot_c; }))
                for (const std::size_t i : square) hot[i] = true;
        }
    // A body is a run of columns, around the circle, that have hot pixels.
    const auto lowest = [&](int column) {
        for (int row = 0; row < S::rows; ++row)
            if (hot[pixel(row, column)]) return row;
        return -1;
    };
    int first = 0;
    while (first < S::columns && lowest(first) >= 0) ++first;
    std::vector<Point> bodies;
    if (first == S::columns) return {Point{}};  // warm all around: somebody lies right here
    for (int k = 1; k <= S::columns; ++k) {
        if (lowest(first + k) < 0) continue;
        const int begin = first + k;
        int low = S::rows, end = begin;
        for (; lowest(end) >= 0; ++end) low = std::min(low, lowest(end));
        k = end - first;
        const SinCos below = sin_cos(-elevation(low));
        const double away_m =
            below.sin > 0 ? std::min(S::range_m, S::height_m * below.cos / below.sin + body_radius_m) : S::range_m;
        const auto [s, c] = sin_cos(wrap_angle((begin + end - 1) / 2.0 * S::column_rad));
        bodies.push_back(Point{c, s} * away_m);
    }
    return bodies;
}

void sense_victims(const WallField& walls, const Lattice& lattice, const Pose& pose, const VictimScene& scene,
                   const VictimOptions& options, Rng rng, std::vector<Sighting>& out) {
    const VictimSensor sensor = options.sensor;
    const bool all = sensor == VictimSensor::all;
    const bool tags = all || sensor == VictimSensor::tag || sensor == VictimSensor::both,
               camera = all || sensor == VictimSensor::parts || sensor == VictimSensor::both,
               thermal = (all || sensor == VictimSensor::thermal) && scene.stood;
    std::vector<Point> warm(scene.decoys.begin(), scene.decoys.end());
    for (std::size_t k = 0; k < scene.victims.size(); ++k) {
        const Point at = scene.victims[k].place(scene.time_s);
        const double away = distance(pose.position(), at);
        if (thermal) warm.push_back(at);
        if (camera && away <= PartsCamera::range_m && visible_parts(walls, lattice, pose, at) >= PartsCamera::least)
            out.push_back(sighting(Sighting::Kind::victim, -1, pose, at));
        if (!tags || away > TagReader::range_m || !in_sight(walls, lattice, pose.position(), at)) continue;
        if (rng.uniform() < TagReader::miss(away)) continue;
        out.push_back(
            sighting(Sighting::Kind::victim, away > TagReader::number_m ? -1 : static_cast<int>(k), pose, at));
        if (away <= TagReader::status_m)
            out.push_back(sighting(Sighting::Kind::victim_status, scene.victims[k].status, pose, at));
    }
    if (tags && rng.uniform() < options.false_rate) false_alarm(walls, lattice, pose, rng, out);
    if (!thermal) return;
    for (const Point& body : warm_bodies(thermal_image(walls, lattice, pose, warm, rng)))
        out.push_back({Sighting::Kind::victim, -1, {body.x, body.y, 0}});
}

}  // namespace outrider
