#include "bound/drive.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace outrider {
namespace {

Point middle(Cell c) { return {c.x + 0.5, c.y + 0.5}; }

/// The tour as a line from cell to cell, each a straight way from the one before: nodes between two places are left out
/// where they are not needed.
std::vector<Cell> line_of(const Roads& roads, int start, const std::vector<int>& tour, const Grid<std::uint8_t>& open,
                          bool all_nodes) {
    int node = roads.node_of(start);
    std::vector<Cell> line{roads.cell(node)};
    for (const int place : tour) {
        std::vector<Cell> leg;
        while (node != roads.node_of(place)) {
            node = roads.towards(place, node).node;
            leg.push_back(roads.cell(node));
        }
        for (std::size_t at = 0; at < leg.size();) {
            std::size_t next = all_nodes ? at : leg.size() - 1;
            while (next > at && !straight(open, line.back(), leg[next])) --next;
            line.push_back(leg[next]);
            at = next + 1;
        }
    }
    return line;
}

/// A point on a line.
struct OnLine {
    std::size_t next = 1;  ///< corner of the line ahead of it
    Point at;
};

/// A step as long as this share of what it can be: whether it ends in its very last bit is a matter of rounding, and
/// with it whether the robot turns then.
constexpr double hardly = 1 - 1e-6;
constexpr double most_idle = -5;  // the worth of a step on the spot, where there is no other: less than of any other

/// Drives along a line.
class TourWalk {
  public:
    TourWalk(const std::vector<Cell>& line, double step, const Grid<std::uint8_t>& open)
        : line_(line), step_(step), open_(open), here_(line.front()) {}

    /// The stops of the next step; none: the line is at its end.
    std::vector<TourPlan::Stop> next() {
        std::vector<TourPlan::Stop> best;
        OnLine there = from_;
        OnLine reached = from_;
        constexpr double stride = 0.25;
        double gone = 0, most = -10;
        if (from_.next >= line_.size()) {  // it may have come close to the end
            if (here_ != line_.back()) best = length_to(line_.back(), from_.next);
            if (!best.empty()) here_ = line_.back();
            return best;
        }
        const double longest = step_ + 0.75;  // more would pass over short ways to and fro
        while (gone < longest && there.next < line_.size()) {
            const Point corner = middle(line_[there.next]);
            const double left = distance(there.at, corner);
            if (left <= stride) {
                gone += left;
                there = {there.next + 1, corner};
            } else {
                gone += stride;
                there.at = there.at + (corner - there.at) * (stride / left);
            }
            for (int dy = -1; dy <= 1; ++dy)
                for (int dx = -1; dx <= 1; ++dx) {
                    const Cell c{static_cast<int>(std::floor(there.at.x)) + dx,
                                 static_cast<int>(std::floor(there.at.y)) + dy};
                    const double worth = c == here_ ? most_idle : gone - distance(middle(c), there.at);
                    if (worth <= most) continue;
                    std::vector<TourPlan::Stop> stops = length_to(c, there.next);
                    if (stops.empty()) continue;
                    most = worth;
                    best = std::move(stops);
                    reached = there;
                }
        }
        if (best.empty()) return {};
        from_ = reached;
        here_ = best.back().cell;
        return best;
    }

  private:
    /// Straight, or around the corners of the line before `end`; none: farther than a step.
    std::vector<TourPlan::Stop> length_to(Cell c, std::size_t end) const {
        if (distance(middle(here_), middle(c)) > step_ * (1 + 1e-9) || !open_.get(c, 0)) return {};
        if (straight(open_, here_, c)) return {{c, true, {}}};
        std::vector<TourPlan::Stop> stops;
        Cell at = here_;
        double length = 0;
        for (std::size_t k = from_.next; k <= end; ++k) {
            const Cell next = k < end ? line_[k] : c;
            if (!straight(open_, at, next)) return {};
            length += distance(middle(at), middle(next));
            stops.push_back({next, k == end, {}});
            at = next;
        }
        // A pilot takes the nearest of the stops first: around a sharp corner that would be the last.
        if (length > step_ * hardly || stops.size() > 2) return {};
        if (stops.size() == 2 &&
            distance(middle(here_), middle(c)) <=
                std::max(distance(middle(here_), middle(stops[0].cell)), distance(middle(stops[0].cell), middle(c))))
            return {};
        return stops;
    }

