// A coarse graph of the places that a robot can drive to, kept up as its map grows: what policies on graphs observe.
//
// Places are the points of a square lattice on which the robot can stand. Two of them are neighbours when at most two
// lattice steps lie between them in each direction and the straight line between them can be driven. Only places near
// what changed are looked at again.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "outrider/belief.hpp"
#include "outrider/detail/tiles.hpp"

namespace outrider {

/// Of a place. Lengths are in ranges of the robot's farthest sensor, as in outrider/features.hpp.
enum class PlaceFeature {
    dx,         ///< from the robot, along the x of its frame
    dy,         ///< the same along y
    utility,    ///< frontier cells in sight within two lattice steps, as a length; none from a place that was visited
    guidepost,  ///< 1: on the shortest path over the graph to the nearest place with utility
    visited,    ///< 1: the robot was nearer than half a lattice step
    mate,       ///< 1: the nearest place to a team-mate, as last heard
};
inline constexpr std::array<std::string_view, 6> place_feature_names{"dx",        "dy",      "utility",
                                                                     "guidepost", "visited", "mate"};

struct PlaceGraphOptions {
    double spacing_m = 0;  ///< of the lattice; 0: a fifth of the range of the robot's farthest sensor
    int most = 512;        ///< places that are shown; of more those that are nearest to the robot
};

class PlaceGraph {
  public:
    /// Slots for neighbours: the five by five places around one, by row, then column, without the middle.
    static constexpr int neighbours = 24;
    /// Of a robot at a place: the first along x, the others counter-clockwise by an eighth of a turn each.
    static constexpr int headings = 8;

    explicit PlaceGraph(const PlaceGraphOptions& options) : options_(options) {}

    /// Takes in what changed since the last call; cheap. To be called in each step. The first call throws Error when
    /// the spacing is less than a cell.
    void update(const Belief& belief);
    /// Computes anew what depends on it. What follows here is as of the last call.
    void refresh(const Belief& belief);

    struct Rows {
        std::span<float> features;          ///< most x place_feature_names.size()
        std::span<std::int32_t> neighbour;  ///< most x neighbours: row of the neighbour in each slot; -1: none
        std::span<std::int8_t> mask;        ///< most: 1: there is a place in this row
        std::span<float> ahead{};           ///< most x headings: the utility that lies nearest to each; or empty
    };
    /// Refreshes, and fills rows; returns the row of the place where the robot is, -1 when there is none.
    int fill(const Belief& belief, const Rows& rows);

    /// The place nearest to the robot, of those that it can drive to; none: no such place within two lattice steps.
    std::optional<Cell> current() const;
    /// The cells of its neighbours, by slot.
    std::array<std::optional<Cell>, neighbours> around() const;
    /// The frontier cell nearest to a place with utility, of those in sight: where to look there.
    std::optional<Cell> look_from(Cell place) const;

    /// Whether the graph leads from there to a place with utility.
    bool guided() const { return guided_; }

    /// All places that the robot can reach, by row, then column; of one of them a bit for each slot with a neighbour,
    /// and its utility in cells.
    std::vector<Cell> places(const Belief& belief) const;
    std::uint32_t edges_of(Cell place) const;
    int utility_of(Cell place) const;
    /// The parts of its utility that lie nearest to each heading.
    const std::array<std::uint16_t, headings>& ahead_of(Cell place) const;
    int spacing_cells() const { return spacing_; }

  private:
    /// A point of the lattice.
    struct Place {
        std::uint32_t edges = 0;  // bit k: neighbour in slot k
        std::int32_t utility = 0, row = -1;
        std::array<std::uint16_t, headings> ahead{};  // the utility by heading
        Cell look;                                    // the nearest of the frontier cells in sight
        bool there = false;                           // the robot could stand on it
        bool visited = false, dirty = false, guidepost = false, mate = false;
    };
    void begin(const Belief& belief);
    void mark(Cell low, Cell high);
    static void clear_utility(Place& place);
    void compute_place(const NavMap& nav, TileCoord at);
    void compute_edges(const NavMap& nav, TileCoord at);
    void look_around(const NavMap& nav, Cell from, Place& place) const;
    void find_current(const Belief& belief);
    void find_guideposts();
    void mark_mates(const Belief& belief);
    Cell cell_at(TileCoord at) const { return {at.x * spacing_, at.y * spacing_}; }
    TileCoord nearest_to(Cell c) const;

    PlaceGraphOptions options_;
    int spacing_ = 0;  // cells; 0: not begun
    ChangeCursor seen_passable_, seen_frontiers_;
    TileTable<Place> places_;
    std::vector<TileCoord> dirty_;
    std::optional<TileCoord> current_;
    bool guided_ = false;
    bool fresh_ = false;  // refreshed since the last update
};

}  // namespace outrider
