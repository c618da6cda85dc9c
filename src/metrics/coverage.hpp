// How much of the truth is known, to whom, and since when. A cell is known to somebody when it is sensable, truly free,
// and believed to be free. Follows the maps of the robots tile by tile.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "metrics/true_view.hpp"
#include "outrider/detail/boxed.hpp"
#include "robot/robot.hpp"
#include "run/run.hpp"

namespace outrider {

/// How often each of some small numbers occurred.
class Counts {
  public:
    void add(std::uint32_t value, std::int64_t times = 1) {
        if (value >= counts_.size()) counts_.resize(2 * std::size_t{value} + 1);
        counts_[value] += times;
        all_ += times;
        sum_ += times * value;
    }
    std::int64_t all() const { return all_; }
    double mean() const { return static_cast<double>(sum_) / static_cast<double>(all_); }
    /// The number at index floor(p (all - 1)) of all numbers in sorted order; all > 0.
    double percentile(double p) const {
        auto left = static_cast<std::int64_t>(p * static_cast<double>(all_ - 1));
        std::size_t value = 0;
        while (left >= counts_[value]) left -= counts_[value++];
        return static_cast<double>(value);
    }

  private:
    std::vector<std::int64_t> counts_;
    std::int64_t all_ = 0, sum_ = 0;
};

class Coverage {
  public:
    /// sensable: in the team's frame. `base`: which robots are base stations.
    Coverage(const Grid<std::uint8_t>& sensable, std::vector<bool> base);

    /// `truth`: of the same step.
    void update(const StepView& view, const TrueView& truth);

    std::int64_t sensable() const { return sensable_; }
    std::int64_t team() const { return team_; }                                ///< known to somebody who is in service
    std::int64_t base() const { return base_; }                                ///< known to some base
    std::int64_t known_once() const;                                           ///< known to somebody at some time
    const std::vector<std::int64_t>& robots() const { return robot_cells_; }   ///< known to each
    const std::vector<std::int64_t>& sensed() const { return sensed_cells_; }  ///< seen by each with its own sensors
    std::int64_t sensed_by_any() const { return sensed_by_any_; }
    const TileTable<BitTile>& sensable_plane() const { return sensable_plane_; }
    /// Steps from the first sensing of a cell to a base knowing it: one entry per cell, when a base first got to know
    /// it.
    const Counts& latencies() const { return latencies_; }
    std::int64_t new_at_base() const { return new_at_base_; }  ///< cells that a base learned in the last step
    std::int64_t new_to_team() const { return new_to_team_; }  ///< likewise; losses in the same step not subtracted

  private:
    void take_in(const StepView& view, std::size_t robot, const TileChange& change);
    void lose(const StepView& view, std::size_t robot, TileCoord t);
    void add_known(TileCoord t, const CellTile& tile, const BitTile& mask, BitTile& team, std::uint32_t step);
    void add_known_to_base(TileCoord t, const CellTile& tile, const BitTile& mask, std::uint32_t step);
    void recount(TileCoord t, const StepView& view);
    void note_first(TileCoord t, std::size_t row, std::uint64_t known, std::uint32_t step);
    void note_arrived(TileCoord t, std::size_t row, std::uint64_t at_base, std::uint32_t step);
    void add_footprints(const StepView& view, const TrueView& truth);

    const KnownMap& map(std::size_t robot) const { return *maps_[robot]; }

    std::vector<bool> is_base_;
    std::vector<const KnownMap*> maps_;  // of this step, by robot
    std::int64_t sensable_ = 0, team_ = 0, base_ = 0, new_at_base_ = 0, new_to_team_ = 0, sensed_by_any_ = 0;
    TileTable<BitTile> sensable_plane_, team_plane_, base_plane_, any_plane_;
    /// Cells of a row of a tile that were sensed for the first time in the same step.
    struct FirstSeen {
        std::uint64_t cells;
        std::uint32_t step;
        std::int32_t earlier;  // index in first_seen_ of the previous entry of the same row; -1: none
    };
    struct SeenTile {
        BitTile seen;     // by anybody, ever
        BitTile arrived;  // at a base, ever
        std::array<std::int32_t, tile_size> latest;
        SeenTile() { latest.fill(-1); }
    };
    std::vector<FirstSeen> first_seen_;
    TileTable<Boxed<SeenTile>> seen_;
    Counts latencies_;
    std::vector<std::int64_t> robot_cells_, sensed_cells_;
    std::vector<TileTable<std::uint16_t>> robot_counts_;   // cells known, by tile
    std::vector<TileTable<Boxed<BitTile>>> sensed_plane_;  // a robot sees little of a large map
    std::vector<ChangeCursor> seen_maps_;
    std::vector<bool> alive_;
    /// What happened to a tile in this step.
    struct TileNews {
        bool any = false;
        bool lost = false;                                      // somebody may know less of it than before
        const CellTile* counted = nullptr;                      // the tile of the last robot whose cells were counted
        std::uint16_t count = 0;                                // of its cells that are known
        std::uint64_t disputed_rows = 0, disputed_columns = 0;  // where it holds occupied what the team holds free
    };
    TileTable<TileNews> changes_;
    std::vector<TileCoord> changed_;
};

}  // namespace outrider
