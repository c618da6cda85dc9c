// What robots perceive of the true world: odometry, scans, each other, the ground.
#include <algorithm>
#include <cmath>

#include "outrider/ray.hpp"
#include "outrider/rng.hpp"
#include "sensing/ray_caster.hpp"
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
        cast_rays(world_.field(), world_.lattice().to_cells(origin), directions,
                  world_.lattice().cells(sensor.max_range_m), lengths);
        if (!others.empty()) shorten_to_discs(others, origin, directions, sensor.max_range_m, cell_m, lengths);
        const std::vector<SmokeEffect>& effects = equipment_[static_cast<std::size_t>(robot)].smoke;
        const SmokeEffect effect = options_.smoke.empty() ? SmokeEffect::ignore
                                   : effects.empty()      ? SmokeEffect::blind
                                                          : effects[s];
        Rng rng(
            options_.seed, robot, Purpose::range, step_,
            static_cast<std::uint32_t>(part) * static_cast<std::uint32_t>(fans.size()) + static_cast<std::uint32_t>(s));
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
