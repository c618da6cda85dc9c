#include "scenario/placement.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <span>
#include <tuple>

#include "outrider/ray.hpp"
#include "outrider/rng.hpp"
#include "scenario/team_centre.hpp"
#include "world/world.hpp"

namespace outrider {
namespace {

/// Obstacle grids by radius: teams have few kinds of bodies.
class Obstacles {
  public:
    explicit Obstacles(const Scenario& s) : scenario_(s) {}
    const Grid<std::uint8_t>& of(std::size_t robot) {
        const double radius = scenario_.robots[robot].body.radius_m;
        auto at = grids_.find(radius);
        if (at == grids_.end()) at = grids_.emplace(radius, obstacles_of(scenario_, robot)).first;
        return at->second;
    }

  private:
    const Scenario& scenario_;
    std::map<double, Grid<std::uint8_t>> grids_;
};

std::string metres(Point p) { return fmt::format("({:.2f}, {:.2f}) m", p.x, p.y); }

bool taken(const Scenario& s, std::size_t robot, Cell c) {
    for (std::size_t k = 0; k < s.robots.size(); ++k)
        if (k != robot && !std::isnan(s.robots[k].x_m) && s.start_cell(k) == c) return true;
    return false;
}

void put(Scenario& s, std::size_t robot, Cell c) {
    const Point p = s.walls.lattice().centre(c);
    s.robots[robot].x_m = p.x;
    s.robots[robot].y_m = p.y;
}

void check_given(Scenario& s, std::size_t robot, Obstacles& obstacles, Notes& notes) {
    RobotEntry& r = s.robots[robot];
    const Point at{r.x_m, r.y_m};
    const Cell c = s.start_cell(robot);
    if (!s.walls.contains(c))
        fail("{}: '{}' starts at {}, outside of the map ({:.2f} x {:.2f} m)", r.where, r.name, metres(at),
             s.walls.width() * s.map.cell_m, s.walls.height() * s.map.cell_m);
    if (s.walls[c]) fail("{}: '{}' starts at {}, in a wall", r.where, r.name, metres(at));
    if (obstacles.of(robot)[c])
        fail("{}: '{}' starts at {}, too close to a wall for its radius of {} m", r.where, r.name, metres(at),
             r.body.radius_m);
    for (std::size_t k = 0; k < robot; ++k) {
        if (std::isnan(s.robots[k].x_m) || s.start_cell(k) != c || s.robots[k].role == Role::base ||
            r.role == Role::base)
            continue;
        if (s.start.shared == SharedStart::forbid)
            fail("{}: '{}' and '{}' start in the same cell at {}; start.shared = \"allow\" permits it", r.where,
                 s.robots[k].name, r.name, metres(at));
        notes.push_back(fmt::format("'{}' and '{}' start in the same cell", s.robots[k].name, r.name));
        break;
    }
    put(s, robot, c);
}

/// Places robots around the centre of the team, one after the other: each on the nearest free cell that can be reached
/// from there and keeps half a metre from the others; one cell when crowded.
class Crowd {
  public:
    Crowd(Scenario& s, Obstacles& obstacles, Cell centre)
        : scenario_(s),
          obstacles_(obstacles),
          reachable_(connected_bits(open_bits(s.walls), std::span(&centre, 1))),
          taken_(s.walls.width(), s.walls.height(), s.walls.origin()),
          left_out_(left_out_cells(s)),
          centre_(centre) {
        for (std::size_t k = 0; k < s.robots.size(); ++k)
            if (!std::isnan(s.robots[k].x_m)) taken_.set(s.start_cell(k));
    }

    void place(std::size_t robot) {
        const int gap = std::max(1, static_cast<int>(std::lround(0.5 / scenario_.map.cell_m)));
        const Grid<std::uint8_t>& blocked = obstacles_.of(robot);
        for (const int apart : {gap, 1}) {
            // A place that was not free for a body stays so: the crowd only grows.
            std::size_t& next = next_[{scenario_.robots[robot].body.radius_m, apart}];
            while ((next < order_.size() || look_farther()) && (blocked[order_[next]] || crowded(order_[next], apart)))
                ++next;
            if (next == order_.size()) continue;
            const Cell c = order_[next];
            taken_.set(c);
            put(scenario_, robot, c);
            const Lattice& lattice = scenario_.walls.lattice();
            if (c != centre_)
                scenario_.robots[robot].yaw_deg = degrees(bearing(lattice.centre(centre_), lattice.centre(c)));
            return;
        }
        fail("{}: there is no free cell left near the base for '{}'", scenario_.name, scenario_.robots[robot].name);
    }

  private:
    /// Adds the reachable cells of the next ring, twice as wide as all before; false when there is none.
    bool look_farther() {
        while (radius_ < 2 * std::max(reachable_.width(), reachable_.height())) {
            const std::int64_t inner = radius_, outer = radius_ == 0 ? 32 : 2 * radius_;
            radius_ = outer;
            const auto before = static_cast<std::ptrdiff_t>(order_.size());
            const int r = static_cast<int>(outer);
            for (int dy = -r; dy <= r; ++dy)
                for (int dx = -r; dx <= r; ++dx) {
                    const std::int64_t d = std::int64_t{dx} * dx + std::int64_t{dy} * dy;
                    if (d > outer * outer || (inner > 0 && d <= inner * inner)) continue;
                    if (const Cell c = centre_ + Cell{dx, dy}; reachable_.test(c) && !left_out_.test(c))
                        order_.push_back(c);
                }
            std::sort(order_.begin() + before, order_.end(), [&](Cell a, Cell b) {
                return std::pair(squared_distance(a, centre_), a) < std::pair(squared_distance(b, centre_), b);
            });
            if (static_cast<std::ptrdiff_t>(order_.size()) > before) return true;
        }
        return false;
    }
    bool crowded(Cell c, int apart) const {
        for (int dy = 1 - apart; dy < apart; ++dy)
            for (int dx = 1 - apart; dx < apart; ++dx)
                if (dx * dx + dy * dy < apart * apart && taken_.test(c + Cell{dx, dy})) return true;
        return false;
    }

