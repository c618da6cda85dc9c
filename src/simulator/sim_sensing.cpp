// What robots perceive of the true world: odometry, scans, each other, the ground.
#include <algorithm>
#include <cmath>

#include "outrider/ray.hpp"
#include "outrider/rng.hpp"
#include "sensing/cones.hpp"
#include "sensing/floor_sweep.hpp"
#include "sensing/ray_caster.hpp"
#include "sensing/sampled_rays.hpp"
#include "simulator/sim_driver.hpp"

namespace outrider {

/// Odometry and scans: those along the path of the last step, oldest first, then the one at its end.
void SimDriver::look(RobotId robot, Percept& percept) {
    MotionSensor& motion_sensor = motion_sensors_[static_cast<std::size_t>(robot)];
    const Move& move = moves_[static_cast<std::size_t>(robot)];
    const std::size_t sensors = fans_[static_cast<std::size_t>(robot)].size();
    const Pose& now = world_.body(robot).pose;
    if (!options_.scans.along_way() || move.delta == Pose{}) {
        percept.scans.resize(sensors);
        scan(robot, now, 0, percept.scans);
        percept.motion = motion_sensor.measure(std::span(&move.delta, 1), now, step_).front();
        return;
    }
    const Pose last = move.from;
    const std::vector<Pose> poses = poses_along(last, move.way, now, options_.scans);
    std::vector<Pose> parts;
    for (std::size_t i = 0; i < poses.size(); ++i)
        parts.push_back(poses.size() == 1 ? move.delta : compose(inverse(i > 0 ? poses[i - 1] : last), poses[i]));
    const std::vector<Motion> measured = motion_sensor.measure(parts, now, step_);
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
            s.age_s = world_.step_s() * left / static_cast<double>(poses.size());
        }
    }
}

/// The others in view, as seen from the body.
void SimDriver::sight(RobotId robot, Percept& percept) const {
    percept.sightings.clear();
    const SightingOptions& how = options_.sighting;
    if (how.range_m <= 0 || fans_[static_cast<std::size_t>(robot)].empty() || faults(robot).blind) return;
    const Pose& here = world_.body(robot).pose;
    const Cell from = world_.lattice().cell_of(here.position());
    Rng rng(options_.seed, robot, Purpose::sighting, step_);
    for (std::size_t k = 0; k < equipment_.size(); ++k) {
        const Body& other = world_.bodies()[k];
        if (k == static_cast<std::size_t>(robot) || !other.alive || !equipment_[k].recognised) continue;
        if (distance(here.position(), other.pose.position()) > how.range_m) continue;
        if (world_.field().walls_between(from, world_.lattice().cell_of(other.pose.position()), 0) > 0) continue;
        Pose seen = compose(inverse(here), other.pose);
        seen.x += how.sigma_m * rng.normal();
        seen.y += how.sigma_m * rng.normal();
        seen.yaw = wrap_angle(seen.yaw + radians(how.sigma_deg) * rng.normal());
        percept.sightings.push_back({Sighting::Kind::team_mate, static_cast<std::int32_t>(k), seen});
    }
}

/// The rough cells that the last scans passed over, and those that burn or are flooded, each of them once.
void SimDriver::see_ground(RobotId robot, Percept& percept) {
    percept.rough.clear();
    const std::vector<ScanGeometry>& fans = fans_[static_cast<std::size_t>(robot)];
    if (fans.empty()) return;
    TileTable<BitTile>& unseen = unseen_rough_[static_cast<std::size_t>(robot)];
    const Lattice& lattice = world_.lattice();
    const Pose& here = world_.body(robot).pose;
    const auto see = [&](Cell c) {
        BitTile* tile = unseen.find(tile_of(c));
        bool news = tile && tile->test(c);
        if (news) tile->reset(c);
        if (options_.hazards && (options_.hazards->burns(c, step_) || options_.hazards->wet(c, step_))) {
            BitTile& told = told_hazards_[static_cast<std::size_t>(robot)].at(tile_of(c));
            news |= !told.test(c);
            told.set(c);
        }
        if (news) percept.rough.push_back(into_body(here, lattice.centre(c)));
    };
    see(lattice.cell_of(here.position()));  // it feels what it stands on
    thread_local std::vector<Point> directions;
    for (const Scan& s : std::span(percept.scans).last(fans.size())) {
        const ScanGeometry& fan = fans[static_cast<std::size_t>(s.sensor)];
        fan.directions(here.yaw, directions);
        const Point origin = lattice.to_cells(fan.origin(here));
        for (std::size_t i = 0; i < s.ranges.size(); ++i) {
            if (s.ranges[i] == Scan::no_information) continue;
            walk_ray(Ray(origin, directions[i]), lattice.cells(beam_length_m(fan.spec(), s.ranges[i])),
                     [&](Cell c, double) {
                         see(c);
                         return !world_.field().wall(c);
                     });
        }
    }
}

