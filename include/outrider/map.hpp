// A robot's map, read-only: what is known of the world, and what that means for moving. Cells are those of the robot's
// frame; any cell may be asked for, also far outside of what is known.
// A block is a square of 64 x 64 cells whose lower left one, `low`, has coordinates that are multiples of 64. A word
// holds 64 cells of a row: bit i is the cell first + (i, 0), and first.x is a multiple of 64.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "outrider/cells.hpp"
#include "outrider/detail/nav_map.hpp"

namespace outrider {

struct RadioOptions;

/// The lower left cell of the block that a cell lies in.
inline Cell block_of(Cell c) { return {c.x & ~63, c.y & ~63}; }

/// What is claimed of each cell. Refers to the map of its robot, which changes from step to step.
class MapView {
  public:
    /// prior: a plan of what is not known yet; nullptr: there is none.
    MapView(const KnownMap& map, const KnownMap* prior = nullptr) : map_(&map), prior_(prior) {}
    /// For the library; strategies have the functions below.
    operator const KnownMap&() const { return *map_; }

    const Lattice& lattice() const { return map_->lattice(); }
    FrameId frame() const { return map_->frame(); }
    CellState state(Cell c) const { return map_->state(c); }
    bool is_free(Cell c) const { return map_->is_free(c); }
    bool is_occupied(Cell c) const { return map_->is_occupied(c); }
    bool marked(Mark mark, Cell c) const { return map_->marked(mark, c); }
    /// What the prior map says of a cell, known or not: free, occupied, or unknown. It may be wrong.
    CellState prior(Cell c) const { return prior_ ? prior_->state(c) : CellState::unknown; }
    bool has_prior() const { return prior_ != nullptr; }
    /// What is known of a cell or, where nothing is, what the prior map says.
    CellState expected(Cell c) const { return prior_ && state(c) == CellState::unknown ? prior(c) : state(c); }
    /// Grows whenever the map changes.
    std::uint64_t version() const { return map_->version(); }

    std::uint64_t known_word(Cell first) const { return detail::known_word(*map_, first); }
    /// The 64 words of a block, from its lowest row; empty where nothing is known, or marked.
    std::span<const std::uint64_t> known_rows(Cell low) const { return detail::known_rows(*map_, low); }
    std::span<const std::uint64_t> occupied_rows(Cell low) const { return detail::occupied_rows(*map_, low); }
    std::span<const std::uint64_t> marked_rows(Mark mark, Cell low) const {
        return detail::marked_rows(*map_, mark, low);
    }
    /// Calls visit(low) for each block in which something is known, by row, then column.
    template <class Visit>
    void for_each_block(Visit&& visit) const {
        detail::for_each_block(map_->cells(), visit);
    }
    /// The same for those that changed since the cursor was here last; for all of them the first time.
    template <class Visit>
    void for_each_changed_block(ChangeCursor& cursor, Visit&& visit) const {
        detail::for_each_changed_block(*map_, cursor, visit);
    }

  private:
    const KnownMap *map_, *prior_;
};

/// What the map means for moving, for a body that is a disc. Refers to data that its robot keeps up to date.
class NavView {
  public:
    NavView(const NavMap& nav) : nav_(&nav) {}
    /// For the library; strategies have the functions below.
    operator const NavMap&() const { return *nav_; }

    /// The body can stand there: free, and its disc touches no known wall.
    bool passable(Cell c) const { return nav_->passable(c); }
    /// Passable or, where unknown cells may be crossed (plan.unknown_cost), unknown and clear of known walls.
    bool traversable(Cell c) const { return nav_->traversable(c); }
    /// Connected with the robot through passable cells.
    bool reached(Cell c) const { return nav_->reached(c); }
    /// Beside the unknown, reached or not.
    bool frontier(Cell c) const { return nav_->frontier(c); }
    /// A frontier cell with an unknown 4-neighbour: standing there, the robot can see it.
    bool edge(Cell c) const { return nav_->edge(c); }
    /// Cells to the nearest known wall (Chebyshev): 1, 2, or 3 for anything farther.
    int clearance(Cell c) const { return nav_->clearance(c); }
    /// The nearest passable cell (Chebyshev, then row, then column); the cell itself when none is near.
    Cell foothold(Cell c) const { return nav_->foothold(c); }
    bool through_unknown() const { return nav_->through_unknown(); }
    /// Grows whenever any of this changed.
    std::uint64_t version() const { return nav_->version(); }

    std::uint64_t reached_word(Cell first) const { return detail::reached_word(*nav_, first); }
    /// Calls visit(low) for each block of which something is known, by row, then column.
    template <class Visit>
    void for_each_block(Visit&& visit) const {
        detail::for_each_block(nav_->tiles(), visit);
    }
    /// The lowest and the highest cell, in both coordinates, of the blocks in which something is known; the lowest is
    /// above the highest where nothing is.
    std::pair<Cell, Cell> extent() const { return detail::extent(*nav_); }

  private:
    const NavMap* nav_;
};

/// A set of cells that may lie anywhere, kept as bits.
class CellSet {
  public:
    bool contains(Cell c) const { return bits_.contains(c); }
    /// Returns whether it was not there before.
    bool insert(Cell c) { return bits_.insert(c); }

  private:
    detail::CellBits bits_;
};

/// Walls between two cells as far as the map shows: each run of cells that are not expected to be free counts as one,
/// and every further 14 unknown cells of a run as one more.
int believed_walls(const MapView& map, Cell a, Cell b);
/// Expected signal in dBm between radios of range_m in the middle of two cells: the path-loss formula with the range a
/// tenth shorter and the walls a tenth thicker (MRESim, agent's propagation model). +infinity in the same cell.
double believed_signal_dbm(const MapView& map, const RadioOptions& radio, double range_m, Cell a, Cell b);
/// Whether radios in the two cells should be linked under the radio model in use, with the same margin.
bool believed_linked(const MapView& map, const RadioOptions& radio, double range_m, Cell a, Cell b);

}  // namespace outrider
