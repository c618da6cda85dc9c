// What every robot perceives of the true world: odometry and scans.
#include <cmath>

#include "outrider/rng.hpp"
#include "sensing/cones.hpp"
#include "sensing/ray_caster.hpp"
#include "simulator/sim_driver.hpp"

namespace outrider {

/// Odometry and scans: those along the path of the last step, oldest first, then the one at its end.
void SimDriver::look(RobotId robot, Percept& percept) {
    MotionSensor& motion_sensor = motion_sensors_[static_cast<std::size_t>(robot)];
    const Move& move = state_.moves[static_cast<std::size_t>(robot)];
    const std::size_t sensors = state_.equipment[static_cast<std::size_t>(robot)].sensors.size();
    const Pose& now = state_.world.body(robot).pose;
    if (!scan_spacing_.along_path() || move.delta == Pose{}) {
        percept.scans.resize(sensors);
        scan(robot, now, 0, percept.scans);
        percept.motion = motion_sensor.measure(std::span(&move.delta, 1), now, state_.step).front();
        return;
    }
    const Pose last = move.from;
    const std::vector<Pose> poses = poses_along(last, move.path, now, scan_spacing_);
    std::vector<Pose> parts;
    for (std::size_t i = 0; i < poses.size(); ++i)
        parts.push_back(poses.size() == 1 ? move.delta : compose(inverse(i > 0 ? poses[i - 1] : last), poses[i]));
    const std::vector<Motion> measured = motion_sensor.measure(parts, now, state_.step);
    std::vector<Pose> reckoned;  // since the last step
    for (const Motion& m : measured) {
        reckoned.push_back(reckoned.empty() ? m.delta : compose(reckoned.back(), m.delta));
        for (std::size_t k = 0; k < 9; ++k) percept.motion.covariance[k] += m.covariance[k];
    }
    if (motion_sensor.exact()) reckoned.back() = move.delta;
    percept.motion.delta = reckoned.back();
    percept.scans.resize(sensors * poses.size());
    const Pose now_from_last = inverse(reckoned.back());
    for (std::size_t i = 0; i < poses.size(); ++i) {
        const auto left = static_cast<int>(poses.size() - 1 - i);
        const std::span<Scan> scans = std::span(percept.scans).subspan(i * sensors, sensors);
        scan(robot, poses[i], left, scans);
        for (Scan& s : scans) {
            s.now_from_then = left == 0 ? Pose{} : compose(now_from_last, reckoned[i]);
            s.age_s = state_.world.step_s() * left / static_cast<double>(poses.size());
        }
    }
}

/// How far rays get along these directions, in cells.
void SimDriver::cast(Rays rays, std::span<const Point> directions, std::span<double> lengths) const {
    rays.directions = directions;
    for (const auto& part : parts_) rays.level = rays.level && !part->cast_tilted(state_, rays, lengths);
    const World& world = state_.world;
    if (rays.level)
        cast_rays(world.field(), world.lattice().to_cells(rays.origin_m), directions,
                  world.lattice().cells(rays.range_m), lengths);
    for (const auto& part : parts_) part->adjust(state_, rays, lengths);
}

/// `part`: of the path of the step, counted from its end; with `robot` and the step it is the key of the noise.
void SimDriver::scan(RobotId robot, const Pose& pose, int part, std::span<Scan> scans) const {
    thread_local std::vector<Point> directions;
    thread_local std::vector<double> lengths, echoes;
    thread_local std::vector<std::uint8_t> lost;
    const auto r = static_cast<std::size_t>(robot);
    const std::vector<ScanGeometry>& sensors = state_.equipment[r].sensors;
    const Lattice& lattice = state_.world.lattice();
    for (std::size_t s = 0; s < sensors.size(); ++s) {
        const SensorSpec& spec = sensors[s].spec();
        const auto beams = static_cast<std::size_t>(sensors[s].beams());
        scans[s].sensor = static_cast<int>(s);
        scans[s].now_from_then = {};
        scans[s].age_s = 0;
        scans[s].ranges.assign(beams, Scan::no_information);
        const std::uint32_t key = static_cast<std::uint32_t>(part) * static_cast<std::uint32_t>(sensors.size()) +
                                  static_cast<std::uint32_t>(s);
        Rays rays{robot, s, pose, key, sensors[s].origin(pose), spec.max_range_m};
        const bool inside_wall = state_.world.field().wall(lattice.cell_of(rays.origin_m));  // mounted off the centre
        if (state_.blinded[r] || inside_wall) continue;
        sensors[s].directions(pose.yaw, directions);
        lengths.resize(beams);
        if (const int rays_each = rays_of_beam(spec, lattice.cell_m); rays_each > 1) {
            thread_local std::vector<Point> spread;
            thread_local std::vector<double> ray_lengths;
            spread_rays(spec, rays_each, directions, spread);
            ray_lengths.resize(spread.size());
            cast(rays, spread, ray_lengths);
            nearest_echoes(rays_each, ray_lengths, lengths);
        } else {
            cast(rays, directions, lengths);
        }
        const double units = lattice.cell_m / spec.range_unit_m,
                     most = std::floor(spec.max_range_m / spec.range_unit_m + 1e-6);  // 5.6 m are 5600 mm
        echoes.clear();
        for (const double length : lengths) echoes.push_back(length * units);
        lost.assign(beams, 0);
        rays.directions = directions;
        for (const auto& p : parts_) p->dim(state_, rays, lengths, echoes, lost);
        const NoiseOptions& noise = state_.equipment[r].noise;
        if (noise.spikes() || noise.ranges_err()) {
            Rng rng(state_.seed, robot, Purpose::range, state_.step, key);
            for (std::size_t i = 0; i < beams; ++i) {
                const std::uint16_t range = measured_range(noise, echoes[i], spec.range_unit_m, most, rng);
                if (!lost[i]) scans[s].ranges[i] = range;
            }
        } else {
            for (std::size_t i = 0; i < beams; ++i)
                if (!lost[i]) scans[s].ranges[i] = exact_range(echoes[i], most);
        }
    }
}

}  // namespace outrider
