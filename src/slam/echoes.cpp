#include "slam/echoes.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace outrider {
namespace {

/// Calls visit(cell, distance of its middle) for the cells whose middle lies in the cone, up to `reach` away.
template <class Visit>
void for_each_cell(Point origin, Point direction, double cone, double reach, Visit&& visit) {
    const auto [half, least] = sin_cos(cone / 2);
    const Point end = origin + direction * reach;
    const double width = reach * half + 1;  // the cone lies so close to its middle line
    const auto low = [&](double a, double b) { return static_cast<int>(std::floor(std::min(a, b) - width)); };
    const auto high = [&](double a, double b) { return static_cast<int>(std::floor(std::max(a, b) + width)); };
    for (int y = low(origin.y, end.y); y <= high(origin.y, end.y); ++y)
        for (int x = low(origin.x, end.x); x <= high(origin.x, end.x); ++x) {
            const Point to = Point{x + 0.5, y + 0.5} - origin;
            const double away = norm(to);
            if (away <= reach && to.x * direction.x + to.y * direction.y >= least * away) visit(Cell{x, y}, away);
        }
}

}  // namespace

void draw_echoes(const KnownMap& map, Point origin, double cone, std::span<const Echo> echoes, double longest_arc,
                 ScanWindow& window) {
    constexpr double half = 0.75;  // the middle of a cell lies so far behind its nearest point at most
    std::vector<Cell> arc;
    for (const Echo& echo : echoes) {
        if (!echo.wall || echo.length * cone > longest_arc) continue;
        arc.clear();
        bool known = false;
        for_each_cell(origin, echo.direction, cone, echo.length + half, [&](Cell c, double away) {
            if (away < echo.length - echo.error) return;
            known |= map.is_occupied(c);
            if (!map.is_free(c)) arc.push_back(c);
        });
        if (known) continue;
        for (const Cell c : arc) window.claim(c, CellState::occupied);
    }
    for (const Echo& echo : echoes)
        for_each_cell(origin, echo.direction, cone, echo.length - echo.error,
                      [&](Cell c, double) { window.claim(c, CellState::free); });
}

}  // namespace outrider
