#include "simulator/victim_sensor.hpp"

#include <algorithm>
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
        const double across = PartsCamera::body_radius_m * (2 * (k + 0.5) / samples - 1);
        seen += in_sight(walls, lattice, camera.position(), body + Point{-s * across, c * across});
    }
    return PartsCamera::parts * seen / samples;
}

void sense_victims(const WallField& walls, const Lattice& lattice, const Pose& pose, const std::vector<Victim>& victims,
                   const VictimOptions& options, Rng rng, std::vector<Sighting>& out) {
    const bool tags = options.sensor != VictimSensor::parts, camera = options.sensor != VictimSensor::tag;
    for (std::size_t k = 0; k < victims.size(); ++k) {
        const Point at = victims[k].at;
        const double away = distance(pose.position(), at);
        if (camera && away <= PartsCamera::range_m && visible_parts(walls, lattice, pose, at) >= PartsCamera::least)
            out.push_back(sighting(Sighting::Kind::victim, -1, pose, at));
        if (!tags || away > TagReader::range_m || !in_sight(walls, lattice, pose.position(), at)) continue;
        if (rng.uniform() < TagReader::miss(away)) continue;
        out.push_back(
            sighting(Sighting::Kind::victim, away > TagReader::number_m ? -1 : static_cast<int>(k), pose, at));
        if (away <= TagReader::status_m)
            out.push_back(sighting(Sighting::Kind::victim_status, victims[k].status, pose, at));
    }
    if (tags && rng.uniform() < options.false_rate) false_alarm(walls, lattice, pose, rng, out);
}

}  // namespace outrider
