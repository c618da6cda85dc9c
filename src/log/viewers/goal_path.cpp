#include "log/viewers/goal_path.hpp"

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

}  // namespace outrider
