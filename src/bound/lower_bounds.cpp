#include "bound/lower_bounds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/parallel.hpp"
#include "bound/least_paths.hpp"
#include "bound/witnesses.hpp"

namespace outrider {
namespace {

/// So many cells have to be known for a share.
std::int64_t cells_for(const BoundTask& task, double share) {
    return static_cast<std::int64_t>(std::ceil(share * static_cast<double>(task.cells) - 1e-6));
}

/// By block, the first step in which a robot can be in it.
std::vector<int> arrivals(const BoundTask& task, const Blocks& blocks) {
    std::vector<int> out(static_cast<std::size_t>(blocks.count()), std::numeric_limits<int>::max());
    for (const Mover& m : task.team) {
        if (m.sight == 0) continue;
        const LeastPaths lengths(*m.reach, std::span(&m.start, 1));
        for (std::size_t i = 0; i < m.reach->cells().size(); ++i) {
            const Cell c = m.reach->cell(i);
            const int block = m.reach->cells()[i] ? blocks.number(blocks.block_of(c)) : -1;
            if (block < 0) continue;
            const double steps = std::ceil(lengths.to(c) / m.step - 1e-9);
            int& first = out[static_cast<std::size_t>(block)];
            if (steps < first) first = static_cast<int>(steps);
        }
    }
    return out;
}

LowerBound bound_length(const BoundTask& task, const Blocks& blocks, const std::vector<BitBox>& sights) {
    LowerBound out{"way", "the path to where so much is in sight", {}};
    const std::vector<int> arrival = arrivals(task, blocks);
    std::vector<std::pair<int, int>> seen;  // first step, cells
    for (std::size_t b = 0; b < sights.size(); ++b) {
        int first = std::numeric_limits<int>::max();
        for_each_bit(sights[b], [&](int x, int y) {
            if (const int from = blocks.number({x, y}); from >= 0)
                first = std::min(first, arrival[static_cast<std::size_t>(from)]);
        });
        seen.emplace_back(first, blocks.weight(static_cast<int>(b)));
    }
    std::sort(seen.begin(), seen.end());
    for (std::size_t k = 0; k < bound_shares.size(); ++k) {
        std::int64_t left = cells_for(task, bound_shares[k]);
        for (const auto& [step, cells] : seen) {
            out.steps[k] = step;
            if ((left -= cells) <= 0) break;
        }
    }
    return out;
}

/// Most cells that a robot can see from around a block, and not from the block.
std::int64_t news_around(const Blocks& blocks, const std::vector<BitBox>& sights, int block, double step) {
    BitMap seen(blocks.columns(), blocks.rows());
    const auto reach = static_cast<int>(step / blocks.side()) + 2;
    const Cell at = blocks.place(block);
    std::vector<Cell> queue{at};
    Grid<std::uint8_t> done(2 * reach + 1, 2 * reach + 1, 0, {}, at - Cell{reach, reach});
    done[at] = 1;
    for (std::size_t k = 0; k < queue.size(); ++k) {
        seen.add(sights[static_cast<std::size_t>(blocks.number(queue[k]))]);
        for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx) {
                const Cell next = queue[k] + Cell{dx, dy}, d = next - at;
                const double off =
                    blocks.side() * std::hypot(std::max(0, std::abs(d.x) - 1), std::max(0, std::abs(d.y) - 1));
                if (off > step || !done.contains(next) || done[next] || blocks.number(next) < 0) continue;
                done[next] = 1;
                queue.push_back(next);
            }
    }
    return std::int64_t{blocks.side()} * blocks.side() *
           (seen.count() + seen.news(sights[static_cast<std::size_t>(block)]) -
            BitMap(blocks.columns(), blocks.rows()).news(sights[static_cast<std::size_t>(block)]));
}

LowerBound bound_sight(const BoundTask& task, const Blocks& blocks, const std::vector<BitBox>& sights) {
    LowerBound out{"sight", "what can come into sight in a step", {}};
    double step = 0, robots = 0;
    BitMap first(blocks.columns(), blocks.rows());
    for (const Mover& m : task.team) {
        if (m.sight == 0) continue;
        ++robots;
        step = std::max(step, m.step);
        if (const int b = blocks.number(blocks.block_of(m.start)); b >= 0)
            first.add(sights[static_cast<std::size_t>(b)]);
    }
    std::vector<std::int64_t> news(sights.size());
    parallel_for(blocks.count(),
                 [&](int b) { news[static_cast<std::size_t>(b)] = news_around(blocks, sights, b, step); });
    const double most =
        robots * static_cast<double>(std::max<std::int64_t>(1, *std::max_element(news.begin(), news.end())));
    const double seen = static_cast<double>(first.count()) * blocks.side() * blocks.side();
    for (std::size_t k = 0; k < bound_shares.size(); ++k)
        out.steps[k] = static_cast<int>(
            std::ceil(std::max(0.0, static_cast<double>(cells_for(task, bound_shares[k])) - seen) / most));
    return out;
}

LowerBound bound_witnesses(const BoundTask& task, const Blocks& blocks, const std::vector<BitBox>& sights) {
    LowerBound out{"witnesses", "parts that are seen only from near have to be visited", {}};
    double speed = 0;
    for (const Mover& m : task.team)
        if (m.sight > 0) speed += m.step;
    for (std::size_t k = 0; k < bound_shares.size(); ++k) {
        const double length = least_length(task, blocks, sights, task.cells - cells_for(task, bound_shares[k]));
        out.steps[k] = static_cast<int>(std::ceil(length / speed - 1e-6));
    }
    return out;
}

}  // namespace

const LowerBound& LowerBounds::best(std::size_t share) const {
    return *std::max_element(all.begin(), all.end(),
                             [&](const LowerBound& a, const LowerBound& b) { return a.steps[share] < b.steps[share]; });
}

LowerBounds lower_bounds(const BoundTask& task) {
    const Blocks blocks(task.sensable, task.counted, sure_side(task));
    const std::vector<BitBox> sights = outrider::sights(task, blocks);
    return {
        {bound_length(task, blocks, sights), bound_sight(task, blocks, sights), bound_witnesses(task, blocks, sights)}};
}

}  // namespace outrider
