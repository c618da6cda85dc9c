// How much of the truth is known, to whom, and since when. A cell is known to somebody when it is sensable, truly free,
// and believed to be free. Follows the maps of the robots tile by tile.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "outrider/robot.hpp"
#include "run/run.hpp"

namespace outrider {

/// How often each of some small numbers occurred.
class Counts {
  public:
    void add(std::uint32_t value) {
        if (value >= counts_.size()) counts_.resize(2 * std::size_t{value} + 1);
        ++counts_[value];
        ++all_;
        sum_ += value;
    }
    std::int64_t all() const { return all_; }
    double mean() const { return static_cast<double>(sum_) / static_cast<double>(all_); }
    /// The number in place floor(p (all - 1)) of all in order; all > 0.
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

    void update(const StepView& view);

    std::int64_t sensable() const { return sensable_; }
    std::int64_t team() const { return team_; }                                ///< known to somebody who is in service
    std::int64_t base() const { return base_; }                                ///< known to some base
    const std::vector<std::int64_t>& robots() const { return robot_cells_; }   ///< known to each
    const std::vector<std::int64_t>& sensed() const { return sensed_cells_; }  ///< seen by each with its own sensors
    std::int64_t sensed_by_any() const { return sensed_by_any_; }
    const TileTable<BitTile>& sensable_plane() const { return sensable_plane_; }
    /// Steps from the first sensing of a cell to a base knowing it: one entry per cell that a base got to know.
    const Counts& latencies() const { return latencies_; }
    std::int64_t new_at_base() const { return new_at_base_; }  ///< cells of the last step

  private:
    void collect_changes(const StepView& view);
    void recount(TileCoord t, std::uint64_t rows, const StepView& view);
    void add_footprints(const StepView& view);

    std::vector<bool> is_base_;
    std::int64_t sensable_ = 0, team_ = 0, base_ = 0, new_at_base_ = 0, sensed_by_any_ = 0;
    TileTable<BitTile> sensable_plane_, team_plane_, base_plane_, any_plane_;
    Grid<std::uint32_t> first_seen_;  // 1 + step of the first sensing
    Counts latencies_;
    std::vector<std::int64_t> robot_cells_, sensed_cells_;
    std::vector<TileTable<std::uint16_t>> robot_counts_;             // cells known, by tile
    std::vector<TileTable<std::unique_ptr<BitTile>>> sensed_plane_;  // a robot sees little of a large map
    std::vector<std::uint64_t> seen_version_;
    std::vector<bool> alive_;
    TileTable<std::uint64_t> dirty_;  // rows
    std::vector<TileCoord> dirty_tiles_;
};

}  // namespace outrider
