#include "positions/layout.hpp"

#include <cmath>
#include <sstream>

#include "outrider/error.hpp"

namespace outrider {

std::vector<Position> read_positions(const std::string& text, const std::string& where) {
    constexpr double farthest_m = 1e6;
    std::vector<Position> out;
    std::istringstream items(text);
    for (std::string item; std::getline(items, item, ',');) {
        std::istringstream words(item);
        Position p;
        std::string rest;
        const bool whole = static_cast<bool>(words >> p.home.x >> p.home.y >> p.region_m >> p.pull) && !(words >> rest);
        if (!whole || !(std::abs(p.home.x) <= farthest_m) || !(std::abs(p.home.y) <= farthest_m) ||
            !(p.region_m >= 0 && p.region_m <= farthest_m) || !(p.pull >= 0 && p.pull <= 1))
            fail("{}: positions: '{}': expected \"x y region pull\" in metres, pull from 0 to 1, as in \"10 0 5 0.5\"",
                 where, item);
        out.push_back(p);
    }
    return out;
}

std::vector<Position> circle_of_positions(std::size_t count, double radius_m, double pull) {
    std::vector<Position> out;
    for (std::size_t k = 0; k < count; ++k) {
        const auto [s, c] = sin_cos(wrap_angle(2 * pi * static_cast<double>(k) / static_cast<double>(count)));
        out.push_back({Point{c, s} * radius_m, 0, pull});
    }
    return out;
}

Point focus_of(std::span<const Frontier> frontiers, const Lattice& lattice, Point home) {
    Point sum;
    double cells = 0;
    for (const Frontier& f : frontiers) {
        sum = sum + f.centroid * f.size;
        cells += f.size;
    }
    return cells > 0 ? sum * (lattice.cell_m / cells) : home;
}

Point target_of(const Position& position, Point home, Point focus) {
    const Point at = home + position.home;
    return at + (focus - at) * position.pull;
}

}  // namespace outrider