/// How far rays from a sensor get, in cells. part: key of the error of the joint that keeps it level.
void SimDriver::cast(const ScanGeometry& fan, const Mounting& mounting, RobotId robot, const Pose& pose,
                     std::uint32_t part, std::span<const Disc> others, std::span<const Point> directions,
                     std::span<double> lengths) const {
    constexpr double joint_error_deg = 0.5;
    const WallField& walls = world_.field();
    const double max_range_m = fan.spec().max_range_m, max_length = world_.lattice().cells(max_range_m);
    const Point origin_m = fan.origin(pose), origin = world_.lattice().to_cells(origin_m);
    if (options_.relief && mounting.levelling != Levelling::always) {
        const Relief& relief = *options_.relief;
        const double radius_m = world_.body(robot).radius_m;
        Tilt tilt = tilt_of(relief, pose, radius_m);
        if (mounting.levelling == Levelling::gravity) {
            Rng rng(options_.seed, robot, Purpose::sighting, step_, 1 + part);  // stream 0: sightings
            const double ahead = std::tan(radians(joint_error_deg) * rng.normal());
            const Pose& before = step_ > 0 ? moves_[static_cast<std::size_t>(robot)].from : pose;
            tilt = levelled(tilt, tilt_of(relief, before, radius_m),
                            {ahead, std::tan(radians(joint_error_deg) * rng.normal())});
        }
        thread_local std::vector<Point> in_body;
        in_body.clear();
        const auto [s, c] = sin_cos(pose.yaw);
        for (const Point& d : directions) in_body.push_back({c * d.x + s * d.y, c * d.y - s * d.x});
        cast_tilted(walls, relief, origin, directions, in_body, tilt, relief.at(pose.position()) + mounting.height_m,
                    max_length, lengths);
    } else {
        cast_rays(walls, origin, directions, max_length, lengths);
        if (options_.sampled_rays) sample_rays(walls, origin, directions, max_length, lengths);
        if (options_.glass) pass_glass(*options_.glass, walls, origin, directions, max_length, lengths);
    }
    if (!others.empty()) shorten_to_discs(others, origin_m, directions, max_range_m, world_.lattice().cell_m, lengths);
}

/// How the body lies on the floor.
void SimDriver::feel_tilt(RobotId robot, Percept& percept) const {
    const Body& body = world_.body(robot);
    const Tilt tilt = tilt_of(*options_.relief, body.pose, body.radius_m);
    percept.pitch = tilt.pitch();
    percept.roll = tilt.roll();
}

/// Every so many metres: the cells with a step that no sweep of this robot found before.
void SimDriver::sweep_floor(RobotId robot, Percept& percept) {
    percept.steps.clear();
    const auto r = static_cast<std::size_t>(robot);
    const std::vector<Mounting>& mountings = equipment_[r].mountings;
    const Body& body = world_.body(robot);
    if (faults(robot).blind) return;
    for (std::size_t s = 0; s < mountings.size(); ++s) {
        double& last_m = sweeps_[r].driven_m[s];
        if (mountings[s].sweep_m == 0 || (last_m >= 0 && body.travelled_m - last_m < mountings[s].sweep_m)) continue;
        last_m = body.travelled_m;
        const ScanGeometry& fan = fans_[r][s];
        std::vector<Point> directions;
        fan.directions(body.pose.yaw, directions);
        const double base_m = options_.relief->at(body.pose.position()) + mountings[s].height_m;
        for (const Cell c :
             find_steps(world_.field(), *options_.relief, world_.lattice().to_cells(fan.origin(body.pose)), directions,
                        base_m, world_.lattice().cells(fan.spec().max_range_m))) {
            BitTile& told = sweeps_[r].told.at(tile_of(c));
            if (told.test(c)) continue;
            told.set(c);
            percept.steps.push_back(into_body(body.pose, world_.lattice().centre(c)));
        }
    }
}

