// Goals are no nodes of the graph of jump points. The last part of a shortest path, from a jump point or the start, is
// a diagonal and a straight line; so a goal is looked for along these whenever a node is expanded.
#include <algorithm>
#include <cstdlib>

#include "outrider/error.hpp"
#include "outrider/path.hpp"
#include "plan/jump_point_search.hpp"

namespace outrider {
namespace {

constexpr std::uint32_t the_start = ~std::uint32_t{0};
constexpr std::uint32_t goal_flag = std::uint32_t{1} << 31;  // besides the index of a goal

}  // namespace

JumpPointSearch::JumpPointSearch(const NavMap& nav, Cell start, std::span<const Cell> goals, int max_expansions,
                                 std::shared_ptr<JumpGraph> graph)
    : graph_(graph ? std::move(graph) : std::make_shared<JumpGraph>()),
      marks_(graph_->lend_marks()),
      start_(start),
      budget_(max_expansions),
      alone_(nav.far_outside(start)) {
    for (const Cell c : goals) goals_.push_back({c, no_bound, 0, false, !nav.passable(c) && c != start});
    if (!alone_) graph_->follow(nav, start);
    if (const std::uint32_t rest = estimate(start); rest != no_bound) open(rest, 0, the_start);
}

JumpPointSearch::~JumpPointSearch() { graph_->give_back(std::move(marks_)); }

Cell JumpPointSearch::cell(std::uint32_t point) const { return point == the_start ? start_ : graph_->cell(point); }

/// A lower bound of what remains: to the nearest goal that was not found yet.
std::uint32_t JumpPointSearch::estimate(Cell c) const {
    std::uint32_t least = no_bound;
    for (const Goal& g : goals_)
        if (!g.found && !g.blocked) least = std::min(least, octile_cost(c, g.cell));
    return least;
}

void JumpPointSearch::open(std::uint32_t estimate, std::uint32_t cost, std::uint32_t what) {
    open_.push_back({std::uint64_t{estimate} << 32 | (~cost & 0xffffffff), opened_++, what});
    std::push_heap(open_.begin(), open_.end());
}

void JumpPointSearch::reach(JumpGraph::Hop hop, std::uint32_t cost, std::uint32_t parent) {
    const std::uint32_t point = hop.to / 4;
    cost += hop.cost;
    if (point >= marks_->of_points.size()) marks_->of_points.resize(graph_->points() + graph_->points() / 2);
    JumpGraph::Mark& mark = marks_->of_points[point];
    if (mark.search == marks_->search && mark.cost <= cost) return;
    mark = {marks_->search, cost, parent};
    const std::uint32_t rest = estimate(graph_->cell(point));
    if (rest == no_bound || (goals_.size() == 1 && cost + rest >= goals_[0].cost)) return;
    open(cost + rest, cost, hop.to);
}

/// Notes that a goal can be seen from a node.
void JumpPointSearch::see(std::size_t goal, Cell from, std::uint32_t cost, std::uint32_t parent) {
    Goal& g = goals_[goal];
    g.cost = cost + octile_cost(from, g.cell);
    g.from = parent;
    open(g.cost, g.cost, goal_flag | static_cast<std::uint32_t>(goal));
}

/// Takes the best entry: a node is expanded, a goal is found.
void JumpPointSearch::expand() {
    std::pop_heap(open_.begin(), open_.end());
    const Entry entry = open_.back();
    open_.pop_back();
    if (entry.what == the_start) return expand_start();
    const std::uint32_t cost = entry.cost();
    if (entry.what & goal_flag) {
        const std::uint32_t goal = entry.what & ~goal_flag;
        if (Goal& g = goals_[goal]; g.cost == cost && !g.found) {
            g.found = true;
            waiting_.emplace_back(cost, static_cast<int>(goal));
        }
        return;
    }
    const std::uint32_t point = entry.what / 4;
    if (marks_->of_points[point].cost != cost) return;  // a shorter path was found since
    ++expansions_;
    if (cost > most_cost) {
        cut_ = true;
        return;
    }
    const JumpGraph::Onward onward = graph_->onward(entry.what);
    const Cell at = graph_->cell(point);
    for (std::size_t i = 0; i < goals_.size(); ++i)
        if (const Goal& g = goals_[i]; !g.found && !g.blocked && cost + octile_cost(at, g.cell) < g.cost &&
                                       graph_->sees(entry.what, onward, g.cell))
            see(i, at, cost, point);
    for (const JumpGraph::Hop hop : graph_->hops(onward)) {
        ++hops_;
        hops_cost_ += hop.cost;
        reach(hop, cost, point);
    }
}

void JumpPointSearch::expand_start() {
    ++expansions_;
    bool all_seen = true;
    for (std::size_t i = 0; i < goals_.size(); ++i) {
        if (goals_[i].blocked) continue;
        const bool seen = goals_[i].cell == start_ || (!alone_ && graph_->sees(start_, goals_[i].cell));
        if (seen) see(i, start_, 0, the_start);
        all_seen = all_seen && seen;
    }
    if (alone_ || all_seen) return;
    for (const JumpGraph::Hop hop : graph_->leave(start_)) reach(hop, 0, the_start);
}

bool JumpPointSearch::scattered() const {
    if (hops_ == 0) return false;
    // 0.7 where a tenth to a third of all cells are obstacles at random, up to 0.35 in mazes and among small
    // rooms, below 0.2 in buildings and landscapes.
    constexpr double least = 0.64;
    const double per_node = static_cast<double>(hops_) / expansions_,
                 cells = static_cast<double>(hops_cost_) / (straight_cost * static_cast<double>(hops_));
    return per_node > least * cells;
}

PathStatus JumpPointSearch::known(std::size_t goal) const {
    const Goal& g = goals_[goal];
    if (g.found) return PathStatus::found;
    if (g.blocked) return PathStatus::goal_blocked;
    if (open_.empty()) return cut_ ? PathStatus::gave_up : PathStatus::unreachable;
    return expansions_ >= budget_ ? PathStatus::gave_up : PathStatus::too_far;
}

PathStatus JumpPointSearch::find(std::size_t goal, std::uint32_t bound) {
    while (known(goal) == PathStatus::too_far && open_.front().estimate() <= bound) expand();
    const PathStatus status = known(goal);
    return status == PathStatus::found && cost(goal) > bound ? PathStatus::too_far : status;
}

int JumpPointSearch::find_next(std::uint32_t bound) {
    const auto nearest = [&] { return std::min_element(waiting_.begin(), waiting_.end()); };
    const auto more = [&] {  // a goal that was found waits until no open node can be as near
        const std::uint32_t limit = waiting_.empty() ? bound : std::min(bound, nearest()->first);
        return !open_.empty() && expansions_ < budget_ && open_.front().estimate() <= limit;
    };
    while (more()) expand();
    if (waiting_.empty() || nearest()->first > bound) return -1;
    const int goal = nearest()->second;
    waiting_.erase(nearest());
    return goal;
}

std::uint32_t JumpPointSearch::cost(std::size_t goal) const {
    const Goal& g = goals_[goal];
    if (g.found) return g.cost;
    if (g.blocked || open_.empty()) return no_bound;
    return std::max(open_.front().estimate(), octile_cost(start_, g.cell));
}

Path JumpPointSearch::path(std::size_t goal) const {
    const Goal& g = goals_[goal];
    OUTRIDER_CHECK(g.found, ==, true);
    std::size_t cells = 1;
    const auto for_each_part = [&](auto&& visit) {  // from the goal back
        Cell to = g.cell;
        for (std::uint32_t point = g.from;; point = parent(point)) {
            const Cell from = cell(point);
            visit(from, to);
            to = from;
            if (point == the_start) return;
        }
    };
    for_each_part([&](Cell from, Cell to) {
        cells += static_cast<std::size_t>(std::max(std::abs(to.x - from.x), std::abs(to.y - from.y)));
    });
    Path path{PathStatus::found, std::vector<Cell>(cells), g.cost};
    auto out = path.cells.rbegin();
    *out++ = g.cell;
    for_each_part([&](Cell from, Cell to) {  // the straight line, then the diagonal
        const Cell offset = from - to, sign{(offset.x > 0) - (offset.x < 0), (offset.y > 0) - (offset.y < 0)};
        const int ax = std::abs(offset.x), ay = std::abs(offset.y), both = std::min(ax, ay);
        const Cell straight{ax > ay ? sign.x : 0, ay > ax ? sign.y : 0};
        Cell c = to;
        for (int k = 0; k < std::max(ax, ay) - both; ++k) *out++ = c = c + straight;
        for (int k = 0; k < both; ++k) *out++ = c = c + sign;
    });
    return path;
}

}  // namespace outrider
