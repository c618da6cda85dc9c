#include "world/ground.hpp"

#include <algorithm>

#include "outrider/error.hpp"
#include "outrider/ray.hpp"

namespace outrider {
namespace {

/// Calls visit(cell, length in cells) for the parts of the line that lie in each cell, until it returns false.
template <class Visit>
void for_each_part(Point a, Point b, Visit&& visit) {
    const double length = distance(a, b);
    Cell in{};
    double since = -1;
    bool going = true;
    walk_segment(a, b, [&](Cell c, double t) {
        if (since >= 0) going = visit(in, t - since);
        in = c;
        since = t;
        return going;
    });
    if (going && since >= 0 && since < length) visit(in, length - since);
}

}  // namespace

Ground::Ground(Grid<std::uint8_t> percent) : percent_(std::move(percent)) {
    double slower = 0;
    int cells = 0;
    for (std::size_t i = 0; i < percent_.cells().size(); ++i) {
        const int value = percent_.cells()[i];
        OUTRIDER_CHECK(value, >=, least);
        OUTRIDER_CHECK(value, <=, level);
        if (value > most_rough) continue;
        rough_.at(tile_of(percent_.cell(i))).set(percent_.cell(i));
        slower += 100.0 / value;
        ++cells;
    }
    if (cells > 0) rough_cost_ = slower / cells;
}

double Ground::drive(Point a, Point b, double speed_mps, double& time_s) const {
    if (speed_mps <= 0 || time_s <= 0) return 0;
    const Lattice& lattice = percent_.lattice();
    const double whole = distance(a, b);
    double driven = 0;
    for_each_part(lattice.to_cells(a), lattice.to_cells(b), [&](Cell c, double cells) {
        const double speed = speed_mps * share(c), part = lattice.metres(cells);
        if (part > speed * time_s) {
            driven += speed * time_s;
            time_s = 0;
            return false;
        }
        driven += part;
        time_s -= part / speed;
        return true;
    });
    // The parts add up to the whole but for rounding.
    return time_s > 0 ? whole : std::min(driven, whole);
}

double Ground::rough_m(Point a, Point b) const {
    const Lattice& lattice = percent_.lattice();
    double sum = 0;
    for_each_part(lattice.to_cells(a), lattice.to_cells(b), [&](Cell c, double cells) {
        if (rough(c)) sum += cells;
        return true;
    });
    return lattice.metres(sum);
}

}  // namespace outrider
