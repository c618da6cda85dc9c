#include "slam/known_cells.hpp"

#include <algorithm>
#include <tuple>

#include "outrider/error.hpp"

namespace outrider {
namespace {

constexpr double most_cells = 1e9;

}  // namespace

Grid<std::uint8_t> known_cells(const CountedMap& map, const CountedMap* swept) {
    Cell low{INT32_MAX, INT32_MAX}, high{INT32_MIN, INT32_MIN};
    auto [from, to] = map.extent();
    if (swept && from == to) {
        std::tie(from, to) = swept->extent();
    } else if (swept) {
        const auto [begin, end] = swept->extent();
        from = {std::min(from.x, begin.x), std::min(from.y, begin.y)};
        to = {std::max(to.x, end.x), std::max(to.y, end.y)};
    }
    const auto free_scans = [&](Cell c) { return swept ? swept->seen(c) : 0; };
    const double width = 1.0 * to.x - from.x, height = 1.0 * to.y - from.y;
    if (width * height > most_cells)
        fail("the map is {:.0f} m wide and {:.0f} m high: too large for a grid of cells of {} m",
             width * map.lattice().cell_m, height * map.lattice().cell_m, map.lattice().cell_m);
    for (int y = from.y; y < to.y; ++y)
        for (int x = from.x; x < to.x; ++x)
            if (map.seen({x, y}) > 0 || free_scans({x, y}) > 0) {
                low = {std::min(low.x, x), std::min(low.y, y)};
                high = {std::max(high.x, x), std::max(high.y, y)};
            }
    if (low.x > high.x) low = high = {0, 0};
    Grid<std::uint8_t> out(high.x - low.x + 1, high.y - low.y + 1, 2, map.lattice(), low);
    for (std::size_t i = 0; i < out.cells().size(); ++i) {
        const Cell c = out.cell(i);
        const int free = free_scans(c);
        if (map.occupied(c) && (free == 0 || map.hits(c) > map.occupied_share() * (map.seen(c) + free)))
            out.cells()[i] = 1;
        else if (map.seen(c) > 0 || free > 0)
            out.cells()[i] = 0;
    }
    return out;
}

}  // namespace outrider