/// `part`: of the path of the step, counted from its end; with `robot` and the step it is the key of the noise.
void SimDriver::scan(RobotId robot, const Pose& pose, int part, std::span<Scan> scans) const {
    thread_local std::vector<Point> directions;
    thread_local std::vector<double> lengths;
    thread_local std::vector<Disc> others;
    others = people_;
    for (const auto& [who, body] : bodies_)
        if (who != robot) others.push_back(body);
    const std::vector<ScanGeometry>& fans = fans_[static_cast<std::size_t>(robot)];
    const double cell_m = world_.lattice().cell_m;
    const NoiseOptions& noise = equipment_[static_cast<std::size_t>(robot)].noise;
    for (std::size_t s = 0; s < fans.size(); ++s) {
        const SensorSpec& sensor = fans[s].spec();
        const Point origin = fans[s].origin(pose);
        scans[s].sensor = static_cast<int>(s);
        scans[s].now_from_then = {};
        scans[s].age_s = 0;
        scans[s].ranges.assign(static_cast<std::size_t>(fans[s].beams()), Scan::no_information);
        if (world_.field().wall(world_.lattice().cell_of(origin))) continue;  // mounted off the centre, inside a wall
        fans[s].directions(pose.yaw, directions);
        lengths.resize(directions.size());
        const std::uint32_t key =
            static_cast<std::uint32_t>(part) * static_cast<std::uint32_t>(fans.size()) + static_cast<std::uint32_t>(s);
        const std::vector<Mounting>& mountings = equipment_[static_cast<std::size_t>(robot)].mountings;
        const Mounting mounting = mountings.empty() ? Mounting{} : mountings[s];
        if (const int rays = rays_of_beam(sensor, cell_m); rays > 1) {
            thread_local std::vector<Point> spread;
            thread_local std::vector<double> ray_lengths;
            spread_rays(sensor, rays, directions, spread);
            ray_lengths.resize(spread.size());
            cast(fans[s], mounting, robot, pose, key, others, spread, ray_lengths);
            nearest_echoes(rays, ray_lengths, lengths);
        } else {
            cast(fans[s], mounting, robot, pose, key, others, directions, lengths);
        }
        const std::vector<SmokeEffect>& effects = equipment_[static_cast<std::size_t>(robot)].smoke;
        const SmokeEffect effect = options_.smoke.empty() ? SmokeEffect::ignore
                                   : effects.empty()      ? SmokeEffect::blind
                                                          : effects[s];
        Rng rng(options_.seed, robot, Purpose::range, step_, key);
        const double units = cell_m / sensor.range_unit_m,
                     most = std::floor(sensor.max_range_m / sensor.range_unit_m + 1e-6);  // 5.6 m are 5600 mm
        for (std::size_t i = 0; i < lengths.size(); ++i) {
            double length = lengths[i] * units;
            bool blinded = false;
            if (effect != SmokeEffect::ignore) {
                const double reach_m = std::min(lengths[i] * cell_m, sensor.max_range_m),
                             clear_m = clear_length_m(options_.smoke, origin, directions[i], reach_m);
                if (clear_m < reach_m) length = clear_m / sensor.range_unit_m;
                blinded = clear_m < reach_m && effect == SmokeEffect::blind;
            }
            scans[s].ranges[i] = measured_range(noise, length, sensor.range_unit_m, most, rng);
            if (blinded) scans[s].ranges[i] = Scan::no_information;
        }
    }
}

}  // namespace outrider
