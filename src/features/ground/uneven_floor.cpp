#include "features/ground/uneven_floor.hpp"

#include <cmath>

#include "features/ground/floor_sweep.hpp"
#include "outrider/rng.hpp"

namespace outrider {

UnevenFloor::UnevenFloor(std::shared_ptr<const Relief> relief, std::vector<std::vector<Mounting>> mountings)
    : relief_(std::move(relief)), sensors_(mountings.size()), sensed_(mountings.size()) {
    for (std::size_t i = 0; i < mountings.size(); ++i)
        for (const Mounting& mounting : mountings[i]) sensors_[i].push_back({mounting});
}

Tilt UnevenFloor::tilt_of_scanner(const WorldState& state, const Rays& rays, Levelling levelling) const {
    constexpr double joint_error_deg = 0.5;
    const double radius_m = state.world.body(rays.robot).radius_m;
    const Tilt tilt = tilt_of(*relief_, rays.body, radius_m);
    if (levelling == Levelling::none) return tilt;
    Rng rng(state.seed, rays.robot, Purpose::sighting, state.step, 1 + rays.key);  // stream 0: sightings
    const double ahead = rise_of(radians(joint_error_deg) * rng.normal()),
                 left = rise_of(radians(joint_error_deg) * rng.normal());
    const Pose& before = state.step > 0 ? state.moves[static_cast<std::size_t>(rays.robot)].from : rays.body;
    return levelled(tilt, tilt_of(*relief_, before, radius_m), {ahead, left});
}

bool UnevenFloor::cast_tilted(const WorldState& state, const Rays& rays, std::span<double> lengths) const {
    const Mounting& mounting = sensors_[static_cast<std::size_t>(rays.robot)][rays.sensor].mounting;
    if (mounting.levelling == Levelling::always) return false;
    const Lattice& lattice = state.world.lattice();
    thread_local std::vector<Point> in_body;
    in_body.clear();
    const auto [s, c] = sin_cos(rays.body.yaw);
    for (const Point& d : rays.directions) in_body.push_back({c * d.x + s * d.y, c * d.y - s * d.x});
    outrider::cast_tilted(state.world.field(), *relief_, lattice.to_cells(rays.origin_m), rays.directions, in_body,
                          tilt_of_scanner(state, rays, mounting.levelling),
                          relief_->at(rays.body.position()) + mounting.height_m, lattice.cells(rays.range_m), lengths);
    return true;
}

void UnevenFloor::sense(const WorldState& state, RobotId robot, Percept& percept) {
    const Body& body = state.world.body(robot);
    const Tilt tilt = tilt_of(*relief_, body.pose, body.radius_m);
    percept.pitch = tilt.pitch();
    percept.roll = tilt.roll();
    percept.steps.clear();
    if (!state.blinded[static_cast<std::size_t>(robot)]) sweep(state, robot, percept);
}

void UnevenFloor::sweep(const WorldState& state, RobotId robot, Percept& percept) {
    const auto r = static_cast<std::size_t>(robot);
    const Body& body = state.world.body(robot);
    const Lattice& lattice = state.world.lattice();
    for (std::size_t k = 0; k < sensors_[r].size(); ++k) {
        auto& [mounting, last_m] = sensors_[r][k];
        if (mounting.sweep_m == 0 || (last_m >= 0 && body.travelled_m - last_m < mounting.sweep_m)) continue;
        last_m = body.travelled_m;
        const ScanGeometry& sensor = state.equipment[r].sensors[k];
        std::vector<Point> directions;
        sensor.directions(body.pose.yaw, directions);
        const double base_m = relief_->at(body.pose.position()) + mounting.height_m;
        for (const Cell c : find_steps(state.world.field(), *relief_, lattice.to_cells(sensor.origin(body.pose)),
                                       directions, base_m, lattice.cells(sensor.spec().max_range_m))) {
            BitTile& sensed = sensed_[r].at(tile_of(c));
            if (sensed.test(c)) continue;
            sensed.set(c);
            percept.steps.push_back(into_body(body.pose, lattice.centre(c)));
        }
    }
}

}  // namespace outrider
