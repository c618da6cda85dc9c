#include "bound/sight.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/parallel.hpp"

namespace outrider {
namespace {

constexpr int most_blocks = 40'000;

/// What is seen from the middle of a block.
BitBox seen_from(const BoundTask& task, const Blocks& blocks, int block, double range) {
    BitMap scratch(blocks.columns(), blocks.rows());
    const Cell at = blocks.place(block);
    const int reach = static_cast<int>(range) / blocks.side() + 2;
    for_each_cell_in_sight(task.walls(), blocks.sample(block), range, [&](Cell c) {
        const Cell b = blocks.block_of(c);
        scratch.set(b.x, b.y);
    });
    return scratch.box(at.y - reach, at.y + reach, at.x - reach, at.x + reach);
}

}  // namespace

Blocks::Blocks(const Grid<std::uint8_t>& cells, const Grid<std::uint8_t>& counted, int side)
    : side_(side),
      columns_((cells.width() + side - 1) / side),
      rows_((cells.height() + side - 1) / side),
      origin_(cells.origin()) {
    const std::size_t all = static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_);
    std::vector<int> nonzero(all), counts(all);
    std::vector<double> nearest(all, std::numeric_limits<double>::infinity());
    std::vector<Cell> samples(all);
    for (std::size_t i = 0; i < cells.cells().size(); ++i) {
        if (!cells.cells()[i]) continue;
        const Cell c = cells.cell(i), b = block_of(c);
        const std::size_t k =
            static_cast<std::size_t>(b.y) * static_cast<std::size_t>(columns_) + static_cast<std::size_t>(b.x);
        ++nonzero[k];
        counts[k] += counted.cells()[i] != 0;
        const double x = c.x - origin_.x + 0.5 - side * (b.x + 0.5), y = c.y - origin_.y + 0.5 - side * (b.y + 0.5);
        if (x * x + y * y >= nearest[k]) continue;
        nearest[k] = x * x + y * y;
        samples[k] = c;
    }
    numbers_.assign(all, -1);
    for (std::size_t k = 0; k < all; ++k) {
        if (nonzero[k] == 0) continue;
        numbers_[k] = count();
        samples_.push_back(samples[k]);
        weights_.push_back(counts[k]);
        places_.push_back({static_cast<int>(k) % columns_, static_cast<int>(k) / columns_});
    }
}

int sure_side(const BoundTask& task) {
    const int gap = std::max(1, static_cast<int>(std::ceil(task.gap + 0.5)));
    const auto& cells = task.sensable.cells();
    const auto open = static_cast<double>(std::count_if(cells.begin(), cells.end(), [](auto c) { return c != 0; }));
    return std::max(gap, static_cast<int>(std::ceil(std::sqrt(open / most_blocks))));
}

std::vector<BitBox> sights(const BoundTask& task, const Blocks& blocks) {
    double range = 0;
    for (const Mover& m : task.team) range = std::max(range, m.sight);
    range += 1 + blocks.side();
    std::vector<BitBox> own(static_cast<std::size_t>(blocks.count())), all(own.size());
    const auto reach = static_cast<int>(range) / blocks.side() + 3;
    parallel_for(blocks.count(), [&](int b) { own[static_cast<std::size_t>(b)] = seen_from(task, blocks, b, range); });
    parallel_for(blocks.count(), [&](int b) {
        BitMap sum(blocks.columns(), blocks.rows());
        const Cell at = blocks.place(b);
        for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx) {
                const int other = blocks.number(at + Cell{dx, dy});
                const bool near =
                    other >= 0 &&
                    (other == b || walk_segment({blocks.sample(b).x + 0.5, blocks.sample(b).y + 0.5},
                                                {blocks.sample(other).x + 0.5, blocks.sample(other).y + 0.5},
                                                [&](Cell c, double) { return !task.walls().get(c, 1); }));
                if (near) sum.add(own[static_cast<std::size_t>(other)]);
            }
        all[static_cast<std::size_t>(b)] = sum.box(at.y - reach, at.y + reach, at.x - reach, at.x + reach);
    });
    return all;
}

}  // namespace outrider
