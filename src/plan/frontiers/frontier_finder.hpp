// Finding the frontiers of a map and keeping them up to date as it grows.
#pragma once

#include <vector>

#include "outrider/detail/boxed.hpp"
#include "outrider/detail/nav_map.hpp"
#include "outrider/frontier.hpp"
#include "outrider/options.hpp"
#include "plan/frontiers/frontier_finder.hpp"

namespace outrider {

enum class Leftovers { last, drop };
inline constexpr std::array<std::string_view, 2> leftovers_names{"last", "drop"};

struct FrontierOptions {
    FrontierKind kind = FrontierKind::unknown;
    int min_cells = 10;
    Leftovers leftovers = Leftovers::last;
    /// No options of users. For regions: the cell of the map's frame at the upper left of MRESim's image, and the
    /// number that picks a cell of an outline.
    Cell image_corner;
    std::uint32_t pick = 0;

    /// Whether robots look for what no camera has cleared.
    bool after_cleared() const { return kind == FrontierKind::uncleared || kind == FrontierKind::then_uncleared; }

    void fields(Fields& f) {
        f("kind", kind, frontier_kind_names,
          "unknown: free cells beside unknown ones; unsafe: free cells that are not sure to be free; uncleared: free "
          "cells that no camera has cleared; then_uncleared: these, when no free cell beside unknown ones is left; "
          "regions: "
          "all that is not sure to be free, with goals as in MRESim");
        f("min_cells", min_cells, 1, 100000, "clusters of fewer cells are leftovers");
        f("leftovers", leftovers, leftovers_names, "leftovers are explored when nothing larger is left, or never");
    }
};

/// All clusters of reached cells from which the unknown can be seen, kept up to date as the map grows: only clusters
/// that have, or touch, a cell that changed are built anew.
class FrontierFinder {
  public:
    explicit FrontierFinder(const FrontierOptions& options = {});
    ~FrontierFinder();
    FrontierFinder(const FrontierFinder&);
    FrontierFinder(FrontierFinder&&) noexcept;
    FrontierFinder& operator=(FrontierFinder&&) noexcept;

    /// The clusters, up to date, ordered by their first cells (row, then column). The goal is one of the cluster's
    /// cells. Clusters below min_cells are marked as leftovers, or left out. `nav` belongs to `map`; both are the same
    /// in each call.
    const std::vector<Frontier>& update(const KnownMap& map, const NavMap& nav);

    struct Counters {
        std::uint64_t tiles_looked = 0;  ///< tiles in which frontier cells were collected
        std::uint64_t cells_looked = 0;  ///< frontier cells clustered anew
        std::uint64_t rebuilds = 0;      ///< updates from scratch
    };
    const Counters& counters() const { return counters_; }

  private:
    struct Clusters;
    FrontierOptions options_;
    Boxed<Clusters> clusters_;
    std::vector<Frontier> frontiers_;
    ChangeCursor seen_, map_seen_;  // of the frontiers and of the map
    Counters counters_;
};

/// The same from scratch.
std::vector<Frontier> find_frontiers(const KnownMap& map, const NavMap& nav, const FrontierOptions& options);

/// Reached cells that are not marked as cleared, in squares of `side` cells: a cluster for each square that has any.
/// Its goal, which is also where to look, is the cell nearest to their centroid.
std::vector<Frontier> find_uncleared(const KnownMap& map, const NavMap& nav, int side, int min_cells);

}  // namespace outrider
