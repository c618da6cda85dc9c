#include "bound/witnesses.hpp"

#include <algorithm>
#include <numeric>

#include "base/parallel.hpp"
#include "bound/least_paths.hpp"

namespace outrider {
namespace {

constexpr std::size_t most_witnesses = 100, most_sets = 12, units = 200;
constexpr double growth_m = 1;  // side of a square of blocks: from so many more the next block of a part may be seen

struct Witness {
    std::int64_t area = 0;
    std::vector<int> seen_from;  // blocks
};

int size_of(const BitBox& box) {
    return std::accumulate(box.bits.begin(), box.bits.end(), 0,
                           [](int sum, std::uint64_t word) { return sum + std::popcount(word); });
}

/// Blocks by how hidden they are; of equally hidden ones the first.
std::vector<int> hidden_first(const std::vector<BitBox>& sights) {
    std::vector<int> size, order(sights.size());
    for (const BitBox& box : sights) size.push_back(size_of(box));
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
        return size[static_cast<std::size_t>(a)] < size[static_cast<std::size_t>(b)];
    });
    return order;
}

std::vector<Witness> choose(const Blocks& blocks, const std::vector<BitBox>& sights, int growth,
                            std::vector<bool>& taken) {
    const std::vector<int> order = hidden_first(sights);
    std::vector<Witness> out;
    std::vector<int> owner(sights.size(), -1);  // of the blocks, the witness that is seen from it
    const auto take = [&](int block, int witness) {
        Witness& w = out[static_cast<std::size_t>(witness)];
        taken[static_cast<std::size_t>(block)] = true;
        w.area += blocks.weight(block);
        for_each_bit(sights[static_cast<std::size_t>(block)], [&](int x, int y) {
            const int from = blocks.number({x, y});
            if (from < 0 || owner[static_cast<std::size_t>(from)] == witness) return;
            owner[static_cast<std::size_t>(from)] = witness;
            w.seen_from.push_back(from);
        });
    };
    /// The only witness seen from the same blocks, -1: none, -2: several; and from how many other blocks it is seen.
    const auto owner_of = [&](int block, int& others) {
        int found = -1;
        others = 0;
        for_each_bit(sights[static_cast<std::size_t>(block)], [&](int x, int y) {
            const int from = blocks.number({x, y}), of = from < 0 ? -1 : owner[static_cast<std::size_t>(from)];
            others += of < 0;
            if (of >= 0) found = found == -1 || found == of ? of : -2;
        });
        return found;
    };
    int others = 0;
    for (const int block : order)
        if (blocks.weight(block) > 0 && !taken[static_cast<std::size_t>(block)] && out.size() < most_witnesses &&
            owner_of(block, others) == -1) {
            out.emplace_back();
            take(block, static_cast<int>(out.size()) - 1);
        }
    for (const int block : order) {
        if (taken[static_cast<std::size_t>(block)] || blocks.weight(block) == 0) continue;
        const int of = owner_of(block, others);
        if (of >= 0 && others <= growth) take(block, of);
    }
    return out;
}

}  // namespace

Visits find_witnesses(const BoundTask& task, const Blocks& blocks, const std::vector<BitBox>& sights, int growth,
                      std::vector<bool>& taken) {
    const std::vector<Witness> witnesses = choose(blocks, sights, growth, taken);
    Grid<std::uint8_t> open = task.sensable;  // where anybody can get
    std::fill(open.cells().begin(), open.cells().end(), std::uint8_t{0});
    std::vector<std::vector<Cell>> places(1);
    for (const Mover& m : task.team) {
        for (std::size_t i = 0; i < open.cells().size(); ++i) open.cells()[i] |= m.reach->cells()[i];
        if (m.sight > 0) places[0].push_back(m.start);
    }
    for (const Witness& w : witnesses) {
        std::vector<Cell>& cells = places.emplace_back();
        for (const int b : w.seen_from) {
            const Cell low =
                task.sensable.origin() + Cell{blocks.side() * blocks.place(b).x, blocks.side() * blocks.place(b).y};
            for (int y = 0; y < blocks.side(); ++y)
                for (int x = 0; x < blocks.side(); ++x)
                    if (const Cell c = low + Cell{x, y}; open.get(c, 0)) cells.push_back(c);
        }
    }
    const std::size_t n = places.size();
    Visits out{std::vector<std::vector<double>>(n, std::vector<double>(n)), std::vector<std::int64_t>(n)};
    for (std::size_t i = 1; i < n; ++i) out.area[i] = witnesses[i - 1].area;
    parallel_for(static_cast<int>(n), [&](int k) {
        const auto i = static_cast<std::size_t>(k);
        const LeastPaths lengths(open, places[i]);
        for (std::size_t j = 0; j < n; ++j) {
            double least = std::numeric_limits<double>::infinity();
            for (const Cell c : places[j]) least = std::min(least, lengths.to(c));
            out.length[i][j] = i == j ? 0 : least;
        }
    });
    return out;
}

double least_length(const BoundTask& task, const Blocks& blocks, const std::vector<BitBox>& sights,
                    std::int64_t spare) {
    const double side = task.walls().lattice().cells(growth_m) / blocks.side();
    const auto robots =
        static_cast<int>(std::count_if(task.team.begin(), task.team.end(), [](const Mover& m) { return m.sight > 0; }));
    const double unit = std::max(1.0, static_cast<double>(spare) / units);
    std::vector<bool> taken(sights.size());
    std::vector<std::vector<double>> tours;  // by set, then by units spared in it
    std::vector<double> lengths{0};
    for (std::size_t set = 0; set < most_sets; ++set) {
        const Visits visits = find_witnesses(task, blocks, sights, static_cast<int>(side * side), taken);
        if (visits.length.size() < 2) break;
        tours.push_back(least_tours(visits, unit, units, robots));
        lengths.insert(lengths.end(), tours.back().begin(), tours.back().end());
    }
    // Whoever drives this way spares in each set at least what makes that set's bound no longer than the way; rounding
    // up to units adds one at most in each.
    const auto enough = [&](double length) {
        std::size_t spared = 0;
        for (const std::vector<double>& tour : tours) {
            const auto first = std::find_if(tour.begin(), tour.end(), [&](double bound) { return bound <= length; });
            spared += first == tour.end() ? 2 * units + most_sets : static_cast<std::size_t>(first - tour.begin());
        }
        return spared <= static_cast<std::size_t>(static_cast<double>(spare) / unit) + tours.size();
    };
    std::sort(lengths.begin(), lengths.end());
    return *std::find_if(lengths.begin(), lengths.end(), enough);
}

}  // namespace outrider
