#include "world/world.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "outrider/ray.hpp"

namespace outrider {
namespace {

/// How far before a wall a body stops, in cells.
constexpr double wall_gap = 0.01;

/// How far, in metres, one can drive from a towards b before a cell blocks; nothing when none does.
std::optional<double> blocked_at(const WallField& obstacles, const Lattice& lattice, Point a, Point b) {
    if (obstacles.distance(lattice.cell_of(a)) > lattice.cells(distance(a, b)) + 1) return {};
    std::optional<double> end;
    walk_segment(lattice.to_cells(a), lattice.to_cells(b), [&](Cell c, double t) {
        if (obstacles.wall(c)) end = lattice.metres(std::max(0.0, t - wall_gap));
        return !end;
    });
    return end;
}

/// Turns towards `yaw` within the time left; holonomic bodies turn at once.
double turn(const Body& body, double from, double to, double& time_left) {
    if (body.kinematics == Kinematics::holonomic) return wrap_angle(to);
    const double angle = wrap_angle(to - from), most = body.turn_radps * time_left;
    if (std::abs(angle) <= most) {
        time_left -= std::abs(angle) / body.turn_radps;
        return wrap_angle(to);
    }
    time_left = 0;
    return wrap_angle(from + (angle > 0 ? most : -most));
}

}  // namespace

World::World(std::shared_ptr<const Terrain> terrain, std::vector<Body> bodies, double step_s)
    : terrain_(std::move(terrain)), bodies_(std::move(bodies)), step_s_(step_s) {
    find_obstacles();
}

void World::find_obstacles() {
    obstacles_.clear();
    for (const Body& body : bodies_) {
        obstacles_.push_back(&terrain_->obstacles(body.radius_m));
        const bool blocked = body.alive && obstacles_.back()->wall(lattice().cell_of(body.pose.position()));
        OUTRIDER_CHECK(blocked, ==, false);
    }
}

void World::change(std::span<const Cell> cells, bool wall) {
    if (!own_) terrain_ = own_ = std::make_shared<Terrain>(*terrain_);
    own_->set(cells, wall);
    find_obstacles();
}

Move World::move(RobotId robot, const Command& command) {
    Body& body = bodies_[static_cast<std::size_t>(robot)];
    Move move;
    move.from = body.pose;
    if (!body.alive) return move;
    const WallField& obstacles = *obstacles_[static_cast<std::size_t>(robot)];
    double speed = command.speed_mps > 0 ? std::min(command.speed_mps, body.speed_mps) : 0;
    if (body.accel_mps2 > 0) speed = std::min(speed, body.speed_now + body.accel_mps2 * step_s_);
    Point at = body.pose.position();
    double yaw = body.pose.yaw, time_left = step_s_, driven = 0;
    bool arrived = true;
    for (const Point& way_point : command.path_body) {
        const Point to = transform(body.pose, way_point);
        const double length = distance(at, to);
        if (length == 0) continue;
        OUTRIDER_CHECK(length, <, 1e9);  // false for what is not a number
        yaw = turn(body, yaw, bearing(at, to), time_left);
        double time_there = time_left;
        const double most = ground_ ? ground_->drive(at, to, speed, time_there) : std::min(length, speed * time_left);
        const Point reach = most < length ? at + (to - at) * (most / length) : to;
        const auto wall = most > 0 ? blocked_at(obstacles, lattice(), at, reach) : std::nullopt;
        const double free = wall ? std::min(*wall, most) : most;
        move.bumped = wall.has_value();
        at = move.bumped ? at + (reach - at) * (free / most) : reach;
        driven += free;
        move.way.push_back(at);
        if (ground_)
            time_left = time_there;  // after a bump it does not matter: the step is over
        else if (speed > 0)
            time_left -= free / speed;
        if (move.bumped || most < length) {
            arrived = false;
            break;
        }
    }
    if (arrived && command.final_heading) yaw = turn(body, yaw, body.pose.yaw + *command.final_heading, time_left);

    // The new pose is the old one composed with what odometry reports, so that a robot with perfect odometry knows it
    // to the last bit.
    const Point local = into_body(body.pose, at);
    move.delta = {local.x, local.y, wrap_angle(yaw - body.pose.yaw)};
    Pose next = compose(body.pose, move.delta);
    if (obstacles.wall(lattice().cell_of(next.position()))) {  // rounding crossed the edge of a cell: stay
        move.delta = {0, 0, move.delta.yaw};
        move.bumped = true;
        driven = 0;
        next = compose(body.pose, move.delta);
    }
    body.pose = next;
    body.travelled_m += driven;
    body.speed_now = driven > 0 && !move.bumped ? speed : 0;
    return move;
}

Move World::place(RobotId robot, const Pose& to) {
    Body& body = bodies_[static_cast<std::size_t>(robot)];
    Move move;
    move.from = body.pose;
    if (!body.alive) return move;
    OUTRIDER_CHECK(field().wall(lattice().cell_of(to.position())), ==, false);
    const Point from = body.pose.position();
    if (distance(from, to.position()) > 1e-9 * lattice().cell_m) {  // else rounding since the last step
        const Point local = into_body(body.pose, to.position());
        move.delta = {local.x, local.y, 0};
        move.way.push_back(to.position());
    }
    move.delta.yaw = wrap_angle(to.yaw - body.pose.yaw);
    body.pose = compose(body.pose, move.delta);
    body.travelled_m += distance(from, body.pose.position());
    return move;
}

Grid<std::uint8_t> grow_walls(const Grid<std::uint8_t>& walls, double radius_cells) {
    Grid<std::uint8_t> grown = walls;
    std::vector<Cell> disc;
    const int reach = static_cast<int>(std::ceil(radius_cells + 0.5));
    for (int dy = -reach; dy <= reach; ++dy)
        for (int dx = -reach; dx <= reach; ++dx)
            if (std::hypot(std::max(0.0, std::abs(dx) - 0.5), std::max(0.0, std::abs(dy) - 0.5)) < radius_cells)
                disc.push_back({dx, dy});
    const Cell low = walls.origin();
    for (int y = -1; y <= walls.height(); ++y)  // the border is a wall, too
        for (int x = -1; x <= walls.width(); ++x) {
            const Cell c = low + Cell{x, y};
            if (!walls.get(c, 1)) continue;
            // Surrounded by walls: a neighbour is nearer to every cell that this wall would block.
            if (walls.get(c + Cell{1, 0}, 1) && walls.get(c - Cell{1, 0}, 1) && walls.get(c + Cell{0, 1}, 1) &&
                walls.get(c - Cell{0, 1}, 1))
                continue;
            for (const Cell d : disc)
                if (grown.contains(c + d)) grown[c + d] = 1;
        }
    return grown;
}

}  // namespace outrider
