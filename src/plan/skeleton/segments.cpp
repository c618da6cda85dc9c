#include <algorithm>

#include "outrider/ray.hpp"
#include "outrider/skeleton.hpp"

namespace outrider {
namespace {

constexpr std::array<Cell, 4> four_sides{{{0, -1}, {-1, 0}, {1, 0}, {0, 1}}};
constexpr std::int32_t on_cut = -1;

Point centre_of(Cell c) { return {c.x + 0.5, c.y + 0.5}; }

}  // namespace

struct Segments::State {
    using Labels = std::array<std::int32_t, tile_size * tile_size>;
    using Done = TileTable<BitTile>;

    State(const NavMap& nav, const std::vector<CriticalPoint>& cuts);
    std::int32_t& label(Cell c);
    void flood(const NavMap& nav, Cell first, std::int32_t id, Done& done);
    int of(Cell c) const;

    std::vector<Segment> segments;
    TileTable<std::unique_ptr<Labels>> labels;  // segment + 1; 0: none; -1: on a cut
};

Segments::Segments(const NavView& nav, const std::vector<CriticalPoint>& cuts)
    : state_(std::make_shared<State>(nav, cuts)) {}
const std::vector<Segments::Segment>& Segments::all() const { return state_->segments; }
int Segments::of(Cell c) const { return state_->of(c); }

std::int32_t& Segments::State::label(Cell c) {
    auto& tile = labels.at(tile_of(c));
    if (!tile) tile = std::make_unique<Labels>();
    return (*tile)[static_cast<std::size_t>(row_in_tile(c) << 6 | column_in_tile(c))];
}

Segments::State::State(const NavMap& nav, const std::vector<CriticalPoint>& cuts) {
    // All cells that a line touches: steps that may not cut corners cannot slip through.
    std::vector<Cell> cut_cells;
    for (const CriticalPoint& cut : cuts)
        for (const Cell wall : {cut.left, cut.right})
            walk_segment(centre_of(cut.cell), centre_of(wall), [&](Cell c, double) {
                if (nav.reached(c)) cut_cells.push_back(c);
                return true;
            });
    std::sort(cut_cells.begin(), cut_cells.end());
    Done done;
    for (const Cell c : cut_cells) {
        label(c) = on_cut;
        done.at(tile_of(c)).set(c);
    }
    // Row by row over the whole map: segments count up by their first cells.
    const auto [low, high] = nav.extent();
    for (int ty = low.y; ty <= high.y; ++ty)
        for (int row = 0; row < tile_size; ++row)
            for (int tx = low.x; tx <= high.x; ++tx) {
                const NavTile* tile = nav.tile({tx, ty});
                if (!tile) continue;
                const auto i = static_cast<std::size_t>(row);
                while (const std::uint64_t left = nav.reached_rows({tx, ty})[i] & ~done.at({tx, ty}).rows[i]) {
                    segments.push_back({cell_of({tx, ty}, std::countr_zero(left), row)});
                    flood(nav, segments.back().first, static_cast<std::int32_t>(segments.size()), done);
                }
            }
    // Cells on a cut join what lies beside them, one row of them after the other.
    for (bool joined = true; joined;) {
        joined = false;
        for (const Cell c : cut_cells) {
            if (label(c) != on_cut) continue;
            for (const Cell d : four_sides)
                if (const int segment = of(c + d); segment >= 0) {
                    label(c) = segment + 1;
                    ++segments[static_cast<std::size_t>(segment)].cells;
                    segments[static_cast<std::size_t>(segment)].frontier_cells += nav.frontier(c);
                    joined = true;
                    break;
                }
        }
    }
}

/// Labels the 4-connected reached cells around `first` that are not done yet, runs of a row of a tile at a time.
void Segments::State::flood(const NavMap& nav, Cell first, std::int32_t id, Done& done) {
    struct Seeds {
        TileCoord tile;
        int row;
        std::uint64_t bits;
    };
    std::vector<Seeds> open{{tile_of(first), row_in_tile(first), std::uint64_t{1} << column_in_tile(first)}};
    Segment& segment = segments[static_cast<std::size_t>(id - 1)];
    while (!open.empty()) {
        const Seeds at = open.back();
        open.pop_back();
        const NavTile* tile = nav.tile(at.tile);
        if (!tile) continue;
        const auto i = static_cast<std::size_t>(at.row);
        std::uint64_t& finished = done.at(at.tile).rows[i];
        const std::uint64_t pass = nav.reached_rows(at.tile)[i] & ~finished;
        if ((at.bits & pass) == 0) continue;
        const std::uint64_t run = fill_runs(at.bits & pass, pass);
        finished |= run;
        segment.cells += std::popcount(run);
        segment.frontier_cells += std::popcount(run & tile->frontier[i]);
        std::int32_t* first_label = &label(cell_of(at.tile, 0, at.row));
        for (std::uint64_t bits = run; bits; bits &= bits - 1) first_label[std::countr_zero(bits)] = id;
        const auto spread = [&](TileCoord t, int row, std::uint64_t bits) {
            if (row < 0) --t.y;
            if (row >= tile_size) ++t.y;
            open.push_back({t, row & 63, bits});
        };
        spread(at.tile, at.row - 1, run);
        spread(at.tile, at.row + 1, run);
        if (run & 1) spread({at.tile.x - 1, at.tile.y}, at.row, std::uint64_t{1} << 63);
        if (run >> 63) spread({at.tile.x + 1, at.tile.y}, at.row, 1);
    }
}

int Segments::State::of(Cell c) const {
    const auto* tile = labels.find(tile_of(c));
    if (!tile || !*tile) return -1;
    const std::int32_t label = (**tile)[static_cast<std::size_t>(row_in_tile(c) << 6 | column_in_tile(c))];
    return label > 0 ? label - 1 : -1;
}

}  // namespace outrider
