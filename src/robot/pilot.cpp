#include "robot/pilot.hpp"

#include <algorithm>
#include <cmath>

#include "messages/decision.hpp"
#include "outrider/ray.hpp"
#include "plan/path_planner.hpp"
#include "robot/knowledge.hpp"

namespace outrider {
namespace {

double face_heading(const Belief& belief, Point from, const std::optional<Point>& face) {
    return wrap_angle(bearing(from, *face) - belief.pose().yaw);
}

Command standing(const Belief& belief, const std::optional<Point>& face) {
    Command command;
    command.speed_mps = belief.briefing().me().speed_mps;
    if (face && *face != belief.pose().position())
        command.final_heading = face_heading(belief, belief.pose().position(), face);
    return command;
}

/// The arc that constant velocities drive in one step, as a poly-line.
Command arc(const Drive& drive, const Belief& belief) {
    constexpr int parts = 16;
    const double step_s = belief.briefing().step_s;
    Command command;
    command.speed_mps = std::abs(drive.forward);
    command.final_heading = wrap_angle(drive.turn * step_s);
    Pose at;
    for (int i = 0; i < parts && drive.forward != 0; ++i) {
        const auto [s, c] = sin_cos(drive.turn * step_s * (i + 0.5) / parts);
        at.x += c * drive.forward * step_s / parts;
        at.y += s * drive.forward * step_s / parts;
        command.path_body.push_back(at.position());
    }
    return command;
}

/// The cell to drive to: that of the goal or, when it cannot be reached, the nearest one within the tolerance that can.
Cell reachable_goal(const Goto& go, const Belief& belief) {
    const Lattice& lattice = belief.map().lattice();
    const Cell goal = lattice.cell_of(go.goal);
    if (lattice.cells(go.tolerance_m) < 0.5 || belief.nav().reached(goal)) return goal;
    // Squares around the goal, as far as they lie on the map, until the next one is farther away than the best cell
    // found.
    const auto [low, high] = belief.nav().extent();
    const Cell first = low - goal, last = high - goal;
    const int nearest = std::max({1, first.x, first.y, -last.x, -last.y});
    const int farthest = std::max({-first.x, -first.y, last.x, last.y});
    Cell best;  // from the goal
    double least = go.tolerance_m;
    const auto look = [&](Cell d) {
        const double off = distance(lattice.centre(goal + d), go.goal);
        const bool better =
            off < least || (off == least && (best == Cell{} || std::pair(d.y, d.x) < std::pair(best.y, best.x)));
        if (!better || !belief.nav().reached(goal + d)) return;
        best = d;
        least = off;
    };
    for (int r = nearest; r <= farthest && lattice.metres(r - 0.5) <= least; ++r)
        for (int y = std::max(-r, first.y); y <= std::min(r, last.y); ++y)
            for (int x = std::max(-r, first.x), end = std::min(r, last.x); x <= end; ++x) {
                if (std::abs(y) < r && std::abs(x) < r) x = r;  // inside of the square: on to its right side
                if (x <= end) look({x, y});
            }
    return goal + best;
}

/// Whether the straight line from the robot to `to` is known to be free, with no wall within `clearance` cells of it.
bool free_path(const Belief& belief, Point to, int clearance) {
    const Lattice& lattice = belief.map().lattice();
    return walk_segment(lattice.to_cells(belief.pose().position()), lattice.to_cells(to), [&](Cell c, double) {
        if (c != belief.cell() && !belief.map().is_free(c)) return false;
        for (int dy = -clearance; dy <= clearance; ++dy)
            for (int dx = -clearance; dx <= clearance; ++dx)
                if (belief.map().is_occupied(c + Cell{dx, dy})) return false;
        return true;
    });
}

/// A heading change from 26 equally likely slots, a step that shortens with each failed try.
Command random_step(const Belief& belief, Rng& rng) {
    const Pose& pose = belief.pose();
    const double full = belief.speed_cells();
    for (int tries = 0; tries < 100; ++tries) {
        const std::uint32_t slot = rng.below(26);
        const double turn = slot == 0 ? -45 : slot <= 2 ? -22.5 : slot <= 22 ? 0 : slot <= 24 ? 22.5 : 45;
        const double length = std::max(std::min(3.0, full), full - tries) * belief.map().lattice().cell_m;
        // In front of a wall, all tries straight ahead would fail: later ones take any heading.
        const double heading = radians(turn) + (tries < 50 ? 0.0 : rng.uniform(-pi, pi));
        const auto [s, c] = sin_cos(pose.yaw + heading);
        const Point to{pose.x + length * c, pose.y + length * s};
        if (!free_path(belief, to, tries < 50 ? 3 : 1)) continue;
        Command command;
        command.speed_mps = belief.briefing().me().speed_mps;
        command.path_body = {into_body(pose, to)};
        return command;
    }
    Command command = standing(belief, {});
    command.final_heading = rng.uniform(-pi, pi);
    return command;
}

}  // namespace

Pilot::Result Pilot::follow(const Action& action, const Belief& belief, Rng& rng) {
    constexpr double moved_cells = 0.01;
    constexpr int patience = 3;
    const Percept& percept = belief.percept();
    const bool moved = norm(percept.motion.delta.position()) > moved_cells * belief.map().lattice().cell_m;
    const bool stopped = percept.bumped && !moved;
    held_ = stopped ? held_ + 1 : 0;
    jam_.look(belief.pose().position(), stopped, belief.map().lattice().cell_m);
    follow_trail(belief);
    Result path = choose(action, belief, rng);
    if (const auto out = jam_.way_out(trail_); out && path.goal && !path.command.path_body.empty()) {
        route_.clear();
        path.command = standing(belief, {});
        path.command.path_body = {into_body(belief.pose(), *out)};
        return path;
    }
    if (held_ < patience || !path.goal || path.command.path_body.empty()) return path;
    // Where its pose or its map is a little wrong, the same way ends at the same corner of a wall for ever.
    route_.clear();
    const bool back = trail_.size() > 1 && held_ % 2 == patience % 2;
    path.command = back ? go_back(belief) : random_step(belief, rng);
    return path;
}

/// Where poses err, notes where the robot drove: it came through there, whatever its map says.
void Pilot::follow_trail(const Belief& belief) {
    constexpr std::size_t longest = 50;
    if (!BeliefOf::knowledge(belief).matches_scans) return;
    const Point here = belief.pose().position();
    if (!trail_.empty() && distance(trail_.back(), here) < belief.map().lattice().cell_m) return;
    trail_.push_back(here);
    if (trail_.size() > longest) trail_.erase(trail_.begin());
}

/// Back along the trail, as far as a step drives.
Command Pilot::go_back(const Belief& belief) const {
    Command command;
    command.speed_mps = belief.briefing().me().speed_mps;
    double left = belief.speed_cells() * belief.map().lattice().cell_m;
    Point last = belief.pose().position();
    for (std::size_t i = trail_.size(); i-- > 0 && left > 0;) {
        left -= distance(last, trail_[i]);
        last = trail_[i];
        command.path_body.push_back(into_body(belief.pose(), last));
    }
    return command;
}

Pilot::Result Pilot::choose(const Action& action, const Belief& belief, Rng& rng) {
    if (const auto* go = std::get_if<Goto>(&action)) return go_to(*go, belief);
    if (const auto* path = std::get_if<Follow>(&action)) {
        if (path->path.empty()) return {standing(belief, path->face), {}, false};
        if (route_ != path->path) {
            start(path->path, belief);
            clear_ = route_.size();  // as the strategy asked for it
            next_ = nearest(belief);
            checked_version_ = ~std::uint64_t{0};
        }
        if (blocked(belief)) {
            Result halt{standing(belief, path->face), belief.map().lattice().centre(route_.back()), true};
            route_.clear();
            return halt;
        }
        return along(path->face, belief);
    }
    route_.clear();
    if (const auto* drive = std::get_if<Drive>(&action)) return {arc(*drive, belief), {}, false};
    if (std::holds_alternative<RandomStep>(action)) return {random_step(belief, rng), {}, false};
    return {standing(belief, std::get<Stay>(action).face), {}, false};
}

Pilot::Result Pilot::go_to(const Goto& intent, const Belief& belief) {
    const Cell goal = reachable_goal(intent, belief);
    if (belief.cell() == goal || distance(belief.pose().position(), intent.goal) <= intent.tolerance_m) {
        route_.clear();
        return {standing(belief, intent.face), intent.goal, false};
    }
    if (route_.empty() || route_.back() != goal || belief.percept().bumped || blocked(belief)) {
        const Path& path = belief.path_to(goal);
        if (!path) {
            route_.clear();
            return {standing(belief, intent.face), intent.goal, true};
        }
        start(path.cells, belief);
    }
    keep_clear(belief);
    return along(intent.face, belief);
}

void Pilot::start(std::vector<Cell> route, const Belief& belief) {
    route_ = std::move(route);
    next_ = clear_ = 0;
    checked_version_ = belief.map().version();
}

/// Replaces the next stretch of the route, about four steps long, by one that keeps clear of walls where it can. The
/// rest can wait: most routes are given up before their end.
void Pilot::keep_clear(const Belief& belief) {
    advance(belief);
    const auto step = static_cast<std::size_t>(std::ceil(belief.speed_cells()));
    if (clear_ >= std::min(next_ + step, route_.size())) return;
    const std::size_t end = std::min(next_ + 4 * step, route_.size() - 1);
    const Path stretch = belief.clear_path(belief.cell(), route_[end]);
    if (stretch) {
        route_.erase(route_.begin(), route_.begin() + static_cast<std::ptrdiff_t>(end) + 1);
        route_.insert(route_.begin(), stretch.cells.begin(), stretch.cells.end());
        next_ = 0;
        clear_ = stretch.cells.size();
    } else {
        clear_ = end + 1;
    }
}

/// Whether a wall that became known stands on the rest of the route.
bool Pilot::blocked(const Belief& belief) {
    if (checked_version_ == belief.map().version()) return false;
    checked_version_ = belief.map().version();
    const bool disc = belief.briefing().radius_m > 0;
    const KnownMap& map = belief.map();
    const CellTile* tile = nullptr;  // that the cell lies in; a route stays in a tile for long
    for (std::size_t i = next_; i < route_.size(); ++i) {
        const Cell c = route_[i];
        if (i == next_ || tile_of(c) != tile_of(route_[i - 1])) tile = map.tile(tile_of(c));
        if ((tile && tile->occupied.test(c)) || (disc && !belief.nav().traversable(c))) return true;
    }
    return false;
}

/// The cell of the route that is nearest to the robot.
std::size_t Pilot::nearest(const Belief& belief) const {
    const Lattice& lattice = belief.map().lattice();
    const auto gap = [&](Cell c) { return distance(belief.pose().position(), lattice.centre(c)); };
    const auto least = std::min_element(route_.begin(), route_.end(), [&](Cell a, Cell b) { return gap(a) < gap(b); });
    return static_cast<std::size_t>(least - route_.begin());
}

/// Moves on to the way point that lies ahead of where the last step ended.
void Pilot::advance(const Belief& belief) {
    const Lattice& lattice = belief.map().lattice();
    const Point here = belief.pose().position();
    const auto gap = [&](std::size_t i) { return distance(here, lattice.centre(route_[i])); };
    const std::size_t end =
        std::min(route_.size(), next_ + 2 + static_cast<std::size_t>(std::ceil(2 * belief.speed_cells())));
    std::size_t nearest = std::min(next_, route_.size() - 1);
    double least = gap(nearest);
    for (std::size_t i = nearest + 1; i < end; ++i)
        if (const double g = gap(i); g <= least) {
            least = g;
            nearest = i;
        }
    next_ = nearest;
    if (next_ + 1 < route_.size() &&
        gap(next_ + 1) <= distance(lattice.centre(route_[next_]), lattice.centre(route_[next_ + 1])) + 1e-9)
        ++next_;
}

/// The next stretch of the route: a little more than a step can drive.
Pilot::Result Pilot::along(const std::optional<Point>& face, const Belief& belief) {
    advance(belief);
    const Lattice& lattice = belief.map().lattice();
    const Point goal = lattice.centre(route_.back());
    Command command;
    command.speed_mps = belief.briefing().me().speed_mps;
    const SinCos yaw = sin_cos(belief.pose().yaw);
    const Point origin = belief.pose().position();
    double left = (belief.speed_cells() + 1) * lattice.cell_m;
    Point last = origin;
    const auto add = [&](Point p) {
        left -= distance(last, p);
        last = p;
        const Point d = p - origin;
        command.path_body.push_back({yaw.cos * d.x + yaw.sin * d.y, yaw.cos * d.y - yaw.sin * d.x});
    };
    // From beside the route a straight line to it may cut a corner; from the middle of the own cell it does not.
    if (!free_path(belief, lattice.centre(route_[next_]), 0)) add(lattice.centre(belief.cell()));
    std::span<const Cell> ahead = std::span(route_).subspan(next_);
    std::vector<Cell> cut;
    if (belief.any_angle()) {
        // Only as far as the route has been made to keep clear of walls: corners beyond do not matter yet.
        ahead = ahead.first(std::clamp<std::size_t>(clear_ - std::min(clear_, next_), 1, ahead.size()));
        ahead = cut = outrider::any_angle(belief.nav(), lattice.to_cells(last), ahead);
    }
    std::size_t i = 0;
    for (; i < ahead.size() && left > 0; ++i) add(lattice.centre(ahead[i]));
    if (i == ahead.size() && ahead.back() == route_.back() && face && *face != goal)
        command.final_heading = face_heading(belief, goal, face);
    return {std::move(command), goal, false};
}

}  // namespace outrider
