#include "role_based/rendezvous.hpp"

#include <algorithm>
#include <cmath>

#include "outrider/briefing.hpp"
#include "outrider/path.hpp"
#include "outrider/radio.hpp"
#include "outrider/ray.hpp"

namespace outrider {
namespace {

constexpr double near_focus_cells = 600;  // candidates farther from the next frontier are left out
constexpr std::size_t looked_at = 4;      // of those, by straight distance
constexpr double snap_cells = 100;        // of a point between two relays
constexpr double least_saving = 0.8;      // of the way of a relay, for a point beyond a wall
constexpr int rays = 16;
constexpr std::size_t linked_looked_at = 25;
constexpr double nearby_cells = 25;    // a goal within this distance does not count as another place
constexpr double utility_cells = 100;  // from the frontier
constexpr std::size_t utility_looked_at = 50;

double straight(Cell a, Cell b) { return std::sqrt(static_cast<double>(squared_distance(a, b))); }

/// Path lengths in cells from one place to others; where no path is known, the straight distance.
class PathLengths {
  public:
    PathLengths(const Belief& belief, Cell from, std::vector<Cell> goals)
        : from_(from), goals_(std::move(goals)), search_(belief.search(from, goals_)) {}
    double to(std::size_t goal) {
        if (search_.find(goal) == PathStatus::found) return search_.cost(goal) / static_cast<double>(straight_cost);
        return octile_cost(from_, goals_[goal]) / static_cast<double>(straight_cost);
    }

  private:
    Cell from_;
    std::vector<Cell> goals_;
    PathSearch search_;
};

struct Points {
    Cell child, parent, backup;
};

/// The best two of the key points near the focus by degree^2 / way.
Points at_junctions(const Belief& belief, const MeetingQuery& query, MeetingPlan& plan) {
    std::vector<KeyPoint> near = find_key_points(belief.skeleton(), belief.map());
    std::erase_if(near, [&](const KeyPoint& k) {
        return straight(k.cell, query.focus) > near_focus_cells || !belief.nav().reached(k.cell);
    });
    std::stable_sort(near.begin(), near.end(), [&](const KeyPoint& a, const KeyPoint& b) {
        return squared_distance(a.cell, query.focus) < squared_distance(b.cell, query.focus);
    });
    plan.candidates = near;
    near.resize(std::min(near.size(), looked_at));
    if (near.empty()) return {query.child, query.child, query.child};
    std::vector<Cell> cells;
    for (const KeyPoint& k : near) cells.push_back(k.cell);
    PathLengths paths(belief, query.focus, cells);
    for (std::size_t i = 0; i < near.size(); ++i)
        plan.utilities.push_back(near[i].degree * near[i].degree * 1e4 / std::max(1.0, paths.to(i)));
    const auto best_but = [&](std::size_t not_this) {
        std::size_t best = not_this == 0 && near.size() > 1 ? 1 : 0;
        for (std::size_t i = 0; i < near.size(); ++i)
            if (i != not_this && plan.utilities[i] > plan.utilities[best]) best = i;
        return best;
    };
    const std::size_t first = best_but(near.size()), second = best_but(first);
    return {near[first].cell, near[first].cell, near[second].cell};
}

/// Of two relays: the middle of the way from the report point to the focus, at a key point within 100 cells' way.
Points in_the_middle(const Belief& belief, const MeetingQuery& query, MeetingPlan& plan) {
    PathSearch search = belief.search(query.report, {&query.focus, 1});
    Cell middle = query.child;
    if (search.find(0) == PathStatus::found) {
        const Path path = search.path(0);
        middle = path.cells[path.cells.size() / 2];
    }
    plan.candidates = find_key_points(belief.skeleton(), belief.map());
    std::vector<Cell> cells;
    for (const KeyPoint& k : plan.candidates)
        if (straight(k.cell, middle) <= snap_cells && belief.nav().reached(k.cell)) cells.push_back(k.cell);
    PathSearch snap = belief.search(middle, cells);
    const int nearest = snap.find_next();
    if (nearest >= 0 && snap.cost(static_cast<std::size_t>(nearest)) <= snap_cells * straight_cost)
        return {cells[static_cast<std::size_t>(nearest)], cells[static_cast<std::size_t>(nearest)], middle};
    return {middle, middle, middle};
}

/// K.2: the parent on the far side of a wall, when that saves it a fifth of its way.
Cell beyond_wall(const Belief& belief, const MeetingQuery& query, Cell point) {
    const MapView map = belief.map();
    const RadioOptions& radio = belief.briefing().radio;
    std::vector<Cell> rim;
    for (int k = 0; k < rays; ++k) {
        const auto [s, c] = sin_cos(2 * pi * k / rays);
        Cell last = point;
        bool behind = false;
        walk_ray(Ray({point.x + 0.5, point.y + 0.5}, {c, s}), map.lattice().cells(query.range_m / 2),
                 [&](Cell at, double) {
                     if (!map.is_free(at)) behind = true;
                     if (!believed_linked(map, radio, query.range_m / 2, point, at)) return false;
                     if (behind && belief.nav().reached(at)) last = at;
                     return true;
                 });
        if (last != point) rim.push_back(last);
    }
    if (rim.empty()) return point;
    const double straight_path = path_cells(belief, query.report, point);
    PathSearch search = belief.search(query.report, rim);
    const int best = search.find_next();
    if (best < 0) return point;
    const double other_path = search.cost(static_cast<std::size_t>(best)) / static_cast<double>(straight_cost);
    const double reach = straight_path - map.lattice().cells(query.range_m);
    return reach > 0 && other_path <= least_saving * reach ? rim[static_cast<std::size_t>(best)] : point;
}

/// The sampled points and those of them that the radio should reach from some place.
struct Samples {
    const Belief& belief;
    double range_m;
    std::vector<Cell> all;

