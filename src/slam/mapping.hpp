// Drawing a scan into a map.
//
// Polygon (default): the sector between beams i and i+1 is free up to the shorter of the two; then the cell of each hit
// is occupied for sure, and far away hits close to each other are joined by plain occupied cells where this scan filled
// nothing. Per beam: exactly the cells that each beam touched before its hit are free. Cones of echo sounders are drawn
// by slam/echoes.hpp. Source: the MRESim paper 2.4 (Spirin et al. 2014) with the rules found by trying them
// (docs/model.md).
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "messages/scan_geometry.hpp"
#include "outrider/detail/known_map.hpp"
#include "outrider/percept.hpp"

namespace outrider {

enum class MapUpdate { polygon, per_beam, whole_polygon };
inline constexpr std::array<std::string_view, 3> map_update_names{"polygon", "per_beam", "whole_polygon"};

struct MappingOptions {
    MapUpdate update = MapUpdate::polygon;
    double max_gap_cells = 0;
    double jump_cells = 2;
    double safe_share = 0.1;
    int join_cells = 5;
    /// Where the map keeps stamps: a wall counts where no free space was seen in so many steps.
    int doubt_steps = 0;
    /// Where poses err, by so many cells now and then: a wall stays unless the scan shows free space so far around it.
    int error_cells = 0;

    void fields(Fields& f) {
        f("update", update, map_update_names,
          "free space of a scan: the polygon of its beams, each sector as long as the shorter one; the beams alone; or "
          "the "
          "polygon through the ends of all beams");
        f("max_gap_cells", max_gap_cells, 0, 1000,
          "polygon only where neighbouring beams are at most so far apart, beams alone beyond; 0: everywhere");
        f("jump_cells", jump_cells, 0, 1000,
          "polygon and the beams that are longer than a neighbour by more than this, which see past an edge; 0: all");
        f("safe_share", safe_share, 0, 1, "free cells within this share of the sensor's range are sure to be free");
        f("join_cells", join_cells, 0, 100, "hits of neighbouring beams closer than this are joined; 0: never");
    }
};

/// By how many cells of this side poses that are matched err now and then.
inline int pose_error_cells(double cell_m) {
    constexpr double pose_error_m = 0.2;
    return static_cast<int>(std::ceil(pose_error_m / cell_m));
}

/// The cell or the two cells that a measured range can mean.
struct HitCells {
    std::array<Cell, 2> cells;
    int count = 0;
    double t = 0;  ///< cells that the ray entered before this length were seen to be free
};

/// The cell entered at the grid crossing nearest to the measured range; both candidates when a crossing of a row edge
/// and one of a column edge lie within `tolerance` of it. range and tolerance in cells.
HitCells locate_hit(const Ray& ray, double range, double tolerance);

/// Draws the scans of one sensor. Keeps what those of the last step covered.
class ScanMapper {
  public:
    ScanMapper(const SensorSpec& sensor, const Lattice& lattice, const MappingOptions& options);

    const ScanGeometry& geometry() const { return geometry_; }

    /// Merges the scan into the map. The body stands at `body` in the map's frame.
    void insert(KnownMap& map, const Pose& body, const Scan& scan, std::uint32_t step);
    /// The cells that the last scan, and others of the same step, gave information on, by tile; a tile is listed once
    /// for each scan.
    const std::vector<std::pair<TileCoord, BitTile>>& footprint() const { return footprint_; }
    /// How many cells that were unknown the last scan made known.
    int news() const { return news_; }

  private:
    ScanGeometry geometry_;
    Lattice lattice_;
    MappingOptions options_;
    std::vector<std::pair<TileCoord, BitTile>> footprint_;
    std::int64_t step_ = -1;  // of the footprint
    int news_ = 0;
};

}  // namespace outrider
