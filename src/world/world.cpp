#include "world/world.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/bits.hpp"
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

namespace {

/// Gives `label` to all open cells (blocked 0, label 0) connected with the seed; whole runs of a row at a time.
void flood(const Grid<std::uint8_t>& blocked, Grid<std::int32_t>& labels, Cell seed, std::int32_t label) {
    const auto open = [&](Cell c) { return blocked.contains(c) && !blocked[c] && labels[c] == 0; };
    std::vector<Cell> queue{seed};
    while (!queue.empty()) {
        const Cell c = queue.back();
        queue.pop_back();
        if (!open(c)) continue;
        Cell first = c, last = c;
        while (open(first - Cell{1, 0})) first.x--;
        while (open(last + Cell{1, 0})) last.x++;
        for (Cell i = first; i.x <= last.x; ++i.x) labels[i] = label;
        for (const int dy : {-1, 1})
            for (Cell i{first.x, c.y + dy}; i.x <= last.x; ++i.x)
                if (open(i) && !(i.x > first.x && open(i - Cell{1, 0}))) queue.push_back(i);
    }
}

}  // namespace

Grid<std::int32_t> label_components(const Grid<std::uint8_t>& blocked) {
    Grid<std::int32_t> labels(blocked.width(), blocked.height(), 0, blocked.lattice(), blocked.origin());
    std::int32_t next = 1;
    for (std::size_t i = 0; i < blocked.cells().size(); ++i)
        if (!blocked.cells()[i] && labels.cells()[i] == 0) flood(blocked, labels, blocked.cell(i), next++);
    return labels;
}

/// 64 cells at a time: bit i of word w of a row is the cell in column 64 w + i.
Grid<std::uint8_t> connected_cells(const Grid<std::uint8_t>& blocked, const std::vector<Cell>& seeds) {
    const int width = blocked.width(), height = blocked.height(), words = (width + 63) / 64;
    const auto index = [&](int row, int word) {
        return static_cast<std::size_t>(row) * static_cast<std::size_t>(words) + static_cast<std::size_t>(word);
    };
    std::vector<std::uint64_t> open(index(height, 0)), reached(open.size());
    const std::uint8_t* cell = blocked.cells().data();
    for (int row = 0; row < height; ++row)
        for (int word = 0; word < words; ++word) {
            const int count = std::min(64, width - 64 * word);
            open[index(row, word)] = ~nonzero_bits(cell, count) & (~std::uint64_t{0} >> (64 - count));
            cell += count;
        }
    std::vector<std::pair<int, int>> queue;
    const auto reach = [&](int row, int word, std::uint64_t bits) {
        if (row < 0 || row >= height || word < 0 || word >= words) return;
        std::uint64_t& before = reached[index(row, word)];
        const std::uint64_t now = before | fill_runs(bits & open[index(row, word)], open[index(row, word)]);
        if (now == before) return;
        before = now;
        queue.emplace_back(row, word);
    };
    for (const Cell c : seeds)
        if (blocked.contains(c)) {
            const Cell at = c - blocked.origin();
            reach(at.y, at.x >> 6, std::uint64_t{1} << (at.x & 63));
        }
    while (!queue.empty()) {
        const auto [row, word] = queue.back();
        queue.pop_back();
        const std::uint64_t bits = reached[index(row, word)];
        reach(row + 1, word, bits);
        reach(row - 1, word, bits);
        reach(row, word + 1, bits >> 63);
        reach(row, word - 1, bits << 63);
    }
    Grid<std::uint8_t> connected(width, height, 0, blocked.lattice(), blocked.origin());
    std::uint8_t* out = connected.cells().data();
    for (int row = 0; row < height; ++row)
        for (int word = 0; word < words; ++word) {
            const int count = std::min(64, width - 64 * word);
            write_bytes(reached[index(row, word)], count, out);
            out += count;
        }
    return connected;
}

}  // namespace outrider