    const std::vector<Cell>& line_;
    double step_;
    const Grid<std::uint8_t>& open_;
    Cell here_;
    OnLine from_{1, middle(line_.front())};
};

/// What is known, cell by cell, and where to look next.
class Looks {
  public:
    explicit Looks(const BoundTask& task) : task_(task), unknown_(task.counted) {}

    /// The heading in which most is new, of many; what is seen then is known. `ahead`: it looks there.
    double look(const Mover& m, Cell at, std::optional<double> ahead) {
        constexpr int slots = 72;
        std::array<std::vector<Cell>, slots> news;
        for_each_cell_in_sight(task_.walls(), at, m.sight, [&](Cell c) {
            std::uint8_t& cell = unknown_[c];
            if (cell != 1) return;
            cell = 2;
            const double turns = bearing(middle(at), middle(c)) / (2 * pi);
            news[static_cast<std::size_t>(std::floor((turns < 0 ? turns + 1 : turns) * slots)) % slots].push_back(c);
        });
        const int width = std::clamp(static_cast<int>(m.view / (2 * pi) * slots + 0.01), 1, slots);
        const auto slot = [&](int k) { return static_cast<std::size_t>((k + 2 * slots) % slots); };
        int best = 0;
        std::size_t most = 0;
        const auto sum = [&](int first) {
            std::size_t cells = 0;
            for (int w = 0; w < width; ++w) cells += news[slot(first + w)].size();
            return cells;
        };
        if (ahead) best = static_cast<int>(std::lround((*ahead - m.view / 2) / (2 * pi) * slots));
        for (int first = 0; !ahead && first < slots; ++first)
            if (const std::size_t cells = sum(first); cells > most) {
                most = cells;
                best = first;
            }
        for (int k = 0; k < slots; ++k)
            for (const Cell c : news[slot(best + k)]) unknown_[c] = k < width ? 0 : 1;
        const double mount = m.sensors.empty() ? 0 : m.sensors.front().mount.yaw;
        return wrap_angle(2 * pi * (best + width / 2.0) / slots - mount);
    }

  private:
    const BoundTask& task_;
    Grid<std::uint8_t> unknown_;  // 1: nobody has seen it; 2: in sight now
};

}  // namespace

TourPlan drive(const BoundTask& task, const Roads& roads, const Tours& tours, std::size_t robots) {
    TourPlan plan;
    plan.cell_m = task.walls().lattice().cell_m;
    plan.robots.resize(robots);
    const Grid<std::uint8_t> open = common_reach(task);
    std::vector<std::vector<std::vector<TourPlan::Stop>>> steps(tours.size());  // by robot, then step
    std::size_t longest = 0;
    for (std::size_t i = 0; i < tours.size(); ++i) {
        const std::vector<Cell> line = line_of(roads, roads.start(static_cast<int>(i)), tours[i], open, coarse(task));
        // A hair less than it can, so that it can look anywhere then; where cells are large, a hair is a whole cell.
        const bool looks = task.team[i].turns && task.team[i].view < 2 * pi && !coarse(task);
        TourWalk walk(line, task.team[i].step * (looks ? hardly : 1), open);
        for (auto stops = walk.next(); !stops.empty(); stops = walk.next()) {
            steps[i].push_back(std::move(stops));
            if (std::ssize(steps[i]) >= task.steps) break;
        }
        longest = std::max(longest, steps[i].size());
    }
    Looks looks(task);
    for (const Mover& m : task.team) looks.look(m, m.start, m.yaw);
    for (std::size_t step = 0; step < longest; ++step)
        for (std::size_t i = 0; i < tours.size(); ++i) {
            if (step >= steps[i].size()) continue;
            const Mover& m = task.team[i];
            TourPlan::Stop& stop = steps[i][step].back();
            if (!m.turns || m.sight == 0) continue;
            const Cell before = step > 0 ? steps[i][step - 1].back().cell : m.start;
            std::optional<double> ahead;
            if (steps[i][step].size() == 1 && distance(middle(before), middle(stop.cell)) > m.step * hardly)
                ahead = bearing(middle(before), middle(stop.cell));
            if (m.is_disc && step + 1 < steps[i].size())
                ahead = bearing(middle(stop.cell), middle(steps[i][step + 1].front().cell));
            stop.yaw = looks.look(m, stop.cell, ahead);
        }
    for (std::size_t i = 0; i < tours.size(); ++i)
        for (const auto& stops : steps[i]) {
            auto& all = plan.robots[static_cast<std::size_t>(task.team[i].robot)];
            all.insert(all.end(), stops.begin(), stops.end());
        }
    return plan;
}

}  // namespace outrider
