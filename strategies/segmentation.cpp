// Exploration by segments (K. Wurm, C. Stachniss & W. Burgard, IROS 2008): the known space is cut at its narrow places,
// robots are assigned to segments by the Hungarian method, and within a segment to frontiers by utility.
#include <fmt/core.h>

#include <algorithm>

#include "outrider/ray.hpp"
#include "outrider/skeleton.hpp"
#include "shared/team_plan.hpp"
#include "shared/utility_sharing.hpp"

namespace outrider::segmentation_strategy {
namespace {

struct SegmentationOptions {
    TeamPursuit::Options course;
    double door_clearance_m = 1;
    double rise = 0.1;
    double stay = 0.5;
    double beta = 1;
    int segment_period_steps = 45;

    void fields(Fields& f) {
        course.fields(f);
        f("door_clearance_m", door_clearance_m, 0, 5, "places farther from walls are not narrow");
        f("rise", rise, 0, 10, "share by which it has to get wider on both sides of a narrow place");
        f("stay", stay, 0, 1, "paths to frontiers of the segment that a robot is in count so many times");
        f("beta", beta, 0, 1000, "within a segment: what the longest path counts against utility");
        f("segment_period_steps", segment_period_steps, 1, 10000, "cut the map anew so often");
    }
};

/// The segments with something left to explore.
struct Rooms {
    std::vector<int> of_frontier;  ///< index into `frontiers` below, for each frontier
    std::vector<int> of_robot;     ///< likewise by row; -1: in none of them
    std::vector<std::vector<std::size_t>> frontiers;
};

/// Path lengths from all robots to all goals, searched only on demand: most robots never need those to distant rooms.
class PathCosts {
  public:
    PathCosts(const Belief& belief, const std::vector<Participant>& team, const std::vector<Cell>& goals)
        : found_(team.size(), goals.size()) {
        for (const Participant& p : team) searches_.push_back(belief.search(p.cell, goals));
    }
    /// The nearest goal of a robot that was not given before; -1: none is left.
    int next(std::size_t robot) {
        const int goal = searches_[robot].find_next();
        if (goal >= 0) note(robot, static_cast<std::size_t>(goal));
        return goal;
    }
    /// In cells; no_way where there is none.
    double to(std::size_t robot, std::size_t goal) {
        if (found_(robot, goal) == no_path && searches_[robot].find(goal) == PathStatus::found) note(robot, goal);
        return found_(robot, goal);
    }
    std::size_t robots() const { return searches_.size(); }

  private:
    void note(std::size_t robot, std::size_t goal) {
        found_(robot, goal) = searches_[robot].cost(goal) / double(straight_cost);
    }
    std::vector<PathSearch> searches_;
    CostMatrix found_;
};

class Segmentation final : public Strategy {
  public:
    static constexpr Traits traits{.explores = true};
    static constexpr const char* summary =
        "assigns robots to rooms by the Hungarian method, then shares out frontiers (Wurm)";
    using Options = SegmentationOptions;
    explicit Segmentation(const Options& options)
        : options_(options), pursuit_(options.course), visibility_(Visibility::linear) {}

    Intent choose(const Belief& belief, Rng& rng) override {
        return pursuit_.step(belief, rng,
                             [&](const std::vector<Frontier>& frontiers) { return share(belief, frontiers); });
    }

  private:
    TeamPursuit::Shares share(const Belief& belief, const std::vector<Frontier>& frontiers) {
        std::vector<Participant> team = participants(belief, options_.course.mates);
        const std::vector<Cell> goals = goals_of(frontiers);
        cut(belief);
        const Rooms rooms = find_rooms(belief, team, goals);
        PathCosts paths(belief, team, goals);
        const std::vector<int> room_of = assign_rooms(rooms, paths);

        std::vector<int> assigned(team.size(), -1);
        std::vector<double> utilities(frontiers.size(), 1);
        for (std::size_t room = 0; room < rooms.frontiers.size(); ++room)
            share_room(belief, rooms.frontiers[room], static_cast<int>(room), room_of, paths, goals, assigned,
                       utilities);
        if (belief.overlays_wanted()) {
            std::vector<Overlay> why = assignment_overlays(
                belief, frontiers, std::move(utilities), "utility left in its segment",
                fmt::format("{} segments with frontiers: Hungarian, then utility - path", rooms.frontiers.size()), team,
                assigned);
            for (const CriticalPoint& d : doors_)
                why.push_back(
                    Overlay::polyline(Overlay::Meaning::region, "doors",
                                      {belief.map().lattice().centre(d.left), belief.map().lattice().centre(d.right)}));
            pursuit_.explain(std::move(why));
        }
        return {std::move(team), std::move(assigned)};
    }

    /// Only from time to time: cutting a map costs more than all the rest.
    void cut(const Belief& belief) {
        if (segments_ && belief.step() - cut_at_ < options_.segment_period_steps) return;
        cut_at_ = belief.step();
        const double narrow = belief.map().lattice().cells(options_.door_clearance_m);
        // No farther than needed for doors.
        const int horizon = std::min(max_horizon_cells, whole(narrow * (1 + options_.rise)) + 2);
        doors_ = find_critical_points(belief.skeleton(), belief.wall_distance(horizon), narrow, options_.rise);
        segments_.emplace(belief.nav(), doors_);
    }

