// How often robots passed each cell: counted from their tracks, forwards and backwards in time.
#pragma once

#include <memory>

#include "view/snapshot.hpp"
#include "view/source.hpp"

namespace outrider::view {

class Visits {
  public:
    using Tile = std::array<std::uint32_t, tile_size * tile_size>;

    Visits() = default;
    explicit Visits(const RunInfo& info);

    /// Counts the passes of these robots in the rows before `step`, or removes those counted too far. At most this many
    /// rows a call; returns whether all is done. A pass: the body, at least 0.25 m around its centre, comes over the
    /// cell and was not over it before the step.
    bool follow(const std::vector<StepRow>& rows, int step, const std::vector<std::uint8_t>& robots,
                std::size_t most_rows = 500);
    void clear();
    /// nullptr: no visits there.
    const Tile* tile(TileCoord t) const {
        const auto* slot = tiles_.find(t);
        return slot ? slot->get() : nullptr;
    }
    std::uint32_t at(Cell c) const;
    /// Tiles that changed since the last call, sorted.
    std::vector<TileCoord> take_changed();

  private:
    void count(const std::vector<StepRow>& rows, std::size_t row, std::uint32_t by);
    void cover(std::size_t robot, Point at);

    Lattice lattice_;
    std::vector<std::vector<Cell>> body_;  // by robot: cells of a disc around the one that holds its centre
    std::vector<std::uint8_t> robots_;
    std::size_t counted_ = 0;  // rows
    TileTable<std::unique_ptr<Tile>> tiles_;
    std::vector<TileCoord> changed_;
    std::vector<Cell> over_;  // of a step
};

}  // namespace outrider::view
