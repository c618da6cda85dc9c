#include "view/reach.hpp"

#include "outrider/geometry.hpp"
#include "outrider/map.hpp"
#include "outrider/ray.hpp"

namespace outrider::view {
namespace {

/// The distances at which the signal falls too low behind 0, 1, 2, ... walls, while that is more than a cell.
std::vector<double> reach_by_walls(const RadioOptions& radio, double range_m, double cell_m) {
    if (radio.model != RadioModel::path_loss) return {range_m, 0};
    std::vector<double> out;
    for (int walls = 0; walls <= radio.max_walls; ++walls) {
        const double margin = radio.reference_dbm - radio.cutoff_dbm - walls * radio.wall_db;
        out.push_back(range_m * pow(10, margin / (10 * radio.exponent)));
        if (out.back() < cell_m) break;
    }
    return out;
}

/// Where the signal along a ray falls too low, to a cell.
double ir2_reach_m(const Grid<std::uint8_t>& walls, const Ray& ray, double range_m, const Ir2Losses& losses) {
    const Lattice& lattice = walls.lattice();
    Ir2Line line;
    double reached = 0;
    bool in_wall = false;
    walk_ray(ray, lattice.cells(max_link_m(RadioOptions{.model = RadioModel::ir2}, range_m)), [&](Cell c, double t) {
        (in_wall ? line.blocked_m : line.free_m) += lattice.metres(t - reached);
        reached = t;
        in_wall = walls.get(c, 1) != 0;
        return ir2_dbm(line, losses) > ir2_cutoff_dbm;
    });
    return lattice.metres(reached);
}

template <class Length>
std::vector<Point> outline(Point from, Length&& length) {
    std::vector<Point> out;
    for (int k = 0; k < reach_rays; ++k) {
        const auto [s, c] = sin_cos(2 * pi * k / reach_rays);
        out.push_back(from + Point{c, s} * length(Point{c, s}));
    }
    return out;
}

}  // namespace

std::vector<Point> radio_reach(const Grid<std::uint8_t>& walls, const RadioOptions& radio, double range_m, Point from,
                               const Ir2Losses& losses) {
    if (!(range_m > 0)) return {};
    const Lattice& lattice = walls.lattice();
    const std::vector<double> reach = reach_by_walls(radio, range_m, lattice.cell_m);
    const Cell start = lattice.cell_of(from);
    const Point middle{start.x + 0.5, start.y + 0.5};  // as links are computed
    return outline(from, [&](Point direction) {
        if (radio.model == RadioModel::circle) return range_m;
        if (radio.model == RadioModel::ir2) return ir2_reach_m(walls, Ray(middle, direction), range_m, losses);
        std::size_t behind = 0;
        bool in_wall = false;
        double length = lattice.cells(reach[0]);
        walk_ray(Ray(middle, direction), length, [&](Cell c, double t) {
            if (t >= length) return false;
            const bool wall = walls.get(c, 1) != 0;
            if (wall && !in_wall) {
                ++behind;
                length = std::max(t, std::min(length, lattice.cells(reach[std::min(behind, reach.size() - 1)])));
            }
            in_wall = wall;
            return t < length;
        });
        return lattice.metres(length);
    });
}

std::vector<Point> believed_reach(const KnownMap& map, const RadioOptions& radio, double range_m, Point from) {
    if (!(range_m > 0)) return {};
    const Lattice& lattice = map.lattice();
    const Cell start = lattice.cell_of(from);
    return outline(from, [&](Point direction) {
        double linked = 0, lost = max_link_m(radio, range_m);
        while (lost - linked > lattice.cell_m) {
            const double middle = (linked + lost) / 2;
            const Cell c = lattice.cell_of(from + direction * middle);
            (believed_linked(map, radio, range_m, start, c) ? linked : lost) = middle;
        }
        return linked;
    });
}

}  // namespace outrider::view
