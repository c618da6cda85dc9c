#include "world/components.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/bits.hpp"
#include "base/disjoint_sets.hpp"
#include "outrider/detail/tiles.hpp"

namespace outrider {
namespace {

/// Calls visit(first, end) for the runs of set bits in a row of so many words.
template <class Visit>
void for_each_run(const std::uint64_t* row, int words, Visit&& visit) {
    int first = -1;  // of a run that goes on from the word before
    for (int w = 0; w < words; ++w) {
        std::uint64_t left = row[w];
        if (first >= 0) {
            const int ones = std::countr_one(left);
            if (ones == 64) continue;
            visit(std::exchange(first, -1), 64 * w + ones);
            left &= left + 1;
        }
        while (left) {
            const int begin = std::countr_zero(left), ones = std::countr_one(left >> begin);
            if (begin + ones == 64) {
                first = 64 * w + begin;
                break;
            }
            visit(64 * w + begin, 64 * w + begin + ones);
            left &= left + (left & -left);
        }
    }
    if (first >= 0) visit(first, 64 * words);
}

}  // namespace

CellBits nonzero_bits(const Grid<std::uint8_t>& cells) {
    CellBits out(cells.width(), cells.height(), cells.origin());
    const std::uint8_t* cell = cells.cells().data();
    for (int y = 0; y < cells.height(); ++y)
        for (int word = 0; word < out.words(); ++word) {
            const int count = std::min(64, cells.width() - 64 * word);
            out.row(y)[word] = nonzero_bits(cell, count);
            cell += count;
        }
    return out;
}

CellBits open_bits(const Grid<std::uint8_t>& blocked) {
    CellBits out = nonzero_bits(blocked);
    for (int y = 0; y < out.height(); ++y)
        for (int word = 0; word < out.words(); ++word)
            out.row(y)[word] = ~out.row(y)[word] & (~std::uint64_t{0} >> (64 - std::min(64, out.width() - 64 * word)));
    return out;
}

CellBits eroded(const CellBits& cells) {
    CellBits inner(cells.width(), cells.height(), cells.origin());
    const int last = cells.words() - 1;
    for (int y = 1; y + 1 < cells.height(); ++y) {
        const std::uint64_t *below = cells.row(y - 1), *here = cells.row(y), *above = cells.row(y + 1);
        std::uint64_t before = 0, now = below[0] & here[0] & above[0];
        for (int w = 0; w <= last; ++w) {
            const std::uint64_t next = w < last ? below[w + 1] & here[w + 1] & above[w + 1] : 0;
            inner.row(y)[w] = now & (now << 1 | before >> 63) & (now >> 1 | next << 63);
            before = std::exchange(now, next);
        }
    }
    return inner;
}

bool keep_common(CellBits& cells, const CellBits& others) {
    const auto any = [&](int y) {
        for (int w = 0; w < cells.words(); ++w)
            if (cells.row(y)[w] & others.row(y)[w]) return true;
        return false;
    };
    int y = 0;
    while (y < cells.height() && !any(y)) ++y;
    if (y == cells.height()) return false;
    for (y = 0; y < cells.height(); ++y)
        for (int w = 0; w < cells.words(); ++w) cells.row(y)[w] &= others.row(y)[w];
    return true;
}

/// 64 cells at a time.
CellBits connected_bits(const CellBits& open, std::span<const Cell> seeds) {
    CellBits reached(open.width(), open.height(), open.origin());
    std::vector<std::pair<int, int>> queue;
    const auto reach = [&](int row, int word, std::uint64_t bits) {
        if (row < 0 || row >= open.height() || word < 0 || word >= open.words()) return;
        std::uint64_t& before = reached.row(row)[word];
        if ((bits & open.row(row)[word] & ~before) == 0) return;
        before |= fill_runs(bits & open.row(row)[word], open.row(row)[word]);
        queue.emplace_back(row, word);
    };
    for (const Cell c : seeds)
        if (open.contains(c)) {
            const Cell at = c - open.origin();
            reach(at.y, at.x >> 6, std::uint64_t{1} << (at.x & 63));
        }
    while (!queue.empty()) {
        const auto [row, word] = queue.back();
        queue.pop_back();
        const std::uint64_t bits = reached.row(row)[word];
        reach(row + 1, word, bits);
        reach(row - 1, word, bits);
        reach(row, word + 1, bits >> 63);
        reach(row, word - 1, bits << 63);
    }
    return reached;
}

Grid<std::uint8_t> bytes_of(const CellBits& cells, const Lattice& lattice) {
    Grid<std::uint8_t> bytes(cells.width(), cells.height(), 0, lattice, cells.origin());
    std::uint8_t* out = bytes.cells().data();
    for (int y = 0; y < cells.height(); ++y)
        for (int word = 0; word < cells.words(); ++word) {
            const int count = std::min(64, cells.width() - 64 * word);
            if (const std::uint64_t bits = cells.row(y)[word]) write_bytes(bits, count, out);
            out += count;
        }
    return bytes;
}

Grid<std::uint8_t> connected_cells(const Grid<std::uint8_t>& blocked, const std::vector<Cell>& seeds) {
    return bytes_of(connected_bits(open_bits(blocked), seeds), blocked.lattice());
}

/// Runs of a row are joined with those of the row below that they touch; the first run of a component stands for it.
std::vector<CellRun> label_runs(const Grid<std::uint8_t>& blocked) {
    const CellBits open = open_bits(blocked);
    const Cell origin = blocked.origin();
    std::vector<CellRun> runs;
    for (int y = 0; y < open.height(); ++y)
        for_each_run(open.row(y), open.words(), [&](int first, int end) {
            runs.push_back({origin.y + y, origin.x + first, origin.x + end, 0});
        });
    DisjointSets sets(runs.size());
    std::size_t below = 0, below_end = 0;
    for (std::size_t i = 0; i < runs.size();) {
        const std::size_t row = i;
        const int y = runs[row].y;
        if (below_end > below && runs[below].y != y - 1) below = below_end;
        for (; i < runs.size() && runs[i].y == y; ++i) {
            while (below < below_end && runs[below].end <= runs[i].x) ++below;
            for (std::size_t k = below; k < below_end && runs[k].x < runs[i].end; ++k)
                sets.join(static_cast<int>(i), static_cast<int>(k));
        }
        below = row;
        below_end = i;
    }
    std::int32_t next = 1;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const auto first = static_cast<std::size_t>(sets.least(static_cast<int>(i)));
        runs[i].label = first == i ? next++ : runs[first].label;
    }
    return runs;
}

Grid<std::int32_t> label_components(const Grid<std::uint8_t>& blocked) {
    Grid<std::int32_t> labels(blocked.width(), blocked.height(), 0, blocked.lattice(), blocked.origin());
    std::int32_t* cells = labels.cells().data();
    for (const CellRun& run : label_runs(blocked)) {
        const std::size_t first = labels.index({run.x, run.y});
        std::fill(cells + first, cells + first + static_cast<std::size_t>(run.end - run.x), run.label);
    }
    return labels;
}

}  // namespace outrider