    /// The segment of a cell; of one that was not known when the map was cut, that of the nearest cell that was,
    /// looking along free cells in 16 directions; -1: none.
    int segment_of(const Belief& belief, Cell c) const {
        if (const int known = segments_->of(c); known >= 0) return known;
        int nearest = -1;
        double least = 2 * sensor_range_cells(belief);
        for (int k = 0; k < 16; ++k) {
            const auto [sin, cos] = sin_cos(2 * pi * k / 16);
            walk_ray(Ray({c.x + 0.5, c.y + 0.5}, {cos, sin}), least, [&](Cell at, double t) {
                if (!belief.map().is_free(at)) return false;
                const int here = segments_->of(at);
                if (here < 0) return true;
                if (t < least) {
                    nearest = here;
                    least = t;
                }
                return false;
            });
        }
        return nearest;
    }

    Rooms find_rooms(const Belief& belief, const std::vector<Participant>& team, const std::vector<Cell>& goals) const {
        Rooms rooms;
        std::vector<int> label;  // segment of each room; -1: what lies in none
        const auto room = [&](int segment) {
            const auto at = std::find(label.begin(), label.end(), segment);
            return at == label.end() ? -1 : static_cast<int>(at - label.begin());
        };
        for (std::size_t g = 0; g < goals.size(); ++g) {
            const int segment = segment_of(belief, goals[g]);
            if (room(segment) < 0) {
                label.push_back(segment);
                rooms.frontiers.emplace_back();
            }
            rooms.of_frontier.push_back(room(segment));
            rooms.frontiers[static_cast<std::size_t>(room(segment))].push_back(g);
        }
        for (const Participant& p : team) {
            const int segment = segment_of(belief, p.cell);
            rooms.of_robot.push_back(segment < 0 ? -1 : room(segment));
        }
        return rooms;
    }

    /// The room of each robot. With more robots than rooms, a room takes up to as many as it has frontiers.
    std::vector<int> assign_rooms(const Rooms& rooms, PathCosts& paths) const {
        std::vector<int> room_of_column;
        for (std::size_t copy = 0; copy == 0 || room_of_column.size() < paths.robots(); ++copy) {
            const std::size_t before = room_of_column.size();
            for (std::size_t room = 0; room < rooms.frontiers.size(); ++room)
                if (rooms.frontiers[room].size() > copy) room_of_column.push_back(static_cast<int>(room));
            if (room_of_column.size() == before) break;
        }
        CostMatrix costs(paths.robots(), room_of_column.size());
        for (std::size_t r = 0; r < paths.robots(); ++r) {
            const std::vector<double> to_room = nearest_rooms(rooms, paths, r);
            for (std::size_t c = 0; c < room_of_column.size(); ++c) {
                costs(r, c) = to_room[static_cast<std::size_t>(room_of_column[c])];
                // A team-mate may see its room but have no path into it: 0 times no_way is no cost.
                if (rooms.of_robot[r] == room_of_column[c] && costs(r, c) < no_path) costs(r, c) *= options_.stay;
            }
        }
        std::vector<int> assigned = assign_all(costs, hungarian);
        for (int& room : assigned) room = room < 0 ? -1 : room_of_column[static_cast<std::size_t>(room)];
        return assigned;
    }

    /// Path lengths of one robot to its own room and to as many of the nearest rooms as there are robots. no_way to the
    /// others: an assignment with the least sum does not need them, since one of the near ones is always left for this
    /// robot.
    static std::vector<double> nearest_rooms(const Rooms& rooms, PathCosts& paths, std::size_t robot) {
        std::vector<double> out(rooms.frontiers.size(), no_path);
        const int own = rooms.of_robot[robot];
        for (std::size_t found = 0;
             found < paths.robots() || (own >= 0 && out[static_cast<std::size_t>(own)] == no_path);) {
            const int goal = paths.next(robot);
            if (goal < 0) break;
            const auto g = static_cast<std::size_t>(goal);
            double& cost = out[static_cast<std::size_t>(rooms.of_frontier[g])];
            if (cost < no_path) continue;
            cost = paths.to(robot, g);
            ++found;
        }
        return out;
    }

    /// Shares out the frontiers of one room among the robots that are assigned to it.
    void share_room(const Belief& belief, const std::vector<std::size_t>& frontiers, int room,
                    const std::vector<int>& room_of, PathCosts& paths, const std::vector<Cell>& goals,
                    std::vector<int>& assigned, std::vector<double>& utilities) const {
        std::vector<std::size_t> rows;
        for (std::size_t r = 0; r < room_of.size(); ++r)
            if (room_of[r] == room) rows.push_back(r);
        if (rows.empty()) return;
        CostMatrix costs(rows.size(), frontiers.size());
        std::vector<Cell> cells;
        for (std::size_t f = 0; f < frontiers.size(); ++f) {
            cells.push_back(goals[frontiers[f]]);
            for (std::size_t r = 0; r < rows.size(); ++r) costs(r, f) = paths.to(rows[r], frontiers[f]);
        }
        std::vector<double> left;
        const std::vector<int> shared =
            share_by_utility(belief, costs, cells, {options_.beta, sensor_range_cells(belief), {}}, visibility_, left);
        for (std::size_t r = 0; r < rows.size(); ++r)
            if (shared[r] >= 0) assigned[rows[r]] = static_cast<int>(frontiers[static_cast<std::size_t>(shared[r])]);
        for (std::size_t f = 0; f < frontiers.size(); ++f) utilities[frontiers[f]] = left[f];
    }

    SegmentationOptions options_;
    TeamPursuit pursuit_;
    VisibilityModel visibility_;
    std::optional<Segments> segments_;
    std::vector<CriticalPoint> doors_;
    int cut_at_ = 0;
};

OUTRIDER_STRATEGY("segmentation", Segmentation)

}  // namespace
}  // namespace outrider::segmentation_strategy
