#include <algorithm>

#include "outrider/ray.hpp"
#include "outrider/topology.hpp"

namespace outrider {
namespace {

constexpr std::array<Cell, 4> beside{{{0, -1}, {-1, 0}, {1, 0}, {0, 1}}};
constexpr std::int32_t on_cut = -1;

Point middle(Cell c) { return {c.x + 0.5, c.y + 0.5}; }

}  // namespace

Segments::~Segments() = default;
Segments::Segments(Segments&&) noexcept = default;

std::int32_t& Segments::label(Cell c) {
    auto& tile = labels_.at(tile_of(c));
    if (!tile) tile = std::make_unique<Labels>();
    return (*tile)[static_cast<std::size_t>(row_in_tile(c) << 6 | column_in_tile(c))];
}

Segments::Segments(const NavMap& nav, const std::vector<CriticalPoint>& cuts) {
    // All cells that a line touches: steps that may not cut corners cannot slip through.
    std::vector<Cell> cut_cells;
    for (const CriticalPoint& cut : cuts)
        for (const Cell wall : {cut.left, cut.right})
            walk_segment(middle(cut.cell), middle(wall), [&](Cell c, double) {
                if (nav.reached(c)) cut_cells.push_back(c);
                return true;
            });
    std::sort(cut_cells.begin(), cut_cells.end());
    for (const Cell c : cut_cells) label(c) = on_cut;
    std::vector<Cell> cells;
    nav.tiles().for_each([&](TileCoord t, const NavTile& tile) {
        for (int row = 0; row < tile_size; ++row)
            for (std::uint64_t bits = tile.reached[static_cast<std::size_t>(row)]; bits; bits &= bits - 1)
                cells.push_back(cell_of(t, std::countr_zero(bits), row));
    });
    std::sort(cells.begin(), cells.end());
    for (const Cell c : cells)
        if (label(c) == 0) {
            segments_.push_back({c});
            flood(nav, c, static_cast<std::int32_t>(segments_.size()));
        }
    // Cells on a cut join what lies beside them, one row of them after the other.
    for (bool joined = true; joined;) {
        joined = false;
        for (const Cell c : cut_cells) {
            if (label(c) != on_cut) continue;
            for (const Cell d : beside)
                if (const int segment = of(c + d); segment >= 0) {
                    label(c) = segment + 1;
                    ++segments_[static_cast<std::size_t>(segment)].cells;
                    joined = true;
                    break;
                }
        }
    }
    for (const Cell c : cells)
        if (const int segment = of(c); segment >= 0 && nav.frontier(c))
            ++segments_[static_cast<std::size_t>(segment)].frontier_cells;
}

void Segments::flood(const NavMap& nav, Cell first, std::int32_t id) {
    std::vector<Cell> open{first};
    label(first) = id;
    while (!open.empty()) {
        const Cell c = open.back();
        open.pop_back();
        ++segments_[static_cast<std::size_t>(id - 1)].cells;
        for (const Cell d : beside)
            if (const Cell n = c + d; nav.reached(n) && label(n) == 0) {
                label(n) = id;
                open.push_back(n);
            }
    }
}

int Segments::of(Cell c) const {
    const auto* tile = labels_.find(tile_of(c));
    if (!tile || !*tile) return -1;
    const std::int32_t label = (**tile)[static_cast<std::size_t>(row_in_tile(c) << 6 | column_in_tile(c))];
    return label > 0 ? label - 1 : -1;
}

}  // namespace outrider
