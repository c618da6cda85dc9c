#include "shared/sites.hpp"

#include <algorithm>
#include <bit>
#include <map>

#include "shared/teamwork.hpp"

namespace outrider {
namespace {

/// The set bit nearest to `column`, which may lie outside; of two the lower one. The word is not 0.
int nearest_bit(std::uint64_t word, int column) {
    const std::uint64_t below = column < 0 ? 0 : column >= 63 ? word : word & (~std::uint64_t{0} >> (63 - column));
    const std::uint64_t above = word & ~below;
    const int left = 63 - std::countl_zero(below), right = std::countr_zero(above);
    return below && (!above || column - left <= right - column) ? left : right;
}

/// By square of `spacing` cells, the reached cell nearest to its middle; equal ones: the first by row, then column.
std::vector<Cell> lattice_places(const NavView& nav, int spacing) {
    const auto square = [&](int v) { return v >= 0 ? v / spacing : -((-v + spacing - 1) / spacing); };
    std::map<Cell, std::pair<std::int64_t, Cell>> best;
    nav.for_each_block([&](Cell low) {
        const Cell high = low + Cell{63, 63};
        for (int y = square(low.y); y <= square(high.y); ++y)
            for (int x = square(low.x); x <= square(high.x); ++x) {
                const Cell middle{x * spacing + spacing / 2, y * spacing + spacing / 2};
                const int first = std::max(0, x * spacing - low.x), last = std::min(63, (x + 1) * spacing - 1 - low.x);
                const std::uint64_t columns = ~std::uint64_t{0} << first & ~std::uint64_t{0} >> (63 - last);
                const int end = std::min(high.y, (y + 1) * spacing - 1);
                for (int row = std::max(low.y, y * spacing); row <= end; ++row) {
                    const std::uint64_t word = nav.reached_word({low.x, row}) & columns;
                    if (!word) continue;
                    const Cell c{low.x + nearest_bit(word, middle.x - low.x), row};
                    const std::pair entry(squared_distance(c, middle), c);
                    const auto [at, is_new] = best.emplace(Cell{x, y}, entry);
                    if (!is_new && entry < at->second) at->second = entry;
                }
            }
    });
    std::vector<Cell> out;
    for (const auto& [s, entry] : best) out.push_back(entry.second);
    return out;
}

}  // namespace

std::vector<Cell> standing_places(const Belief& belief, const std::vector<Frontier>& frontiers, int spacing_cells,
                                  std::size_t most) {
    std::vector<Cell> out;
    for (const Frontier& f : frontiers)
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

int relay_spacing(const Belief& belief) {
    const double reach = belief.map().lattice().cells(belief.briefing().me().radio_range_m);
    return whole(std::min(sensor_range_cells(belief), reach) / 2);
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
