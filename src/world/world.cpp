#include "world/world.hpp"

#include <algorithm>
#include <bit>
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

World::World(const World& other)
    : terrain_(other.terrain_),
      ground_(other.ground_),
      bodies_(other.bodies_),
      obstacles_(other.obstacles_),
      step_s_(other.step_s_) {
    if (!other.own_) return;
    terrain_ = own_ = std::make_shared<Terrain>(*other.own_);
    find_obstacles();
}

void World::find_obstacles() {
    obstacles_.clear();
    for (const Body& body : bodies_) {
        obstacles_.push_back(&terrain_->obstacles(body.radius_m));
        const bool blocked = obstacles_.back()->wall(lattice().cell_of(body.pose.position()));
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
    for (const Point& waypoint : command.path_body) {
        const Point to = transform(body.pose, waypoint);
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
        move.path.push_back(at);
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
        move.path.push_back(to.position());
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
    std::vector<std::uint8_t>& cells = grown.cells();
    const auto grow = [&](Cell c) {
        for (const Cell d : disc)
            if (grown.contains(c + d)) cells[grown.index(c + d)] = 1;
    };
    // Cells surrounded by walls are left out: a neighbour is nearer to every cell that they would block. The border is
    // a wall, too.
    const Cell low = walls.origin(), high = low + Cell{walls.width() - 1, walls.height() - 1};
    for (int x = low.x; x <= high.x; ++x) {
        if (!walls[{x, low.y}]) grow({x, low.y - 1});
        if (!walls[{x, high.y}]) grow({x, high.y + 1});
    }
    for (int y = low.y; y <= high.y; ++y) {
        if (!walls[{low.x, y}]) grow({low.x - 1, y});
        if (!walls[{high.x, y}]) grow({high.x + 1, y});
    }
    const CellBits open = open_bits(walls);
    for (int y = 0; y < open.height(); ++y)
        for (int w = 0; w < open.words(); ++w) {
            const auto word = [&](int row, int at) {
                return row < 0 || row >= open.height() || at < 0 || at >= open.words() ? 0 : open.row(row)[at];
            };
            const std::uint64_t here = open.row(y)[w], beside = here << 1 | word(y, w - 1) >> 63 | here >> 1 |
                                                                word(y, w + 1) << 63 | word(y - 1, w) | word(y + 1, w);
            const int columns = std::min(64, open.width() - 64 * w);
            for (std::uint64_t left = beside & ~here & (~std::uint64_t{0} >> (64 - columns)); left; left &= left - 1)
                grow(low + Cell{64 * w + std::countr_zero(left), y});
        }
    return grown;
}

}  // namespace outrider
