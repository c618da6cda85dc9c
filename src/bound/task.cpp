#include "bound/task.hpp"
#include "scenario/exclusions.hpp"

#include <algorithm>
#include <cmath>

#include "outrider/error.hpp"
#include "simulation/simulation.hpp"
#include "simulator/sim_driver.hpp"

namespace outrider {
namespace {

bool errs(const NoiseOptions& noise) { return noise.odometry_share > 0 || noise.spikes() || noise.ranges_err(); }

void expect_bounded(const Scenario& s) {
    const auto refuse = [&](bool there, std::string_view what) {
        if (there) fail("{}: there is no bound {}", s.name, what);
    };
    const bool err = std::any_of(s.robots.begin(), s.robots.end(), [](const RobotEntry& r) { return errs(r.noise); });
    refuse(err || s.slam.method != SlamMethod::known, "where robots are not sure where they are or what they see");
    refuse(s.start.frame == StartFrame::unknown, "where robots do not know where the others started");
    refuse(has_part(s, "changing_walls"), "where walls change");
    refuse(s.script != nullptr, "for robots that go where a log says");
    refuse(s.layers.glass || s.layers.height, "where robots see through glass or over walls");
    refuse(has_part(s, "plan"), "where robots have a plan beforehand");
    refuse(s.mapping.update == MapUpdate::whole_polygon, "where maps are free beyond walls (mapping.update)");
}

Mover mover(const RobotEntry& entry, const BoundTask& task, RobotId robot, const Pose& start, double step_s) {
    const Lattice& lattice = task.walls().lattice();
    Mover m;
    m.robot = robot;
    m.name = entry.name;
    m.start = lattice.cell_of(start.position());
    m.yaw = start.yaw;
    m.step = lattice.cells(entry.body.speed_mps * step_s);
    m.turns = entry.body.kinematics == Kinematics::holonomic && entry.body.accel_mps2 == 0;
    m.is_disc = entry.body.radius_m > 0;
    m.reach = &task.terrain->reach({m.start, entry.body.radius_m, entry.sees_m()}).cells;
    m.sensors = entry.sensor_specs();
    for (const SensorSpec& sensor : m.sensors) {
        const double angle = sensor.step_angle * (sensor.beams - 1);
        m.sight = std::max(m.sight, lattice.cells(sensor.max_range_m + norm(sensor.mount.position())));
        m.view = std::max(m.view, angle + sensor.step_angle >= 2 * pi - 1e-9 ? 2 * pi : angle);
    }
    return m;
}

}  // namespace

BoundTask bound_task(const Scenario& s) {
    expect_bounded(s);
    const Simulation sim(s);
    BoundTask task;
    task.terrain = sim.driver().world().terrain();
    task.sensable = sim.sensable();
    task.counted = sim.counted();
    task.cells = std::count_if(task.counted.cells().begin(), task.counted.cells().end(), [](auto c) { return c; });
    task.steps = s.run.steps;
    for (std::size_t i = 0; i < s.robots.size(); ++i) {
        const RobotEntry& entry = s.robots[i];
        const bool drives = entry.body.speed_mps > 0;
        if (!drives && entry.sees_m() > 0)
            fail("{}: there is no bound where '{}' sees and cannot move", s.name, entry.name);
        if (!drives) continue;
        const Pose start = sim.driver().world().body(static_cast<RobotId>(i)).pose;
        task.team.push_back(mover(entry, task, static_cast<RobotId>(i), start, s.run.step_s));
        for (const SensorSpec& sensor : task.team.back().sensors)
            task.gap =
                std::max({task.gap, sensor.step_angle * task.team.back().sight, sensor.cone * task.team.back().sight});
    }
    const bool sees = std::any_of(task.team.begin(), task.team.end(), [](const Mover& m) { return m.sight > 0; });
    if (!sees || task.cells == 0) fail("{}: there is no bound where no robot drives and sees", s.name);
    return task;
}

}  // namespace outrider
