#include "log/viewers/aims.hpp"

#include <algorithm>
#include <array>

#include "plan/jump_point_search.hpp"

namespace outrider {

std::vector<Point> corners_to(const Belief& belief, Point goal) {
    constexpr int most_expansions = 200'000;
    const Lattice& lattice = belief.map().lattice();
    const std::array goals{lattice.cell_of(goal)};
    const NavMap& nav = belief.nav();
    JumpPointSearch search(nav, nav.foothold(belief.cell()), goals, most_expansions);
    if (search.find(0) != PathStatus::found) return {};
    const std::vector<Cell> cells = search.path(0).cells;
    std::vector<Point> corners{belief.pose().position()};
    for (std::size_t i = 1; i < cells.size(); ++i)
        if (i + 1 == cells.size() || cells[i] - cells[i - 1] != cells[i + 1] - cells[i])
            corners.push_back(lattice.centre(cells[i]));
    return corners;
}

std::optional<Aim> changed_aim(const Robot& robot, const TrueView& truth, const Aim& last) {
    const Belief& belief = robot.belief();
    const std::optional<Point> goal = belief.latest(belief.self()).goal;
    Aim aim{goal ? std::optional(truth.point(robot, *goal)) : goal};
    if (aim.goal == last.goal) return {};
    if (goal) aim.path = corners_to(belief, *goal);
    for (Point& p : aim.path) p = truth.point(robot, p);
    return aim;
}

std::vector<std::pair<RobotId, RobotId>> linked_pairs(const StepView& view) {
    std::vector<std::pair<RobotId, RobotId>> out;
    for (std::size_t i = 0; i < view.percepts.size(); ++i)
        if (view.percepts[i].alive)
            for (const LinkReport& link : view.percepts[i].links)
                out.push_back(std::minmax(static_cast<RobotId>(i), RobotId{link.robot}));
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

}  // namespace outrider