    Scenario& scenario_;
    Obstacles& obstacles_;
    CellBits reachable_, taken_, left_out_;
    Cell centre_;
    std::int64_t radius_ = 0;                             // cells up to here are in order_
    std::vector<Cell> order_;                             // reachable cells, from the centre outwards
    std::map<std::pair<double, int>, std::size_t> next_;  // by radius and distance: from where to look on
};

/// The centre of the team: beside a robot that has a place (a base station: with it), else in the middle of the map.
void place_first(Scenario& s, Obstacles& obstacles, Notes& notes) {
    const auto given =
        std::find_if(s.robots.begin(), s.robots.end(), [](const RobotEntry& r) { return !std::isnan(r.x_m); });
    if (given == s.robots.end()) {
        const auto widest = std::max_element(
            s.robots.begin(), s.robots.end(),
            [](const RobotEntry& a, const RobotEntry& b) { return a.body.radius_m < b.body.radius_m; });
        const Grid<std::uint8_t>& blocked = obstacles.of(static_cast<std::size_t>(widest - s.robots.begin()));
        if (std::find(blocked.cells().begin(), blocked.cells().end(), 0) == blocked.cells().end())
            fail("{}: there is no room for '{}' with its radius of {} m anywhere on the map", widest->where,
                 widest->name, widest->body.radius_m);
        return put(s, 0, team_centre(s, blocked, notes));
    }
    const Cell at = s.start_cell(static_cast<std::size_t>(given - s.robots.begin()));
    if (s.robots[0].role == Role::base && !obstacles.of(0)[at]) return put(s, 0, at);
    Crowd(s, obstacles, at).place(0);
}

/// Notes the chosen places; for a large team only the first ones.
void note_placed(const Scenario& s, const std::vector<std::size_t>& robots, Notes& notes) {
    if (robots.empty()) return;
    const std::size_t shown = robots.size() > 12 ? 6 : robots.size();
    std::string list;
    for (std::size_t k = 0; k < shown; ++k) {
        const RobotEntry& r = s.robots[robots[k]];
        list += fmt::format("{}{} {}", k > 0 ? ", " : "", r.name, metres({r.x_m, r.y_m}));
    }
    notes.push_back("placed " + list + (shown < robots.size() ? ", ..." : ""));
}

void scatter(Scenario& s, std::size_t robot, Obstacles& obstacles) {
    RobotEntry& r = s.robots[robot];
    if (r.role == Role::base) return;
    Rng rng(s.run.seed, static_cast<std::int64_t>(robot), Purpose::placement, 0);
    const Cell from = s.start_cell(robot);
    const auto span = static_cast<std::uint32_t>(2 * s.start.jitter_cells + 1);
    for (int tries = 0; s.start.jitter_cells > 0 && tries < 200; ++tries) {
        const Cell to = from + Cell{static_cast<int>(rng.below(span)), static_cast<int>(rng.below(span))} -
                        Cell{s.start.jitter_cells, s.start.jitter_cells};
        if (taken(s, robot, to)) continue;
        const bool free_path = walk_segment({from.x + 0.5, from.y + 0.5}, {to.x + 0.5, to.y + 0.5},
                                            [&](Cell c, double) { return obstacles.of(robot).get(c, 1) == 0; });
        if (!free_path) continue;
        put(s, robot, to);
        break;
    }
    if (s.start.random_heading) r.yaw_deg = rng.uniform(-180, 180);
}

}  // namespace

Grid<std::uint8_t> obstacles_of(const Scenario& s, std::size_t robot) {
    const double radius = s.robots[robot].body.radius_m;
    return radius > 0 ? grow_walls(s.walls, radius / s.map.cell_m) : s.walls;
}

void place_team(Scenario& s, Notes& notes) {
    Obstacles obstacles(s);
    for (std::size_t i = 0; i < s.robots.size(); ++i)
        if (!std::isnan(s.robots[i].x_m)) check_given(s, i, obstacles, notes);

    std::vector<std::size_t> placed;
    std::optional<Crowd> crowd;  // around the first one's start
    for (std::size_t i = 0; i < s.robots.size(); ++i) {
        if (!std::isnan(s.robots[i].x_m)) continue;
        if (i == 0) {
            place_first(s, obstacles, notes);
        } else {
            if (!crowd) crowd.emplace(s, obstacles, s.start_cell(0));
            crowd->place(i);
        }
        placed.push_back(i);
    }
    note_placed(s, placed, notes);
    for (RobotEntry& r : s.robots) r.placed = {r.x_m, r.y_m, r.yaw_deg};
    for (std::size_t i = 0; i < s.robots.size(); ++i) {
        const RobotEntry& r = s.robots[i];
        if (obstacles.of(i)[s.start_cell(i)])
            fail("{}: there is no room for '{}' with its radius of {} m at {}", r.where, r.name, r.body.radius_m,
                 metres({r.x_m, r.y_m}));
        scatter(s, i, obstacles);
    }
}

Scenario redrawn(Scenario s, std::uint64_t seed) {
    s.run.seed = seed;
    if (s.script) return s;  // its starts are those of the script
    for (RobotEntry& r : s.robots)
        if (r.placed) std::tie(r.x_m, r.y_m, r.yaw_deg) = std::tuple(r.placed->x_m, r.placed->y_m, r.placed->yaw_deg);
    Notes notes;
    place_team(s, notes);
    draw_layers(s);
    return s;
}

}  // namespace outrider