    Samples(const Belief& b, const RendezvousOptions& options, const MeetingQuery& query)
        : belief(b), range_m(query.range_m), all(sample_reached(b, options.cells_per_sample)) {}
    /// The place itself first.
    std::vector<Cell> linked(Cell place) const {
        const RadioOptions& radio = belief.briefing().radio;
        const double reach = belief.map().lattice().cells(max_link_m(radio, range_m));
        std::vector<Cell> out{place};
        for (const Cell c : all)
            if (c != place && straight(c, place) <= reach && believed_linked(belief.map(), radio, range_m, place, c))
                out.push_back(c);
        return out;
    }
};

struct Linked {
    Cell cell;
    std::uint32_t cost;  ///< of the way to where the base should be heard
};

/// K.3: of the points in radio reach of the child's, the one with the shortest path to where the base should be heard.
Linked nearest_linked(const Belief& belief, const std::vector<Cell>& near_base, const std::vector<Cell>& linked) {
    const auto bound = [&](Cell c) {
        std::uint32_t least = no_bound;
        for (const Cell b : near_base) least = std::min(least, octile_cost(b, c));
        return least;
    };
    std::vector<std::pair<std::uint32_t, Cell>> order;
    for (const Cell c : linked) order.emplace_back(bound(c), c);
    std::sort(order.begin(), order.end());
    order.resize(std::min(order.size(), linked_looked_at));
    std::uint32_t least = no_bound;
    Cell best = linked.front();
    for (const auto& [lower, c] : order) {
        if (lower >= least) break;
        PathSearch search = belief.search(c, near_base);
        const int nearest = search.find_next();
        if (nearest < 0 || search.cost(static_cast<std::size_t>(nearest)) >= least) continue;
        least = search.cost(static_cast<std::size_t>(nearest));
        best = c;
    }
    return {best, least};
}

/// Mode frontier: the end from which the relay, having reported, gets most time at some other frontier before the
/// meeting; the point itself when no other leaves it any.
Cell with_most_time(const Belief& belief, const RendezvousOptions& options, const MeetingQuery& query,
                    const std::vector<Cell>& linked, Cell point) {
    if (query.frontiers.empty()) return point;
    PathLengths from_report(belief, query.report, query.frontiers);
    PathLengths to_report(belief, query.parent, {query.report}), from_focus(belief, query.focus, {point, query.child});
    const double now = belief.step();
    const int time = meeting_time(options, query, belief.step(), 0, 0, from_focus.to(1), from_focus.to(0));
    Cell best = point;
    double most = 0;
    for (std::size_t f = 0; f < query.frontiers.size(); ++f) {
        PathLengths on(belief, query.frontiers[f], linked);
        const double there = now + (to_report.to(0) + from_report.to(f)) / query.parent_speed;
        for (std::size_t i = 0; i < std::min(linked.size(), linked_looked_at); ++i) {
            const double left = time - there - on.to(i) / query.parent_speed;
            if (left <= most) continue;
            most = left;
            best = linked[i];
        }
    }
    return best;
}

/// Mode utility: both ends, by 1 / (2 way to the frontier + way to the base), less when a wall is between them.
Points by_utility(const Belief& belief, const Samples& samples, const MeetingQuery& query,
                  const std::vector<Cell>& near_base, const Points& points) {
    std::vector<Cell> near;
    for (const Cell c : samples.all)
        if (straight(c, query.focus) <= utility_cells) near.push_back(c);
    std::stable_sort(near.begin(), near.end(), [&](Cell a, Cell b) {
        return squared_distance(a, query.focus) < squared_distance(b, query.focus);
    });
    near.resize(std::min(near.size(), utility_looked_at));
    PathLengths paths(belief, query.focus, near);
    Points best = points;
    double most = 0;
    for (std::size_t i = 0; i < near.size(); ++i) {
        const Linked end = nearest_linked(belief, near_base, samples.linked(near[i]));
        if (end.cost == no_bound) continue;
        const double wall = believed_walls(belief.map(), near[i], end.cell) > 0 ? 0.9 : 1;
        const double utility =
            wall * 1e4 / std::max(1.0, 2 * paths.to(i) + end.cost / static_cast<double>(straight_cost));
        if (utility <= most) continue;
        most = utility;
        best = {near[i], end.cell, near[i]};
    }
    return best;
}

Points at_two_points(const Belief& belief, const RendezvousOptions& options, const MeetingQuery& query, Points points,
                     MeetingPlan& plan) {
    const Samples samples(belief, options, query);
    const std::vector<Cell> near_base = samples.linked(query.report), linked = samples.linked(points.child);
    plan.linked = linked;
    switch (options.mode) {
        case MultiPointMode::near_base:
            points.parent = nearest_linked(belief, near_base, linked).cell;
            break;
        case MultiPointMode::frontier:
            points.parent = with_most_time(belief, options, query, linked, points.child);
            break;
        case MultiPointMode::utility:
            return by_utility(belief, samples, query, near_base, points);
    }
    return points;
}

/// Both ends at once: of key points and sampled points, the two in good radio reach of each other (3 dB above the
/// cutoff, by the own map) for which the explorer's path from its frontier and the relay's path from its report add up
/// to the least.
Points jointly(const Belief& belief, const RendezvousOptions& options, const MeetingQuery& query, Points points) {
    constexpr double margin_db = 3;
    const RadioOptions& radio = belief.briefing().radio;
    const double reach = belief.map().lattice().cells(max_link_m(radio, query.range_m));
    const auto linked = [&](Cell a, Cell b) {
        if (a == b) return true;
        if (straight(a, b) > reach) return false;
        if (radio.model != RadioModel::path_loss) return believed_linked(belief.map(), radio, query.range_m, a, b);
        return believed_signal_dbm(belief.map(), radio, query.range_m, a, b) >= radio.cutoff_dbm + margin_db;
    };
    std::vector<Cell> cells = sample_reached(belief, options.cells_per_sample);
    for (const KeyPoint& k : find_key_points(belief.skeleton(), belief.map()))
        if (belief.nav().reached(k.cell)) cells.push_back(k.cell);
    cells.push_back(points.child);
    // By way: from the focus for the explorer's end, from the report for the relay's.
    using Path = std::pair<std::uint32_t, Cell>;
    const auto paths_from = [&](Cell from) {
        std::vector<Path> out;
        PathSearch search = belief.search(from, cells);
        for (int k = search.find_next(); k >= 0; k = search.find_next())
            out.emplace_back(search.cost(static_cast<std::size_t>(k)), cells[static_cast<std::size_t>(k)]);
        return out;
    };
    const std::vector<Path> child = paths_from(query.focus), parent = paths_from(query.report);
    std::uint64_t least = ~std::uint64_t{0};
    for (const auto& [child_cost, c] : child) {
        if (child_cost >= least) break;
        for (const auto& [parent_cost, p] : parent) {
            if (std::uint64_t{child_cost} + parent_cost >= least) break;
            if (!linked(c, p)) continue;
            least = std::uint64_t{child_cost} + parent_cost;
            points = {c, p, c};
        }
    }
    return points;
}

Points choose_points(const Belief& belief, const RendezvousOptions& options, const MeetingQuery& query,
                     MeetingPlan& plan) {
    if (query.between) return in_the_middle(belief, query, plan);
    if (options.kind == RendezvousKind::simple) {
        // As in MRESim: where it turned back may be far from there by now, when the two met by chance.
        const bool elsewhere = straight(query.child, query.focus) > nearby_cells;
        const Cell at = elsewhere ? query.focus : query.turned_back.value_or(query.focus);
        return {at, at, at};
    }
    Points points = at_junctions(belief, query, plan);
    if (options.kind == RendezvousKind::through_walls) points.parent = beyond_wall(belief, query, points.child);
    if (options.kind == RendezvousKind::multi_point) points = at_two_points(belief, options, query, points, plan);
    if (options.kind == RendezvousKind::joint) points = jointly(belief, options, query, points);
    if (points.parent != points.child) points.backup = points.child;  // face to face
    return points;
}

}  // namespace

int meeting_time(const RendezvousOptions& options, const MeetingQuery& query, int now, double parent_to_report,
                 double report_to_point, double child_to_focus, double focus_to_point) {
    const double parent = std::max(now + parent_to_report / query.parent_speed, double(query.parent_ready)) +
                          report_to_point / query.parent_speed;
    const double child = std::max(now + child_to_focus / query.child_speed, double(query.child_ready)) +
                         query.child_stays + focus_to_point / query.child_speed;
    return std::max({now + options.least_steps, whole_below(parent), whole_below(child)});
}

double path_cells(const Belief& belief, Cell from, Cell to) {
    return from == to ? 0 : PathLengths(belief, from, {to}).to(0);
}

MeetingPlan plan_meeting(const Belief& belief, const RendezvousOptions& options, const MeetingQuery& query) {
    MeetingPlan plan;
    const Points points = choose_points(belief, options, query, plan);
    Meeting& m = plan.meeting;
    m.child_point = points.child;
    m.parent_point = points.parent;
    m.wait = options.wait_steps;
    PathLengths from_focus(belief, query.focus, {points.child, query.child});
    PathLengths from_report(belief, query.report, {points.parent, query.parent});
    m.time = meeting_time(options, query, belief.step(), from_report.to(1), from_report.to(0), from_focus.to(1),
                          from_focus.to(0));
    m.backup = points.backup;
    const double to_backup = std::max(path_cells(belief, points.child, points.backup) / query.child_speed,
                                      path_cells(belief, points.parent, points.backup) / query.parent_speed);
    m.backup_time = m.end() + whole(std::ceil(to_backup));
    return plan;
}

Cell nearer_end(const Belief& belief, const RendezvousOptions& options, Cell own_end, Cell partner_end,
                double range_m) {
    std::vector<Cell> ends{own_end};
    for (const Cell c : sample_reached(belief, options.cells_per_sample))
        if (c != own_end && believed_linked(belief.map(), belief.briefing().radio, range_m, partner_end, c))
            ends.push_back(c);
    PathSearch search = belief.search(belief.cell(), ends);
    const int nearest = search.find_next();
    return nearest < 0 ? own_end : ends[static_cast<std::size_t>(nearest)];
}

Cell best_signal_near(const Belief& belief, Cell partner_end, double range_m) {
    const MapView map = belief.map();
    const RadioOptions& radio = belief.briefing().radio;
    const Cell here = belief.cell();
    const int reach = whole(belief.speed_cells());
    Cell best = here;
    double most = believed_signal_dbm(map, radio, range_m, here, partner_end);
    for (int dy = -reach; dy <= reach; ++dy)
        for (int dx = -reach; dx <= reach; ++dx) {
            const Cell c = here + Cell{dx, dy};
            if (!belief.nav().reached(c) || believed_walls(map, here, c) > 0) continue;
            const double signal = believed_signal_dbm(map, radio, range_m, c, partner_end);
            if (signal <= most) continue;
            most = signal;
            best = c;
        }
    return best;
}

Point sobol(std::uint32_t k) {
    // Dimension 1: all direction numbers 1. Dimension 2: primitive polynomial x + 1, m_1 = 1 (Bratley & Fox 1988).
    std::uint32_t x = 0, y = 0, gray = k ^ (k >> 1), vx = 1u << 31, vy = 1u << 31;
    for (; gray != 0; gray >>= 1) {
        if (gray & 1) {
            x ^= vx;
            y ^= vy;
        }
        vx >>= 1;
        vy ^= vy >> 1;
    }
    return {x / 4294967296.0, y / 4294967296.0};
}

std::vector<Cell> sample_reached(const Belief& belief, double cells_per_sample) {
    const NavView nav = belief.nav();
    std::int64_t reached = 0;
    Cell low{1 << 26, 1 << 26}, high{-(1 << 26), -(1 << 26)};  // of blocks
    belief.map().for_each_block([&](Cell block) {
        for (int row = 0; row < 64; ++row) reached += std::popcount(nav.reached_word(block + Cell{0, row}));
        low = {std::min(low.x, block.x), std::min(low.y, block.y)};
        high = {std::max(high.x, block.x), std::max(high.y, block.y)};
    });
    std::vector<Cell> out;
    if (reached == 0) return out;
    const double width = high.x - low.x + 64, height = high.y - low.y + 64;
    const auto wanted = whole<std::size_t>(std::ceil(static_cast<double>(reached) / cells_per_sample));
    // One in so many points of the box is reached: the loop ends with twice the number expected at the latest.
    const double all = 2 * width * height / static_cast<double>(reached) * static_cast<double>(wanted) + 64;
    for (std::uint32_t k = 1; out.size() < wanted && k < all; ++k) {
        const Point p = sobol(k);
        const Cell c = low + Cell{static_cast<int>(p.x * width), static_cast<int>(p.y * height)};
        if (nav.reached(c)) out.push_back(c);
    }
    return out;
}

}  // namespace outrider
