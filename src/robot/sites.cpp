#include "outrider/sites.hpp"

#include <algorithm>
#include <bit>
#include <map>

#include "outrider/ray.hpp"

namespace outrider {
namespace {

/// By square of `spacing` cells, the reached cell nearest to its middle; equal ones: the first by row, then column.
std::vector<Cell> lattice_places(const NavMap& nav, int spacing) {
    const auto square = [&](int v) { return v >= 0 ? v / spacing : -((-v + spacing - 1) / spacing); };
    std::map<Cell, std::pair<std::int64_t, Cell>> best;
    nav.tiles().for_each([&](TileCoord t, const NavTile& tile) {
        for (int row = 0; row < tile_size; ++row)
            for (std::uint64_t rest = tile.reached[static_cast<std::size_t>(row)]; rest != 0; rest &= rest - 1) {
                const Cell c = cell_of(t, std::countr_zero(rest), row);
                const Cell s{square(c.x), square(c.y)};
                const Cell middle{s.x * spacing + spacing / 2, s.y * spacing + spacing / 2};
                const std::pair entry(squared_distance(c, middle), c);
                const auto [at, is_new] = best.emplace(s, entry);
                if (!is_new && entry < at->second) at->second = entry;
            }
    });
    std::vector<Cell> out;
    for (const auto& [s, entry] : best) out.push_back(entry.second);
    return out;
}

}  // namespace

double sight_cells(const Belief& belief) {
    double range_m = belief.map().lattice().cell_m;
    for (const SensorSpec& sensor : belief.briefing().sensors) range_m = std::max(range_m, sensor.max_range_m);
    return belief.map().lattice().cells(range_m);
}

std::vector<Cell> standing_places(const Belief& belief, int spacing_cells, std::size_t most) {
    std::vector<Cell> out;
    for (const Frontier& f : candidate_frontiers(belief))
        if (out.size() < most) out.push_back(f.goal);
    const std::size_t room = most - out.size();
    std::vector<Cell> others = lattice_places(belief.nav(), std::max(1, spacing_cells));
    for (int spacing = std::max(1, spacing_cells); others.size() > room; spacing *= 2) {
        if (room == 0) {
            others.clear();
            break;
        }
        others = lattice_places(belief.nav(), 2 * spacing);
    }
    out.insert(out.end(), others.begin(), others.end());
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

double unseen_area(const KnownMap& map, Cell from, double range_cells) {
    constexpr int rays = 64;
    const Point middle{from.x + 0.5, from.y + 0.5};
    double area = 0;
    for (int k = 0; k < rays; ++k) {
        const auto [s, c] = sin_cos(2 * pi * (k + 0.5) / rays);
        double from_t = 0;  // where the present cell begins
        bool unknown = false, blocked = false;
        const auto leave = [&](double t) {  // the part of the ray's sector between the two distances
            if (unknown) area += (t * t - from_t * from_t) * pi / rays;
            from_t = t;
        };
        walk_ray(Ray(middle, {c, s}), range_cells, [&](Cell cell, double t) {
            leave(t);
            const CellState state = map.state(cell);
            unknown = state == CellState::unknown;
            blocked = state == CellState::occupied || state == CellState::safe_occupied;
            return !blocked;
        });
        if (!blocked) leave(range_cells);
    }
    return area;
}

bool should_hear_well(const Belief& belief, RobotId a, Cell at_a, RobotId b, Cell at_b, double margin_db) {
    const RadioOptions& radio = belief.briefing().radio;
    const auto& team = belief.briefing().team();
    const auto range = [&](RobotId robot) { return team[static_cast<std::size_t>(robot)].radio_range_m; };
    const double reach = link_range_m(radio.range_rule, range(std::min(a, b)), range(std::max(a, b)));
    if (radio.model != RadioModel::path_loss)
        return should_hear(belief, a, at_a, b, at_b, belief.map().lattice().cells(reach) / 10);
    if (reach <= 0 || belief.map().lattice().metres(std::sqrt(static_cast<double>(squared_distance(at_a, at_b)))) >
                          max_link_m(radio, reach))
        return false;
    return at_a == at_b || believed_signal_dbm(belief.map(), radio, reach, at_a, at_b) > radio.cutoff_dbm + margin_db;
}

}  // namespace outrider
